// Reads what a builder made. The layout is drawn in internal/builder/doc.go.

const MAGIC = 0x424d5254; // "TRMB", read little-endian
const FORMAT = 2;
const HAS_MATERIALS = 4;
const HEADER_WORDS = 16;

/** A chunk's mesh: typed arrays laid over the builder's buffer. */
export interface ChunkMesh {
  vertices: number;
  /** Meters from the chunk's low corner, three a vertex. */
  positions: Float32Array;
  /** x, y, z and 0 as signed bytes, 127 for 1. */
  normals: Int8Array;
  /** Meters below the generated ground. */
  depths: Float32Array;
  /** Four bytes a vertex: the materials of the solid's and of the air's sample, the weight of the second, 0. */
  materials: Uint8Array | null;
  indices: Uint16Array | Uint32Array;
}

/** Lays arrays over a builder's result, or returns null if it holds no triangle. */
export function readMesh(buffer: ArrayBuffer): ChunkMesh | null {
  if (buffer.byteLength < HEADER_WORDS * 4) throw new Error(`a mesh of ${buffer.byteLength} bytes is cut short`);
  const header = new Uint32Array(buffer, 0, HEADER_WORDS);
  const [magic, format, vertices, count, indexBytes, flags] = [header[0], header[1], header[8]!, header[9]!, header[10]!, header[11]!];
  if (magic !== MAGIC || format !== FORMAT) throw new Error('the builder and the page are of different versions: reload the page');
  if (count === 0) return null;
  let at = HEADER_WORDS * 4;
  const positions = new Float32Array(buffer, at, 3 * vertices);
  at += 12 * vertices;
  const normals = new Int8Array(buffer, at, 4 * vertices);
  at += 4 * vertices;
  const depths = new Float32Array(buffer, at, vertices);
  at += 4 * vertices;
  const materials = flags & HAS_MATERIALS ? new Uint8Array(buffer, at, 4 * vertices) : null;
  if (materials) at += 4 * vertices;
  const indices = indexBytes === 2 ? new Uint16Array(buffer, at, count) : new Uint32Array(buffer, at, count);
  return { vertices, positions, normals, depths, materials, indices };
}
