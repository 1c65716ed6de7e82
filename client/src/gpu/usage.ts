// WebGPU's constants, which browsers without it lack, and TypeScript's library too.

export const Usage = {
  MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, INDEX: 16, VERTEX: 32, UNIFORM: 64, STORAGE: 128, INDIRECT: 256, QUERY_RESOLVE: 512,
} as const;

export const COMPUTE_STAGE = 4;
export const MAP_READ_MODE = 1;
