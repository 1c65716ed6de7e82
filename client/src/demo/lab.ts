// The tools of the equality suite and the benchmark: an opened GPU, the engine, the passes over floats, and
// batches of grids that are sampled, meshed and read back. Nothing here is in a hurry: it reads back all it wants.
import { Batch, cube, type GridPlace, type Shape } from '../gpu/batch';
import type { Gpu } from '../gpu/device';
import type { Edit } from '../gpu/edits';
import { editBytes } from '../gpu/edits';
import type { CpuMesh, Files, GpuEngine, Program } from '../gpu/engine';
import { Ground, makeGround, type GroundShaders } from './ground';
import { makeBuffer, readBuffer } from '../gpu/shader';
import { Stopwatch } from '../gpu/stopwatch';
import { Appender, EDGE_WORD, makePasses, Surface, type Passes, type Room, type SampleKind } from '../gpu/surface';
import { Usage } from '../gpu/usage';

/** Meshes of some grids, read back: triangles of grid g are those from first[g] to first[g + 1]. */
export interface GridMesh {
  /** x, y, z and, as an integer's bits, the edge (EDGE_WORD). */
  positions: Float32Array;
  /** The grid of each vertex. */
  grids: Uint32Array;
  /** x, y, z and 0 as signed bytes. */
  normals: Int8Array;
  indices: Uint32Array;
  vertices: number;
  triangles: number;
}

export class Lab {
  private constructor(readonly gpu: Gpu, readonly engine: GpuEngine, readonly passes: Passes, private readonly texts: Record<string, string>) {}

  static async open(gpu: Gpu, engine: GpuEngine): Promise<Lab> {
    const texts = await engine.shaders();
    return new Lab(gpu, engine, await makePasses(gpu.device, texts, await engine.table()), texts);
  }

  /** The passes over samples of another kind. */
  async passesOf(kind: SampleKind): Promise<Passes> {
    return makePasses(this.device, this.texts, await this.engine.table(), kind);
  }

  get device(): GPUDevice {
    return this.gpu.device;
  }

  watch(): Stopwatch {
    return new Stopwatch(this.device, this.gpu.timestamps);
  }

  /** Encodes some work, submits it and waits until it is done. */
  async run(task: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const encoder = this.device.createCommandEncoder();
    task(encoder);
    this.device.queue.submit([encoder.finish()]);
    await this.device.queue.onSubmittedWorkDone();
  }

  samplesBuffer(samples: ArrayBufferView<ArrayBuffer>): GPUBuffer {
    return makeBuffer(this.device, 'samples', 0, Usage.STORAGE | Usage.COPY_SRC, samples);
  }

  async floats(buffer: GPUBuffer, n: number): Promise<Float32Array<ArrayBuffer>> {
    return new Float32Array(await readBuffer(this.device, buffer, 4 * n));
  }

  /** The positions of vertices, and the grids that their edges are of. */
  private async placed(buffer: GPUBuffer, vertices: number, batch: Batch): Promise<Pick<GridMesh, 'positions' | 'grids'>> {
    const positions = await this.floats(buffer, 4 * vertices || 4);
    const words = new Uint32Array(positions.buffer);
    const edges = (3 * batch.sampleCount) / batch.shape.grids; // of a grid
    return { positions, grids: Uint32Array.from({ length: vertices }, (_, v) => Math.floor(words[4 * v + EDGE_WORD]! / edges)) };
  }

  /** Meshes grids by the passes, first with the given room and, if that is too small, again. */
  async mesh(
    shape: Shape, samples: ArrayBufferView<ArrayBuffer>, iso = 0, room: Room = { vertices: 4096, triangles: 8192 }, passes = this.passes,
  ): Promise<GridMesh> {
    const batch = new Batch(this.device, shape);
    batch.place(Array.from({ length: shape.grids }, () => ({ first: [0, 0, 0], origin: [0, 0, 0] })));
    batch.iso = iso;
    const buffer = this.samplesBuffer(samples);
    const surface = new Surface(this.device, passes, batch, buffer, room, this.gpu.maxBytes);
    const watch = new Stopwatch(this.device, false);
    try {
      do await this.run((encoder) => surface.encode(encoder, watch));
      while (await surface.count());
      return await this.read(surface);
    } finally {
      for (const part of [batch, buffer, surface, watch]) part.destroy();
    }
  }

