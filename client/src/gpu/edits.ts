// Edits as the passes and the engine take them (gpu.AppendEdits and edit.Edit.AppendBinary).

export interface Edit {
  operation: 'dig' | 'build';
  /** Meters. */
  at: [number, number, number];
  radius: number;
  /** Blend radius in meters, 0 for a hard edge. */
  blend: number;
}

const WORDS = 12;
const BYTES = 36;
/** An edit's radius and blend radius together, and the least radius. */
export const MAX_REACH = 64;
export const MIN_RADIUS = 0.25;

/** The sample below each coordinate, and how far past it. */
function split(at: [number, number, number]): [number[], number[]] {
  const sample = at.map(Math.floor);
  return [sample, at.map((v, i) => Math.fround(v - sample[i]!)).map((v) => (v < 1 ? v : 0))];
}

/** For the GPU: twelve words an edit. */
export function editWords(edits: Edit[]): Uint32Array<ArrayBuffer> {
  const data = new Uint32Array(WORDS * edits.length);
  const ints = new Int32Array(data.buffer);
  const floats = new Float32Array(data.buffer);
  edits.forEach((e, i) => {
    const [sample, offset] = split(e.at);
    const o = WORDS * i;
    ints.set(sample, o);
    data[o + 3] = e.operation === 'dig' ? 1 : 2;
    floats.set([...offset, e.radius, e.blend, Math.fround(Math.fround(e.radius) + Math.fround(e.blend)) + 2], o + 4);
  });
  return data;
}

/** For the engine: their binary form. */
export function editBytes(edits: Edit[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(BYTES * edits.length);
  const view = new DataView(out.buffer);
  edits.forEach((e, i) => {
    const [sample, offset] = split(e.at);
    const o = BYTES * i;
    out.set([1, e.operation === 'dig' ? 1 : 2, 1, 0], o);
    view.setFloat32(o + 4, e.radius, true);
    view.setFloat32(o + 8, e.blend, true);
    sample.forEach((v, k) => view.setInt32(o + 12 + 4 * k, v, true));
    offset.forEach((v, k) => view.setFloat32(o + 24 + 4 * k, v, true));
  });
  return out;
}
