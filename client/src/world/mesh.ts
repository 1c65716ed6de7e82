// Reads what a builder made. The layout is drawn in internal/builder/doc.go.
import { HeaderWord, RESULT_FORMAT, RESULT_MAGIC, ResultFlag, VertexBytes } from './protocol.gen';

const HEADER_BYTES = 4 * HeaderWord.Count;

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

/** Bytes of a result with so many vertices and indices. */
export function resultBytes(vertices: number, indices: number, indexBytes: number, materials: boolean): number {
  const vertex = VertexBytes.Position + VertexBytes.Normal + VertexBytes.Depth + (materials ? VertexBytes.Materials : 0);
  return HEADER_BYTES + vertex * vertices + Math.ceil((indexBytes * indices) / 4) * 4;
}

/** Lays arrays over a builder's result, or returns null if it holds no triangle. */
export function readMesh(buffer: ArrayBuffer): ChunkMesh | null {
  if (buffer.byteLength < HEADER_BYTES) throw new Error(`a mesh of ${buffer.byteLength} bytes is cut short`);
  const header = new Uint32Array(buffer, 0, HeaderWord.Count);
  const word = (i: HeaderWord) => header[i]!;
  if (word(HeaderWord.Magic) !== RESULT_MAGIC || word(HeaderWord.Format) !== RESULT_FORMAT) {
    throw new Error('the builder and the page are of different versions: reload the page');
  }
  const [vertices, count] = [word(HeaderWord.Vertices), word(HeaderWord.Indices)];
  if (count === 0) return null;
  let next = HEADER_BYTES;
  const part = (bytes: number) => (next += bytes * vertices) - bytes * vertices;
  const positions = new Float32Array(buffer, part(VertexBytes.Position), 3 * vertices);
  const normals = new Int8Array(buffer, part(VertexBytes.Normal), 4 * vertices);
  const depths = new Float32Array(buffer, part(VertexBytes.Depth), vertices);
  const materials = word(HeaderWord.Flags) & ResultFlag.Materials ? new Uint8Array(buffer, part(VertexBytes.Materials), 4 * vertices) : null;
  const indices = word(HeaderWord.IndexBytes) === 2 ? new Uint16Array(buffer, next, count) : new Uint32Array(buffer, next, count);
  return { vertices, positions, normals, depths, materials, indices };
}
