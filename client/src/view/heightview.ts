// Reads what internal/heightview made: a heightmap as triangles with colors and as lines along its grid.
import { HEIGHTS_MAGIC, HEIGHTS_VERSION, HeightsWord } from '../world/protocol.gen';

export interface HeightView {
  positions: Float32Array<ArrayBuffer>;
  colors: Float32Array<ArrayBuffer>;
  triangles: Uint16Array<ArrayBuffer>;
  segments: Uint16Array<ArrayBuffer>;
  low: number;
  high: number;
}

const HEADER_BYTES = 4 * HeightsWord.Count;

/** The arrays lie over the bytes of data. */
export function readHeightView(data: ArrayBuffer): HeightView {
  const header = new DataView(data, 0, HEADER_BYTES);
  const word = (i: HeightsWord) => header.getUint32(4 * i, true);
  if (word(HeightsWord.Magic) !== HEIGHTS_MAGIC || word(HeightsWord.Version) !== HEIGHTS_VERSION) throw new Error('the engine answered with something that is no view of a heightmap');
  const [vertices, triangles, segments] = [word(HeightsWord.Vertices), word(HeightsWord.Triangles), word(HeightsWord.Segments)];
  const colors = HEADER_BYTES + 12 * vertices;
  const corners = colors + 12 * vertices;
  const lines = corners + 6 * triangles;
  return {
    positions: new Float32Array(data, HEADER_BYTES, 3 * vertices),
    colors: new Float32Array(data, colors, 3 * vertices),
    triangles: new Uint16Array(data, corners, 3 * triangles),
    segments: new Uint16Array(data, lines, 2 * segments),
    low: header.getFloat32(4 * HeightsWord.Low, true),
    high: header.getFloat32(4 * HeightsWord.High, true),
  };
}
