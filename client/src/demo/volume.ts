// ?demo=volume: the surface of a volume at a level that one moves, meshed anew on the GPU for each. A file
// is picked, dropped or named by &url=; without one, a volume is made: &show=gyroid|sphere|blobs &size=256.
import { Vector3 } from 'three/webgpu';
import { Batch } from '../gpu/batch';
import type { Gpu } from '../gpu/device';
import { CpuSurface } from './drawn';
import { GpuEngine } from '../gpu/engine';
import { volumeLook } from './look';
import { GpuMaker, type Maker } from './maker';
import { DemoPage, messageOf, runFrames } from './page';
import { Panel } from './panel';
import { makeBuffer } from '../gpu/shader';
import type { Stopwatch } from '../gpu/stopwatch';
import { makePasses, Surface, type Passes, type SampleKind } from '../gpu/surface';
import type { Readout } from './readout';
import { Usage } from '../gpu/usage';
import type { View } from './view';
import { asBytes, BUILT_IN, builtIn, MAX_SAMPLES, readVolume, type Volume } from './volumefile';

/** The longest side of a volume, as it is drawn. */
const LONGEST = 100;
const RADIUS = 90;
const DISTANCE = 190;
const SIZES = [64, 128, 256, 512];
const LATE_MS = 120;

/** Returns where a volume is drawn: its middle in the middle, its longest side of one length. */
function fit({ size, spacing }: Volume): { scale: [number, number, number]; origin: [number, number, number] } {
  const lengths = size.map((n, i) => (n - 1) * spacing[i]!);
  const factor = LONGEST / Math.max(...lengths);
  return {
    scale: spacing.map((s) => s * factor) as [number, number, number],
    origin: lengths.map((l) => (-l * factor) / 2) as [number, number, number],
  };
}

class VolumeMaker extends GpuMaker<number> {
  private readonly batch: Batch;
  private readonly samples: GPUBuffer;

  constructor(gpu: Gpu, passes: Passes, view: View, volume: Volume) {
    const { scale, origin } = fit(volume);
    const [nx, ny, nz] = volume.size;
    const batch = new Batch(gpu.device, { samples: volume.size, margin: 0, grids: 1, scale });
    batch.place([{ first: [0, 0, 0], origin }]);
    const samples = makeBuffer(gpu.device, 'volume', 0, Usage.STORAGE, volume.data);
    // Two layers of its faces are a first guess; what is needed is known after the first extraction.
    const guess = Math.min(2 * (nx * ny + ny * nz + nx * nz), gpu.maxBytes / 48);
    const mesh = new Surface(gpu.device, passes, batch, samples, { vertices: guess, triangles: 2 * guess }, gpu.maxBytes);
    super(gpu, view, mesh, [batch, samples], volumeLook(), RADIUS);
    this.batch = batch;
    this.samples = samples;
  }

  protected override encode(_encoder: GPUCommandEncoder, _watch: Stopwatch, iso: number): void {
    this.batch.iso = iso;
  }

  protected override get sampleBytes(): number {
    return this.samples.size;
  }
}

class WorkerMaker implements Maker<number> {
  readonly surface: CpuSurface;
  readonly overflow = '';
  readonly bytes = 0;
  triangles = 0;
  private readonly samples: Float32Array;
  private busy = false;
  private wanted: number | null = null;
  private ms = 0;

  constructor(private readonly engine: GpuEngine, private readonly view: View, private readonly volume: Volume) {
    this.samples = Float32Array.from(volume.data);
    this.surface = new CpuSurface(volumeLook());
    view.scene.add(this.surface.node);
  }

  frame(iso: number): void {
    this.wanted = iso;
    if (!this.busy) void this.build();
  }

  private async build(): Promise<void> {
    this.busy = true;
    while (this.wanted !== null) {
      const start = performance.now();
      const iso = this.wanted;
      this.wanted = null;
      const mesh = await this.engine.volume(this.samples, this.volume.size, iso);
      this.ms = performance.now() - start;
      this.triangles = mesh.indices.length / 3;
      const { scale, origin } = fit(this.volume);
      this.surface.show([{ mesh, origin }]);
      this.surface.node.children[0]?.scale.copy(new Vector3(...scale));
      this.view.stale = true;
    }
    this.busy = false;
  }

  async late(readout: Readout): Promise<void> {
    readout.passes({ volume: this.ms });
  }

  dispose(): void {
    this.surface.dispose();
  }
}

class VolumePage extends DemoPage<number> {
  readonly demo = 'volume';
  private readonly about: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly passes = new Map<SampleKind, Promise<Passes>>();
  private texts: Record<string, string> = {};
  private opened: Gpu | null = null;
  private volume: Volume | null = null;
  private iso = 0;
  private side: number;
  private shown: (typeof BUILT_IN)[number];
  /** The latest error of a file. */
  error = '';

  constructor(engine: GpuEngine, query: URLSearchParams) {
    const panel = new Panel('The surface of a volume', 'side');
    const about = panel.text('');
    super(engine, panel, { what: 'volumes', distance: DISTANCE, lateMs: LATE_MS });
    this.about = about;
    this.slider = panel.slider('Level', 0, 1, 0.001, 0.5, (v) => this.setLevel(v));
    this.shown = BUILT_IN.find((name) => name === query.get('show')) ?? 'gyroid';
    this.side = SIZES.find((n) => n === Number(query.get('size'))) ?? 0;
    const shows = panel.choice('Show', [...BUILT_IN], (name) => void this.build(name as (typeof BUILT_IN)[number], this.side));
    shows.value = this.shown;
    panel.choice('Samples a side', SIZES.map(String), (side) => void this.build(this.shown, Number(side)));
    panel.button('Open a file…', () => this.pick());
    panel.button('Wireframe (L)', () => this.toggleWireframe());
    panel.text('NRRD or raw; drop one anywhere on the page.').className = 'times';
    this.acceptDrops();
  }

