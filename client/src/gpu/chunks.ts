// ?builder=gpu: the meshes of a world's chunks by marching cubes on the GPU. The builders fill the samples, so
// what is solid is decided by the one engine; the GPU makes vertices and triangles of them, between frames, and says
// which edge of the grid each vertex lies on. Depths and materials are mixed here from the samples at that edge's ends,
// as package mesher does.
//
// A group of chunks goes in as samples and comes out as a builder's results, so nothing else of the page knows.
import { readMesh, resultBytes } from '../world/mesh';
import type { Group } from '../world/protocol';
import { CHUNK_CELLS, GRID_SIDE, HeaderWord, ResultFlag } from '../world/protocol.gen';
import { Batch, cube } from './batch';
import { openGpu, type Gpu } from './device';
import { GpuEngine, type CpuMesh } from './engine';
import { makeBuffer, readBuffer } from './shader';
import { Stopwatch } from './stopwatch';
import { EDGE_WORD, makePasses, Surface, type Passes } from './surface';
import { Usage } from './usage';

const CUBE = GRID_SIDE ** 3;
/** Chunks that are meshed at once. */
const AT_ONCE = 8;

/** A chunk's grid, laid over a builder's result. */
interface Chunk {
  header: Uint32Array;
  samples: Float32Array;
  ground: Float32Array;
  materials: Uint8Array | null;
}

/** What the passes, or the engine where there are none, make of a chunk. */
interface Triangles {
  vertices: number;
  positions: ArrayLike<number>;
  /** Numbers from one position to the next. */
  stride: number;
  normals: Int8Array;
  depths: Float32Array;
  materials: Uint8Array | null;
  indices: Uint32Array;
}

/** The grid in a result, or null if it holds none. */
export function readChunk(result: ArrayBuffer): Chunk | null {
  const header = new Uint32Array(result, 0, HeaderWord.Count);
  const flags = header[HeaderWord.Flags]!;
  if ((flags & ResultFlag.Samples) === 0) return null;
  const samples = 4 * HeaderWord.Count;
  const ground = samples + 4 * CUBE;
  const materials = ground + 4 * GRID_SIDE ** 2;
  return {
    header,
    samples: new Float32Array(result, samples, CUBE),
    ground: new Float32Array(result, ground, GRID_SIDE ** 2),
    materials: flags & ResultFlag.Materials ? new Uint8Array(result, materials, CUBE) : null,
  };
}

export class ChunkMesher {
  private queue: Promise<void> = Promise.resolve();
  /** Why a worker meshes in place of the GPU. */
  reason = '';
  /** Chunks that the GPU has meshed. */
  meshed = 0;

  private constructor(private readonly engine: GpuEngine, private readonly gpu: GpuMesher | null, private readonly troubled: (reason: string) => void) {
    void gpu?.device.lost.then((info) => this.giveUp(info.message || 'the GPU was lost'));
  }

  /** troubled is called with the reason when a worker takes over. */
  static async make(troubled: (reason: string) => void): Promise<ChunkMesher> {
    const engine = await GpuEngine.start();
    let reason: string;
    try {
      const gpu = await openGpu();
      if (!('missing' in gpu)) return new ChunkMesher(engine, new GpuMesher(gpu, await makePasses(gpu.device, await engine.shaders(), await engine.table())), troubled);
      reason = gpu.missing;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    const mesher = new ChunkMesher(engine, null, troubled);
    mesher.giveUp(reason);
    return mesher;
  }

  /** Meshes a group after those before it, and hands it on. */
  mesh(group: Group, done: (group: Group) => void): void {
    this.queue = this.queue.then(async () => {
      await this.meshGroup(group);
      done(group);
    });
  }

  private async meshGroup(group: Group): Promise<void> {
    const waiting = group.results.flatMap((result) => {
      const chunk = result.mesh && readChunk(result.mesh);
      return chunk ? [{ result, chunk }] : [];
    });
    for (let i = 0; i < waiting.length; i += AT_ONCE) {
      const some = waiting.slice(i, i + AT_ONCE);
      const meshes = await this.triangles(some.map(({ chunk }) => chunk));
      some.forEach(({ result, chunk }, k) => (result.mesh = resultOf(chunk, meshes[k]!)));
    }
  }

  private async triangles(chunks: Chunk[]): Promise<Triangles[]> {
    if (this.gpu && this.reason === '') {
      try {
        const meshes = await this.gpu.mesh(chunks);
        this.meshed += chunks.length;
        return meshes;
      } catch (error) {
        this.giveUp(error instanceof Error ? error.message : String(error));
      }
    }
    return Promise.all(chunks.map(async (chunk) => ofEngine(await this.engine.chunk(chunk.samples, CHUNK_CELLS, {
      y: numberOf(chunk, HeaderWord.Y), level: numberOf(chunk, HeaderWord.Level), ground: chunk.ground, materials: chunk.materials,
    }))));
  }

  private giveUp(reason: string): void {
    if (this.reason !== '') return;
    this.reason = reason;
    this.troubled(reason);
  }
}

function ofEngine(m: CpuMesh): Triangles {
  const normals = new Int8Array((4 * m.normals.length) / 3);
  for (let i = 0; i < m.normals.length; i++) normals[4 * Math.floor(i / 3) + (i % 3)] = Math.round(127 * m.normals[i]!);
  return { ...m, vertices: m.positions.length / 3, stride: 3, normals };
}

/** Meshes some chunks at once on the GPU. */
class GpuMesher {
  readonly device: GPUDevice;
  private readonly samples: GPUBuffer;
  private readonly surface: Surface;
  private readonly watch: Stopwatch;

