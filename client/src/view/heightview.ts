// Reads what internal/heightview made: a heightmap as triangles with colors and as lines along its grid.

export interface HeightView {
  positions: Float32Array<ArrayBuffer>;
  colors: Float32Array<ArrayBuffer>;
  triangles: Uint16Array<ArrayBuffer>;
  segments: Uint16Array<ArrayBuffer>;
  low: number;
  high: number;
}

const HEADER_BYTES = 32;
const MAGIC = 0x56485254; // "TRHV"
const VERSION = 1;

/** The arrays lie over the bytes of data. */
export function readHeightView(data: ArrayBuffer): HeightView {
  const header = new DataView(data, 0, HEADER_BYTES);
  const word = (i: number) => header.getUint32(4 * i, true);
  if (word(0) !== MAGIC || word(1) !== VERSION) throw new Error('the engine answered with something that is no view of a heightmap');
  const [vertices, triangles, segments] = [word(2), word(3), word(4)];
  const colors = HEADER_BYTES + 12 * vertices;
  const corners = colors + 12 * vertices;
  const lines = corners + 6 * triangles;
  return {
    positions: new Float32Array(data, HEADER_BYTES, 3 * vertices),
    colors: new Float32Array(data, colors, 3 * vertices),
    triangles: new Uint16Array(data, corners, 3 * triangles),
    segments: new Uint16Array(data, lines, 2 * segments),
    low: header.getFloat32(20, true),
    high: header.getFloat32(24, true),
  };
}
