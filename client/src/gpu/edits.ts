// Edits as the passes and the engine take them: both read one encoding (package edit).
import { BALL_BYTES, BALL_VERSION, EditWord, OPERATIONS, SHAPES } from '../world/protocol.gen';

export interface Edit {
  operation: 'dig' | 'build';
  /** Meters. */
  at: [number, number, number];
  radius: number;
  /** Blend radius in meters, 0 for a hard edge. */
  blend: number;
}

/** The sample below each coordinate, and how far past it. */
function split(at: [number, number, number]): [number[], number[]] {
  const sample = at.map(Math.floor);
  return [sample, at.map((v, i) => Math.fround(v - sample[i]!)).map((v) => (v < 1 ? v : 0))];
}

/** For the GPU: the words of each edit's encoding, zero where it is shorter than the longest. */
export function editWords(edits: Edit[]): Uint32Array<ArrayBuffer> {
  const out = new Uint8Array(4 * EditWord.Count * edits.length);
  edits.forEach((e, i) => encode(new DataView(out.buffer, 4 * EditWord.Count * i), e));
  return new Uint32Array(out.buffer);
}

/** For the engine: their encoding (package edit). */
export function editBytes(edits: Edit[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(BALL_BYTES * edits.length);
  edits.forEach((e, i) => encode(new DataView(out.buffer, BALL_BYTES * i), e));
  return out;
}

function encode(view: DataView, e: Edit): void {
  const [sample, offset] = split(e.at);
  [BALL_VERSION, OPERATIONS[e.operation], SHAPES.ball, 0].forEach((v, i) => view.setUint8(4 * EditWord.Kind + i, v));
  view.setFloat32(4 * EditWord.Radius, e.radius, true);
  view.setFloat32(4 * EditWord.Blend, e.blend, true);
  sample.forEach((v, i) => view.setInt32(4 * (EditWord.SampleX + i), v, true));
  offset.forEach((v, i) => view.setFloat32(4 * (EditWord.OffsetX + i), v, true));
}
