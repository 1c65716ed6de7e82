// ?demo=animated: an island of four chunks of 64³ cells whose edits move, meshed anew in every frame. On the graphics
// GPU no sample, no triangle and no count comes back to the page for it; without one, workers do the same.
import { element, fatal } from '../view/hud';
import { Batch, cube, type GridPlace } from '../gpu/batch';
import { openGpu, type Gpu } from '../gpu/device';
import { CpuSurface, DrawnSurface, type SurfaceNode } from './drawn';
import { editBytes, type Edit } from '../gpu/edits';
import { GpuEngine, type Program } from '../gpu/engine';
import { Ground, makeGround } from './ground';
import { GroundLook, lineLook } from './look';
import { editsAt, MOTION } from './motion';
import { Panel } from './panel';
import { Stopwatch } from '../gpu/stopwatch';
import { makePasses, Surface } from '../gpu/surface';
import { overflowOf, Teller, tellLate } from './teller';
import { View } from './view';

export const CELLS = 64;
const SIDE = CELLS + 3;
/** Four chunks that meet in the middle. */
export const CHUNKS: GridPlace[] = [[-1, -1], [0, -1], [-1, 0], [0, 0]].map(([x, z]) => {
  const corner: [number, number, number] = [x! * CELLS, -CELLS / 2, z! * CELLS];
  return { first: [corner[0] - 1, corner[1] - 1, corner[2] - 1], origin: corner };
});
/** Half the diagonal of all chunks. */
const RADIUS = 110;
const DISTANCE = 150;
/** Room at the start; it grows if the surface does. */
const ROOM = { vertices: 60_000, triangles: 120_000 };
const LATE_MS = 500;

/** What makes the surface of some edits. */
interface Maker {
  readonly surface: SurfaceNode;
  /** Begins a frame with the edits as they are now. */
  frame(edits: Edit[]): void;
  /** Tells about the work so far, never in a frame. */
  late(teller: Teller): Promise<void>;
  /** What is not drawn for want of room, in words. */
  readonly overflow: string;
  readonly bytes: number;
  readonly triangles: number;
  dispose(): void;
}

/** On the GPU. */
class GpuMaker implements Maker {
  readonly surface: DrawnSurface;
  private readonly batch: Batch;
  private readonly ground: Ground;
  private readonly mesh: Surface;
  private readonly watch: Stopwatch;
  private sampled = false;

  private constructor(private readonly gpu: Gpu, view: View, shaders: Awaited<ReturnType<typeof makeGround>>, passes: Awaited<ReturnType<typeof makePasses>>, program: Program, look: GroundLook) {
    const { device } = gpu;
    this.batch = new Batch(device, { samples: cube(SIDE), margin: 1, grids: CHUNKS.length, scale: cube(1) });
    this.batch.place(CHUNKS);
    this.ground = new Ground(device, shaders, this.batch, program);
    this.mesh = new Surface(device, passes, this.batch, this.ground.samples, ROOM, gpu.maxBytes);
    this.watch = new Stopwatch(device, gpu.timestamps);
    this.surface = new DrawnSurface(view.renderer, this.mesh, look, lineLook(), RADIUS);
    view.scene.add(this.surface.node);
  }

  static async make(gpu: Gpu, engine: GpuEngine, view: View, look: GroundLook): Promise<GpuMaker> {
    const texts = await engine.shaders();
    const program = await engine.field(await engine.template('island', 4));
    if (program.code === '') throw new Error(program.reason);
    const [shaders, passes] = await Promise.all([
      makeGround(gpu.device, texts, program),
      makePasses(gpu.device, texts, await engine.table()),
    ]);
    return new GpuMaker(gpu, view, shaders, passes, program, look);
  }

  frame(edits: Edit[]): void {
    const encoder = this.gpu.device.createCommandEncoder();
    this.watch.start();
    if (!this.sampled) this.ground.encodeField(encoder, this.watch);
    this.sampled = true;
    this.ground.encodeEdits(encoder, this.watch, edits);
    this.mesh.encode(encoder, this.watch);
    this.watch.stop(encoder);
    this.gpu.device.queue.submit([encoder.finish()]);
    this.surface.sync();
  }