  async read(surface: Surface): Promise<GridMesh> {
    await surface.count();
    const { vertices, triangles } = surface.needed;
    if (surface.overflow) throw new Error(`the surface of ${triangles} triangles has room for ${surface.room.triangles}`);
    const drawn = new Uint32Array(await readBuffer(this.device, surface.drawn, 64));
    if (drawn[0] !== 3 * triangles) throw new Error(`${drawn[0]} indices are drawn of ${triangles} triangles`);
    return {
      ...(await this.placed(surface.positions, vertices, surface.batch)),
      normals: new Int8Array(await readBuffer(this.device, surface.normals, 4 * vertices || 4)),
      indices: new Uint32Array(await readBuffer(this.device, surface.indices, 12 * triangles || 4)).subarray(0, 3 * triangles),
      vertices, triangles,
    };
  }

  /** Meshes grids by the simpler way. */
  async append(shape: Shape, samples: Float32Array<ArrayBuffer>, triangles: number): Promise<GridMesh> {
    const batch = new Batch(this.device, shape);
    batch.place(Array.from({ length: shape.grids }, () => ({ first: [0, 0, 0], origin: [0, 0, 0] })));
    const buffer = this.samplesBuffer(samples);
    const appender = new Appender(this.device, this.passes, batch, buffer, triangles);
    const watch = new Stopwatch(this.device, false);
    try {
      await this.run((encoder) => appender.encode(encoder, watch));
      const [n] = new Uint32Array(await readBuffer(this.device, appender.appended, 32));
      if (n! > triangles) throw new Error(`${n} triangles were appended, room was for ${triangles}`);
      return {
        ...(await this.placed(appender.positions, 3 * n!, batch)),
        normals: new Int8Array(await readBuffer(this.device, appender.normals, 12 * n! || 4)),
        indices: Uint32Array.from({ length: 3 * n! }, (_, i) => i),
        vertices: 3 * n!, triangles: n!,
      };
    } finally {
      for (const part of [batch, buffer, appender, watch]) part.destroy();
    }
  }

  async program(graph: Uint8Array, files: Files = {}): Promise<{ program: Program; shaders: GroundShaders }> {
    const program = await this.engine.field(graph, files);
    if (program.code === '') throw new Error(program.reason);
    return { program, shaders: await makeGround(this.device, this.texts, program) };
  }

  /** Samples of the field of a program with edits, grid after grid. */
  async sample(
    { program, shaders }: { program: Program; shaders: GroundShaders }, side: number, places: GridPlace[], step: number, edits: Edit[],
  ): Promise<Float32Array<ArrayBuffer>> {
    const batch = new Batch(this.device, { samples: cube(side), margin: 1, grids: places.length, scale: cube(1) });
    batch.step = step;
    batch.place(places);
    const ground = new Ground(this.device, shaders, batch, program);
    const watch = new Stopwatch(this.device, false);
    try {
      await this.run((encoder) => {
        ground.encodeField(encoder, watch);
        ground.encodeEdits(encoder, watch, edits);
      });
      return await this.floats(ground.samples, batch.sampleCount);
    } finally {
      for (const part of [batch, ground, watch]) part.destroy();
    }
  }

  /** The same by the engine. */
  async sampleCpu(side: number, places: GridPlace[], level: number, edits: Edit[]): Promise<Float32Array<ArrayBuffer>> {
    const all = new Float32Array(side ** 3 * places.length);
    const bytes = editBytes(edits);
    for (const [i, { first }] of places.entries()) all.set(await this.engine.fill(...first, side, level, bytes), i * side ** 3);
    return all;
  }

  meshCpu(samples: Float32Array, cells: number): Promise<CpuMesh> {
    return this.engine.chunk(samples, cells);
  }
}
