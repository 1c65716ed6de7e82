// ?demo=animated: an island of four chunks of 64³ cells whose edits move, meshed anew in every frame. On the GPU
// no sample, no triangle and no count comes back to the page for it; without one, workers do the same.
import { Batch, cube, type GridPlace } from '../gpu/batch';
import type { Gpu } from '../gpu/device';
import { CpuSurface } from './drawn';
import { editBytes, type Edit } from '../gpu/edits';
import { GpuEngine, type Program } from '../gpu/engine';
import { Ground, makeGround, type GroundShaders } from './ground';
import { GroundLook } from './look';
import { GpuMaker, type Maker } from './maker';
import { editsAt, MOTION } from './motion';
import { DemoPage, runFrames } from './page';
import { Panel } from './panel';
import type { Stopwatch } from '../gpu/stopwatch';
import { makePasses, Surface, type Passes } from '../gpu/surface';
import type { Readout } from './readout';
import type { View } from './view';

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

/** On the GPU. */
class IslandMaker extends GpuMaker<Edit[]> {
  private readonly ground: Ground;
  private sampled = false;

  private constructor(gpu: Gpu, view: View, shaders: GroundShaders, passes: Passes, program: Program, look: GroundLook) {
    const batch = new Batch(gpu.device, { samples: cube(SIDE), margin: 1, grids: CHUNKS.length, scale: cube(1) });
    batch.place(CHUNKS);
    const ground = new Ground(gpu.device, shaders, batch, program);
    super(gpu, view, new Surface(gpu.device, passes, batch, ground.samples, ROOM, gpu.maxBytes), [ground, batch], look, RADIUS);
    this.ground = ground;
  }

  static async make(gpu: Gpu, engine: GpuEngine, view: View, look: GroundLook): Promise<IslandMaker> {
    const texts = await engine.shaders();
    const program = await engine.field(await engine.template('island', 4));
    if (program.code === '') throw new Error(program.reason);
    const [shaders, passes] = await Promise.all([
      makeGround(gpu.device, texts, program),
      makePasses(gpu.device, texts, await engine.table()),
    ]);
    return new IslandMaker(gpu, view, shaders, passes, program, look);
  }

  protected override encode(encoder: GPUCommandEncoder, watch: Stopwatch, edits: Edit[]): void {
    if (!this.sampled) this.ground.encodeField(encoder, watch);
    this.sampled = true;
    this.ground.encodeEdits(encoder, watch, edits);
  }

  protected override get sampleBytes(): number {
    return this.ground.bytes;
  }

  /** Takes room away, for the tests. */
  shrink(triangles: number): void {
    this.mesh.grow({ vertices: triangles, triangles });
  }
}

/** In workers, a chunk each. */
class WorkerMaker implements Maker<Edit[]> {
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

  async late(readout: Readout): Promise<void> {
    readout.passes({ 'four chunks': this.ms });
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
class Animated extends DemoPage<Edit[]> {
  readonly demo = 'animated';
  private readonly look = new GroundLook();
  private time = 0;
  private last = 0;
  private speed = 1;
  private readonly motion = { ...MOTION };
  /** Edits in place of the moving ones. */
  private fixed: Edit[] | null = null;
  paused = false;

  constructor(engine: GpuEngine) {
    const panel = new Panel('Four chunks of 64³, meshed every frame', 'side');
    super(engine, panel, { what: 'the island', distance: DISTANCE, lateMs: LATE_MS });
    panel.slider('Blend', 0, 12, 0.5, MOTION.blend, (v) => this.change(() => (this.motion.blend = v)));
    panel.slider('Speed', 0, 3, 0.1, 1, (v) => (this.speed = v));
    panel.slider('Balls', 0, 20, 1, MOTION.builds, (v) => this.change(() => (this.motion.builds = v)));
    panel.button('Wireframe (L)', () => this.toggleWireframe());
    panel.button('Pause (space)', () => (this.paused = !this.paused));
  }

  async start(): Promise<void> {
    await this.open();
  }

  protected override key(e: KeyboardEvent): void {
    super.key(e);
    if (e.key === ' ' && !(e.target instanceof HTMLButtonElement)) this.paused = !this.paused;
  }

  protected override async useGpu(gpu: Gpu): Promise<void> {
    this.maker = await IslandMaker.make(gpu, this.engine, this.view, this.look);
  }

  protected override workerMaker(): Promise<Maker<Edit[]>> {
    return WorkerMaker.make(this.engine, this.view, this.look);
  }

  protected override next(now: number): Edit[] | null {
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (!this.paused && !this.fixed) {
      this.time += seconds * this.speed;
      if (this.speed > 0) this.dirty = true;
    }
    if (!this.dirty) return null;
    this.dirty = this.makes === 'workers' && this.paused; // workers may have been busy
    const edits = this.fixed ?? editsAt(this.time, this.motion);
    this.look.glow(edits.filter((e) => e.operation === 'build'));
    return edits;
  }

  private change(task: () => void): void {
    task();
    this.dirty = true;
  }

  // For the tests.

  /** Shows these edits, or the moving ones again. */
  setEdits(edits: Edit[] | null): void {
    this.change(() => (this.fixed = edits));
  }

  setTime(seconds: number): void {
    this.change(() => (this.time = seconds));
  }

  shrink(triangles: number): void {
    this.change(() => this.maker instanceof IslandMaker && this.maker.shrink(triangles));
  }

  turnView(left: number, up: number): void {
    this.view.turn(left, up);
  }
}

export async function run(): Promise<void> {
  const demo = new Animated(await GpuEngine.start());
  await demo.start();
  Object.defineProperty(window, 'terraneDemo', { value: demo });
  runFrames(demo);
}