  late(teller: Teller): Promise<void> {
    return tellLate(teller, this.watch, this.mesh);
  }

  get overflow(): string {
    return overflowOf(this.mesh);
  }

  get bytes(): number {
    return this.mesh.bytes + this.ground.bytes;
  }

  get triangles(): number {
    return this.mesh.needed.triangles;
  }

  /** Takes room away, for the tests. */
  shrink(triangles: number): void {
    this.mesh.grow({ vertices: triangles, triangles });
  }

  dispose(): void {
    this.surface.dispose();
    for (const part of [this.mesh, this.ground, this.batch, this.watch]) part.destroy();
  }
}

/** In workers, a chunk each. */
class WorkerMaker implements Maker {
  readonly overflow = '';
  readonly surface: CpuSurface;
  triangles = 0;
  private busy = false;
  private ms = 0;

  private constructor(private readonly engines: GpuEngine[], private readonly view: View, look: GroundLook) {
    this.surface = new CpuSurface(look);
    view.scene.add(this.surface.node);
  }

  static async make(first: GpuEngine, view: View, look: GroundLook): Promise<WorkerMaker> {
    const more = Math.min(CHUNKS.length, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)) - 1;
    const engines = [first, ...(await Promise.all(Array.from({ length: more }, () => GpuEngine.start())))];
    const graph = await first.template('island', 4);
    await Promise.all(engines.map((e) => e.field(graph)));
    return new WorkerMaker(engines, view, look);
  }

  frame(edits: Edit[]): void {
    if (this.busy) return;
    this.busy = true;
    void this.build(editBytes(edits)).finally(() => (this.busy = false));
  }

  private async build(edits: Uint8Array): Promise<void> {
    const start = performance.now();
    const meshes = await Promise.all(
      CHUNKS.map(async ({ first, origin }, i) => ({ origin, mesh: await this.engines[i % this.engines.length]!.build(...first, CELLS, edits) })),
    );
    this.ms = performance.now() - start;
    this.triangles = meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    this.surface.show(meshes);
    this.view.stale = true;
  }

  async late(teller: Teller): Promise<void> {
    teller.passes({ 'four chunks': this.ms });
  }

  get bytes(): number {
    return 0;
  }

  dispose(): void {
    this.surface.dispose();
    for (const e of this.engines.slice(1)) e.stop();
  }
}

/** The demo while it runs, for its controls and for tests. */
class Demo {
  readonly demo = 'animated';
  readonly teller: Teller;
  private readonly look = new GroundLook();
  private view!: View;
  private maker!: Maker;
  private time = 0;
  private last = 0;
  private speed = 1;
  private readonly motion = { ...MOTION };
  /** Edits in place of the moving ones. */
  private fixed: Edit[] | null = null;
  private dirty = true;
  private running = false;
  paused = false;
  makes: 'gpu' | 'workers' = 'gpu';
  reason = '';
  frames = 0;

