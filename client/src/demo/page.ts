// The base of the demos that draw: a panel, a picture, a maker on the GPU, and workers in its place when it is of no use.
import { openGpu, type Gpu } from '../gpu/device';
import type { GpuEngine } from '../gpu/engine';
import { element, fatal } from '../view/hud';
import type { Maker } from './maker';
import type { Panel } from './panel';
import { Readout } from './readout';
import { View } from './view';

/** PageOptions is what the demos differ in. */
interface PageOptions {
  /** What is drawn, for the message that it cannot be. */
  what: string;
  /** From the eye to the middle. */
  distance: number;
  /** How often what the maker has done is read back, between frames. */
  lateMs: number;
}

export abstract class DemoPage<Input> {
  readonly readout: Readout;
  makes: 'gpu' | 'workers' = 'gpu';
  /** Why workers make the surface. */
  reason = '';
  frames = 0;
  protected view!: View;
  protected maker: Maker<Input> | null = null;
  protected dirty = true;
  protected lastMade = 0;
  protected lastCounted = 0;
  private counting = false;

  constructor(protected readonly engine: GpuEngine, panel: Panel, private readonly options: PageOptions) {
    this.readout = new Readout(panel, () => (this.dirty = true));
    addEventListener('keydown', (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.altKey && !e.repeat) this.key(e);
    });
    setInterval(() => void this.late(), options.lateMs);
  }

  /** Prepares for a GPU; it throws if that cannot be. */
  protected abstract useGpu(gpu: Gpu): Promise<void>;

  /** Returns a maker that works in workers, or null if there is nothing to make yet. */
  protected abstract workerMaker(): Promise<Maker<Input> | null>;

  /** Returns what to make in this frame, or null if the surface is what it should be. */
  protected abstract next(now: number): Input | null;

  /** Starts on the GPU, or shows why not and starts with workers. */
  protected async open(): Promise<void> {
    const gpu = await openGpu();
    if ('missing' in gpu) return this.useWorkers(gpu.missing);
    try {
      this.view = await View.open(element('view'), gpu, this.options.distance);
      await this.useGpu(gpu);
    } catch (error) {
      return this.useWorkers(messageOf(error));
    }
    this.readout.gpu(gpu.name, gpu.software, gpu.timestamps);
    gpu.device.onuncapturederror = (event) => void this.useWorkers(event.error.message);
    void gpu.device.lost.then((info) => this.useWorkers(`the GPU was lost: ${info.message || info.reason}`));
  }

  /** Goes on with workers, and with WebGL2 for the picture. */
  async useWorkers(reason: string): Promise<void> {
    if (this.makes === 'workers') return;
    this.makes = 'workers';
    this.reason = reason;
    console.info(`meshed by workers: ${reason}`);
    this.readout.workers(reason);
    const { wireframe } = this;
    this.maker?.dispose();
    this.maker = null;
    (this.view as View | undefined)?.dispose();
    try {
      this.view = await View.open(element('view'), { device: null, software: false }, this.options.distance);
      this.maker = await this.workerMaker();
    } catch (error) {
      fatal(`This browser cannot draw ${this.options.what}`, [`WebGPU: ${reason}`, `WebGL2: ${messageOf(error)}`],
        'Turn on hardware acceleration in the browser’s settings, or open this page in a current browser.');
      return;
    }
    if (!this.maker) return;
    this.maker.surface.wireframe = wireframe;
    this.dirty = true;
  }

  protected key(e: KeyboardEvent): void {
    if (e.key.toLowerCase() === 'l') this.toggleWireframe();
  }

  toggleWireframe(): void {
    if (!this.maker) return;
    this.maker.surface.wireframe = !this.maker.surface.wireframe;
    this.dirty = true;
  }

  frame(now: number): void {
    const input = this.maker && this.next(now);
    if (this.maker && input !== null) {
      this.lastMade = performance.now();
      this.maker.frame(input);
      this.view.stale = true;
    }
    if (!this.maker || !this.view.stale) return;
    this.view.render();
    this.frames++;
    this.readout.frame(now);
  }

  private async late(): Promise<void> {
    const { maker } = this;
    if (!maker || document.hidden || this.counting) return; // a count under way may be of a picture before the last
    const start = performance.now();
    this.counting = true;
    await maker.late(this.readout).catch(() => {}); // the GPU may be gone
    this.counting = false;
    if (maker !== this.maker) return;
    this.lastCounted = start;
    this.readout.update(maker.triangles, maker.bytes, maker.overflow);
  }

  get wireframe(): boolean {
    return this.maker?.surface.wireframe ?? false;
  }

  get triangles(): number {
    return this.maker?.triangles ?? 0;
  }

  get overflow(): string {
    return this.maker?.overflow ?? '';
  }
}

/** Uncovers the page and runs the frames of a demo. */
export function runFrames(demo: { frame(now: number): void }): void {
  element('cover').hidden = true;
  const turn = (now: number) => {
    demo.frame(now);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