  constructor(gpu: Gpu, passes: Passes) {
    const { device } = gpu;
    this.device = device;
    const batch = new Batch(device, { samples: cube(GRID_SIDE), margin: 1, grids: AT_ONCE, scale: cube(1) });
    batch.place(Array.from({ length: AT_ONCE }, () => ({ first: [0, 0, 0], origin: [0, 0, 0] })));
    this.samples = makeBuffer(device, 'chunks', 4 * CUBE * AT_ONCE, Usage.STORAGE);
    this.surface = new Surface(device, passes, batch, this.samples, { vertices: 20_000, triangles: 40_000 }, gpu.maxBytes);
    this.watch = new Stopwatch(device, false);
  }

  async mesh(chunks: Chunk[]): Promise<Triangles[]> {
    const { device, surface } = this;
    const all = new Float32Array(CUBE * AT_ONCE).fill(-1); // the rest is air
    chunks.forEach(({ samples }, i) => all.set(samples, i * CUBE));
    device.queue.writeBuffer(this.samples, 0, all);
    do {
      const encoder = device.createCommandEncoder();
      surface.encode(encoder, this.watch);
      device.queue.submit([encoder.finish()]);
    } while (await surface.count());
    if (surface.overflow) throw new Error(`${surface.needed.triangles} triangles have no room on this GPU`);
    const { vertices, triangles } = surface.needed;
    const [p, n, q] = await Promise.all([
      readBuffer(device, surface.positions, 16 * vertices || 16),
      readBuffer(device, surface.normals, 4 * vertices || 16),
      readBuffer(device, surface.indices, 12 * triangles || 16),
    ]);
    return split(new Float32Array(p), new Int8Array(n), new Uint32Array(q, 0, 3 * triangles), vertices, chunks);
  }
}

/** Takes the meshes of grids apart: vertices and triangles lie grid after grid. */
function split(positions: Float32Array, normals: Int8Array, indices: Uint32Array, vertices: number, chunks: Chunk[]): Triangles[] {
  const words = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  let [v, i] = [0, 0];
  return chunks.map((chunk, g) => {
    const [from, first, edges] = [v, i, 3 * CUBE * g];
    while (v < vertices && words[4 * v + EDGE_WORD]! < edges + 3 * CUBE) v++;
    while (i < indices.length && indices[i]! < v) i += 3;
    const cell = 2 ** numberOf(chunk, HeaderWord.Level);
    const mine = positions.subarray(4 * from, 4 * v);
    return {
      vertices: v - from, positions: cell === 1 ? mine : mine.map((p) => p * cell), stride: 4, normals: normals.subarray(4 * from, 4 * v),
      ...mix(chunk, Uint32Array.from({ length: v - from }, (_, k) => words[4 * (from + k) + EDGE_WORD]! - edges)),
      indices: indices.subarray(first, i).map((n) => n - from),
    };
  });
}

/** A builder's result with a mesh (internal/builder/doc.go), or null if it has no triangle. */
function resultOf(chunk: Chunk, m: Triangles): ArrayBuffer | null {
  if (m.indices.length === 0) return null;
  const indexBytes = m.vertices > 65535 ? 4 : 2;
  const out = new ArrayBuffer(resultBytes(m.vertices, m.indices.length, indexBytes, chunk.materials !== null));
  const header = new Uint32Array(out, 0, HeaderWord.Count);
  header.set(chunk.header);
  header[HeaderWord.Vertices] = m.vertices;
  header[HeaderWord.Indices] = m.indices.length;
  header[HeaderWord.IndexBytes] = indexBytes;
  header[HeaderWord.Flags]! &= ~ResultFlag.Samples;
  const { positions, normals, depths, materials, indices } = readMesh(out)!;
  for (let v = 0; v < m.vertices; v++) for (let k = 0; k < 3; k++) positions[3 * v + k] = m.positions[m.stride * v + k]!;
  normals.set(m.normals.subarray(0, normals.length));
  indices.set(m.indices);
  depths.set(m.depths);
  if (m.materials) materials?.set(m.materials);
  return out;
}

const STRIDES = [1, GRID_SIDE, GRID_SIDE * GRID_SIDE];

/** A number of a chunk's header, which may be negative. */
const numberOf = ({ header }: Chunk, word: HeaderWord) => header[word]! | 0;

/** Mixes each vertex's depth and materials from the samples at the ends of the edge that it lies on. */
function mix(chunk: Chunk, edges: Uint32Array): Pick<Triangles, 'depths' | 'materials'> {
  const { samples, ground } = chunk;
  const depths = new Float32Array(edges.length);
  const materials = chunk.materials && new Uint8Array(4 * edges.length);
  const low = numberOf(chunk, HeaderWord.Y) * CHUNK_CELLS;
  const step = 2 ** numberOf(chunk, HeaderWord.Level);
  const depth = (i: number) => Math.fround(ground[Math.floor(i / (GRID_SIDE * GRID_SIDE)) * GRID_SIDE + (i % GRID_SIDE)]! - (low + (Math.floor(i / GRID_SIDE) % GRID_SIDE) - 1) * step);
  edges.forEach((edge, v) => {
    const at = Math.floor(edge / 3);
    const to = at + STRIDES[edge % 3]!;
    const [a, b] = [samples[at]!, samples[to]!];
    const t = Math.fround(a / Math.fround(a - b));
    depths[v] = depth(at) + Math.fround(Math.fround(depth(to) - depth(at)) * t);
    if (!materials) return;
    const solidFirst = a > 0;
    materials.set([chunk.materials![solidFirst ? at : to]!, chunk.materials![solidFirst ? to : at]!, weight(solidFirst ? t : 1 - t), 0], 4 * v);
  });
  return { depths, materials };
}

const weight = (t: number) => Math.max(0, Math.min(255, Math.floor(t * 255 + 0.5)));