  constructor(private readonly engine: GpuEngine) {
    const panel = new Panel('Four chunks of 64³, meshed every frame', 'side');
    this.teller = new Teller(panel, () => (this.dirty = true));
    panel.slider('Blend', 0, 12, 0.5, MOTION.blend, (v) => this.change(() => (this.motion.blend = v)));
    panel.slider('Speed', 0, 3, 0.1, 1, (v) => (this.speed = v));
    panel.slider('Balls', 0, 20, 1, MOTION.builds, (v) => this.change(() => (this.motion.builds = v)));
    panel.button('Wireframe (L)', () => this.toggleWireframe());
    panel.button('Pause (space)', () => (this.paused = !this.paused));
    addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.repeat) return;
      if (e.key.toLowerCase() === 'l') this.toggleWireframe();
      else if (e.key === ' ' && !(e.target instanceof HTMLButtonElement)) this.paused = !this.paused;
    });
    setInterval(() => void this.late(), LATE_MS);
  }

  /** Starts on the GPU, or says why not and starts with workers. */
  async start(): Promise<void> {
    const gpu = await openGpu();
    if ('missing' in gpu) {
      await this.useWorkers(gpu.missing);
      return;
    }
    try {
      this.view = await View.open(element('view'), gpu, DISTANCE);
      this.maker = await GpuMaker.make(gpu, this.engine, this.view, this.look);
    } catch (error) {
      await this.useWorkers(error instanceof Error ? error.message : String(error));
      return;
    }
    this.teller.gpu(gpu.name, gpu.software, gpu.timestamps);
    gpu.device.onuncapturederror = (event) => void this.useWorkers(event.error.message);
    void gpu.device.lost.then((info) => this.useWorkers(`the GPU was lost: ${info.message || info.reason}`));
    this.running = true;
  }

  /** Goes on with workers, and with WebGL2 for the picture. */
  async useWorkers(reason: string): Promise<void> {
    if (this.makes === 'workers') return;
    this.makes = 'workers';
    this.reason = reason;
    this.running = false;
    console.info(`meshed by workers: ${reason}`);
    this.teller.workers(reason);
    const wireframe = this.maker?.surface.wireframe ?? false;
    (this.maker as Maker | undefined)?.dispose();
    (this.view as View | undefined)?.dispose();
    try {
      this.view = await View.open(element('view'), { device: null, software: false }, DISTANCE);
      this.maker = await WorkerMaker.make(this.engine, this.view, this.look);
    } catch (error) {
      fatal('This browser cannot draw the island', [`WebGPU: ${reason}`, `WebGL2: ${error instanceof Error ? error.message : String(error)}`],
        'Turn on hardware acceleration in the browser’s settings, or open this page in a current browser.');
      return;
    }
    this.maker.surface.wireframe = wireframe;
    this.dirty = this.running = true;
  }

  frame(now: number): void {
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (!this.running) return;
    if (!this.paused && !this.fixed) {
      this.time += seconds * this.speed;
      if (this.speed > 0) this.dirty = true;
    }
    if (this.dirty) {
      this.dirty = this.makes === 'workers' && this.paused; // workers may have been busy
      const edits = this.fixed ?? editsAt(this.time, this.motion);
      this.look.glow(edits.filter((e) => e.operation === 'build'));
      this.maker.frame(edits);
      this.view.stale = true;
    }
    if (!this.view.stale) return;
    this.view.render();
    this.frames++;
    this.teller.frame(now);
  }

  private async late(): Promise<void> {
    if (!this.running || document.hidden) return;
    await this.maker.late(this.teller).catch(() => {}); // the GPU may be gone
    this.teller.update(this.maker.triangles, this.maker.bytes, this.maker.overflow);
  }

  toggleWireframe(): void {
    if (!this.running) return;
    this.change(() => (this.maker.surface.wireframe = !this.maker.surface.wireframe));
  }

  private change(task: () => void): void {
    task();
    this.dirty = true;
  }

  // For the tests.

  get wireframe(): boolean {
    return this.maker.surface.wireframe;
  }

  get triangles(): number {
    return this.maker.triangles;
  }

  get overflow(): string {
    return this.maker.overflow;
  }

  /** Shows these edits, or the moving ones again. */
  setEdits(edits: Edit[] | null): void {
    this.change(() => (this.fixed = edits));
  }

  setTime(seconds: number): void {
    this.change(() => (this.time = seconds));
  }

  shrink(triangles: number): void {
    this.change(() => this.maker instanceof GpuMaker && this.maker.shrink(triangles));
  }

  turnView(left: number, up: number): void {
    this.view.turn(left, up);
  }
}

export async function run(): Promise<void> {
  const demo = new Demo(await GpuEngine.start());
  await demo.start();
  element('cover').hidden = true;
  Object.defineProperty(window, 'terraneDemo', { value: demo });
  const turn = (now: number) => {
    demo.frame(now);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}