  async start(url: string | null): Promise<void> {
    await this.open();
    if (this.side === 0) this.side = this.gpu && !this.gpu.software ? 256 : 64;
    (document.querySelectorAll('.panel select')[1] as HTMLSelectElement).value = String(this.side);
    if (url) await this.load(url);
    if (!this.volume) await this.build(this.shown, this.side);
  }

  protected override async useGpu(gpu: Gpu): Promise<void> {
    this.texts = await this.engine.shaders();
    this.opened = gpu;
  }

  /** The GPU, for as long as it is of use. */
  private get gpu(): Gpu | null {
    return this.makes === 'gpu' ? this.opened : null;
  }

  protected override async workerMaker(): Promise<Maker<number> | null> {
    return this.volume && new WorkerMaker(this.engine, this.view, this.volume);
  }

  protected override next(): number | null {
    if (!this.dirty) return null;
    this.dirty = false;
    return this.iso;
  }

  /** Makes one of the volumes that need no file. */
  async build(name: (typeof BUILT_IN)[number], side: number): Promise<void> {
    this.shown = name;
    this.side = side;
    await this.try(`making ${name}`, async () => builtIn(name, side));
  }

  /** Loads a file from an address. */
  async load(url: string): Promise<void> {
    await this.try(`loading ${url}`, async () => {
      const response = await fetch(url).catch(() => {
        throw new Error('it cannot be loaded: this page may load from its own server only');
      });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      if (Number(response.headers.get('Content-Length') ?? 0) > 4 * MAX_SAMPLES) throw new Error('the file is too large');
      return readVolume(new URL(url, location.href).pathname.split('/').at(-1)!, new Uint8Array(await response.arrayBuffer()));
    });
  }

  async openFile(file: File): Promise<void> {
    await this.try(`reading ${file.name}`, async () => readVolume(file.name, new Uint8Array(await file.arrayBuffer())));
  }

  private async try(what: string, make: () => Promise<Volume>): Promise<void> {
    this.error = '';
    this.about.classList.remove('bad');
    this.about.textContent = `${what}…`;
    await new Promise((resolve) => setTimeout(resolve)); // so that the words are seen
    try {
      await this.show(await make());
    } catch (error) {
      this.error = messageOf(error);
      this.about.textContent = `${what}: ${this.error}`;
      this.about.classList.add('bad');
    }
  }

  /** Shows a volume in place of the one before. */
  private async show(given: Volume): Promise<void> {
    const { gpu } = this;
    let volume = given;
    if (gpu && given.data.byteLength > gpu.maxBytes) volume = asBytes(given);
    if (gpu && volume.data.byteLength > gpu.maxBytes) {
      throw new Error(`its ${volume.size.join('×')} samples take ${volume.data.byteLength} bytes, this GPU binds ${gpu.maxBytes} at most`);
    }
    const passes = gpu && (await this.passesFor(gpu, volume.kind));
    const { wireframe } = this;
    this.maker?.dispose();
    this.volume = volume;
    this.maker = gpu && passes ? new VolumeMaker(gpu, passes, this.view, volume) : new WorkerMaker(this.engine, this.view, volume);
    this.maker.surface.wireframe = wireframe;
    const less = volume === given ? '' : ', brought down to bytes for want of room';
    this.about.textContent = `${volume.name}: ${volume.size.join('×')} samples from ${round(given.low)} to ${round(given.high)}${less}`;
    this.setLevel(Number(this.slider.value));
  }

  private passesFor(gpu: Gpu, kind: SampleKind): Promise<Passes> {
    let made = this.passes.get(kind);
    if (!made) {
      made = this.engine.table().then((table) => makePasses(gpu.device, this.texts, table, kind));
      this.passes.set(kind, made);
    }
    return made;
  }

  /** Sets the level, from 0 at the lowest sample to 1 at the highest. */
  private setLevel(share: number): void {
    const { volume } = this;
    if (!volume) return;
    this.iso = volume.low + share * (volume.high - volume.low);
    if (volume.kind !== 'f32') this.iso = Math.floor(this.iso) + 0.5; // between two numbers, where no sample lies
    this.slider.nextElementSibling!.textContent = round(this.iso);
    this.dirty = true;
  }

  private pick(): void {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept: '.nrrd,.raw,.gz,.vol,.bin' });
    input.onchange = () => input.files?.[0] && void this.openFile(input.files[0]);
    input.click();
  }

  private acceptDrops(): void {
    const over = (on: boolean) => document.body.classList.toggle('dropping', on);
    addEventListener('dragover', (e) => {
      e.preventDefault();
      over(true);
    });
    addEventListener('dragleave', () => over(false));
    addEventListener('drop', (e) => {
      e.preventDefault();
      over(false);
      const file = e.dataTransfer?.files[0];
      if (file) void this.openFile(file);
    });
  }

  // For the tests.

  /** Whether what is shown is what was asked for last, and counted. */
  get settled(): boolean {
    return !this.dirty && this.lastCounted > this.lastMade && this.overflow === '';
  }

  get title(): string {
    return this.about.textContent ?? '';
  }
}

function round(v: number): string {
  return String(Number(v.toPrecision(6)));
}

export async function run(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const demo = new VolumePage(await GpuEngine.start(), query);
  Object.defineProperty(window, 'terraneDemo', { value: demo });
  await demo.start(query.get('url'));
  runFrames(demo);
}
