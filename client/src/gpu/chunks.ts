// ?builder=gpu: the meshes of a world's chunks by marching cubes on the GPU. The builders fill the samples, so
// what is solid is decided by the one engine; the GPU makes vertices and triangles of them, between frames. A
// vertex's depth and materials are mixed from the same two samples here, as package mesher does.
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
import { makePasses, Surface, type Passes } from './surface';
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
    return Promise.all(chunks.map(async ({ samples }) => ofEngine(await this.engine.chunk(samples, CHUNK_CELLS))));
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
  return { vertices: m.positions.length / 3, positions: m.positions, stride: 3, normals, indices: m.indices };
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
    return split(new Float32Array(p), new Int8Array(n), new Uint32Array(q, 0, 3 * triangles), vertices, chunks.length);
  }
}

/** Takes the meshes of grids apart: vertices and triangles lie grid after grid. */
function split(positions: Float32Array, normals: Int8Array, indices: Uint32Array, vertices: number, grids: number): Triangles[] {
  const list: Triangles[] = [];
  let [v, i] = [0, 0];
  for (let g = 0; g < grids; g++) {
    const [from, first] = [v, i];
    while (v < vertices && positions[4 * v + 3] === g) v++;
    while (i < indices.length && indices[i]! < v) i += 3;
    list.push({
      vertices: v - from, positions: positions.subarray(4 * from, 4 * v), stride: 4, normals: normals.subarray(4 * from, 4 * v),
      indices: indices.subarray(first, i).map((n) => n - from),
    });
  }
  return list;
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
  describe(chunk, positions, depths, materials);
  const cell = 2 ** chunk.header[HeaderWord.Level]!;
  if (cell !== 1) positions.forEach((p, i) => (positions[i] = p * cell));
  return out;
}

const STRIDES = [1, GRID_SIDE, GRID_SIDE * GRID_SIDE];

/** Mixes each vertex's depth and materials from the samples at the ends of the edge that it lies on. */
function describe(chunk: Chunk, positions: Float32Array, depths: Float32Array, materials: Uint8Array | null): void {
  const { samples, ground, header } = chunk;
  const low = new Int32Array(header.buffer, 0, HeaderWord.Count)[HeaderWord.Y]! * CHUNK_CELLS;
  const step = 2 ** header[HeaderWord.Level]!;
  for (let v = 0; v < depths.length; v++) {
    const { at, axis } = edgeOf(samples, positions, v);
    const to = at + STRIDES[axis]!;
    const [a, b] = [samples[at]!, samples[to]!];
    const t = Math.fround(a / Math.fround(a - b));
    const depth = (i: number) => Math.fround(ground[Math.floor(i / (GRID_SIDE * GRID_SIDE)) * GRID_SIDE + (i % GRID_SIDE)]! - (low + (Math.floor(i / GRID_SIDE) % GRID_SIDE) - 1) * step);
    depths[v] = depth(at) + Math.fround(Math.fround(depth(to) - depth(at)) * t);
    if (!materials) continue;
    const solidFirst = a > 0;
    materials.set([chunk.materials![solidFirst ? at : to]!, chunk.materials![solidFirst ? to : at]!, weight(solidFirst ? t : 1 - t), 0], 4 * v);
  }
}

const weight = (t: number) => Math.max(0, Math.min(255, Math.floor(t * 255 + 0.5)));

/** The edge of the grid that a vertex lies on: the number of its first sample, and its axis. */
function edgeOf(samples: Float32Array, p: Float32Array, v: number): { at: number; axis: number } {
  let best = { at: 0, axis: 0 };
  let nearest = Infinity;
  const near = [0, 1, 2].map((k) => Math.round(p[3 * v + k]!));
  for (let axis = 0; axis < 3; axis++) {
    const start = [...near];
    start[axis] = Math.floor(p[3 * v + axis]!);
    // A vertex at a sample may belong to the edge before it as well.
    for (const back of [0, 1]) {
      const s = [...start];
      s[axis]! -= back;
      const at = ((s[2]! + 1) * GRID_SIDE + s[1]! + 1) * GRID_SIDE + s[0]! + 1;
      const [a, b] = [samples[at]!, samples[at + STRIDES[axis]!]!];
      if (a > 0 === b > 0) continue;
      const far = [0, 1, 2].reduce((sum, k) => sum + Math.abs(p[3 * v + k]! - (s[k]! + (k === axis ? a / (a - b) : 0))), 0);
      if (far < nearest) [nearest, best] = [far, { at, axis }];
    }
  }
  return best;
}
