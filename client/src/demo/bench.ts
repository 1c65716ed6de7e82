// ?demo=bench: times the passes on this GPU, and workers on the same chunks, and reports one line of JSON.
// &url= names a volume to be timed besides the built-in ones; &size= is their side, 256 by default.
import { element, fatal } from '../view/hud';
import { CELLS, CHUNKS } from './animated';
import { Batch, cube } from '../gpu/batch';
import { openGpu } from '../gpu/device';
import { editBytes } from '../gpu/edits';
import { GpuEngine } from '../gpu/engine';
import { Ground } from './ground';
import { Lab } from './lab';
import { editsAt, MOTION } from './motion';
import { Panel } from './panel';
import { makeBuffer } from '../gpu/shader';
import type { Stopwatch } from '../gpu/stopwatch';
import { Appender, Surface } from '../gpu/surface';
import { Usage } from '../gpu/usage';
import { builtIn, readVolume, type Volume } from './volumefile';

/** Milliseconds by pass; all is from the submission until the GPU is done, as the page sees it. */
type Times = Record<string, number>;

interface Report {
  adapter: string;
  /** Figures of a processor that stands in for a GPU say nothing about GPUs. */
  software: boolean;
  timestamps: boolean;
  runs: number;
  animated?: { chunks: number; cells: number; edits: number; triangles: number; vertices: number; ms: Times; appendMs: number };
  workers?: { workers: number; triangles: number; ms: number };
  volumes: { name: string; size: number[]; kind: string; triangles: number; vertices: number; ms: Times; appendMs: number | null }[];
}

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

class Bench {
  private readonly watch: Stopwatch;

  constructor(private readonly lab: Lab, private readonly runs: number) {
    this.watch = lab.watch();
  }

  /** The median of each pass over some runs, after one that does not count. */
  private async time(encode: (encoder: GPUCommandEncoder, watch: Stopwatch, run: number) => void): Promise<Times> {
    const lists: Record<string, number[]> = {};
    for (let run = -1; run < this.runs; run++) {
      this.watch.start();
      const start = performance.now();
      await this.lab.run((encoder) => {
        encode(encoder, this.watch, run);
        this.watch.stop(encoder);
      });
      const times = { all: performance.now() - start, ...(await this.watch.read()) };
      if (run >= 0) for (const [name, ms] of Object.entries(times)) (lists[name] ??= []).push(ms);
    }
    return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, rounded(median(list))]));
  }

  /** Four chunks whose edits move, as ?demo=animated has them. */
  async animated(): Promise<NonNullable<Report['animated']>> {
    const { device, engine, gpu } = this.lab;
    const made = await this.lab.program(await engine.template('island', 4));
    const batch = new Batch(device, { samples: cube(CELLS + 3), margin: 1, grids: CHUNKS.length, scale: cube(1) });
    batch.place(CHUNKS);
    const ground = new Ground(device, made.shaders, batch, made.program);
    const room = { vertices: 200_000, triangles: 400_000 };
    const surface = new Surface(device, this.lab.passes, batch, ground.samples, room, gpu.maxBytes);
    const appender = new Appender(device, this.lab.passes, batch, ground.samples, 400_000);
    const field = await this.time((encoder, watch) => ground.encodeField(encoder, watch));
    const ms = await this.time((encoder, watch, run) => {
      ground.encodeEdits(encoder, watch, editsAt(run / 10, MOTION));
      surface.encode(encoder, watch);
    });
    await surface.count();
    const append = await this.time((encoder, watch) => appender.encode(encoder, watch));
    for (const part of [appender, surface, ground, batch]) part.destroy();
    const { triangles, vertices } = surface.needed;
    return {
      chunks: CHUNKS.length, cells: CELLS, edits: editsAt(0, MOTION).length, triangles, vertices,
      ms: { ...ms, 'columns once': field.columns ?? 0, 'field once': field.fill ?? 0 }, appendMs: append.append ?? append.all!,
    };
  }

  /** The same chunks with the same edits, in as many workers as the demo would have. */
  async workers(first: GpuEngine): Promise<NonNullable<Report['workers']>> {
    const count = Math.min(CHUNKS.length, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
    const engines = [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => GpuEngine.start())))];
    const graph = await first.template('island', 4);
    await Promise.all(engines.map((e) => e.field(graph)));
    const list: number[] = [];
    let triangles = 0;
    for (let run = -1; run < this.runs; run++) {
      const start = performance.now();
      const edits = editBytes(editsAt(run / 10, MOTION));
      const meshes = await Promise.all(CHUNKS.map(({ first: at }, i) => engines[i % count]!.build(...at, CELLS, edits)));
      if (run >= 0) list.push(performance.now() - start);
      triangles = meshes.reduce((sum, m) => sum + m.indices.length / 3, 0);
    }
    for (const e of engines.slice(1)) e.stop();
    return { workers: count, triangles, ms: rounded(median(list)) };
  }

  async volume(v: Volume, iso: number): Promise<Report['volumes'][number]> {
    const { device, gpu } = this.lab;
    const passes = v.kind === 'f32' ? this.lab.passes : await this.lab.passesOf(v.kind);
    const batch = new Batch(device, { samples: v.size, margin: 0, grids: 1, scale: v.spacing });
    batch.place([{ first: [0, 0, 0], origin: [0, 0, 0] }]);
    batch.iso = iso;
    const samples = makeBuffer(device, 'volume', 0, Usage.STORAGE, v.data);
    const surface = new Surface(device, passes, batch, samples, { vertices: 1000, triangles: 1000 }, gpu.maxBytes);
    do await this.lab.run((encoder) => surface.encode(encoder, this.watch));
    while (await surface.count());
    const ms = await this.time((encoder, watch) => surface.encode(encoder, watch));
    const { triangles, vertices } = surface.needed;
    surface.destroy();
    const appendMs = 48 * triangles <= gpu.maxBytes ? await this.appendTime(passes, batch, samples, triangles) : null;
    for (const part of [batch, samples]) part.destroy();
    return { name: v.name, size: v.size, kind: v.kind, triangles, vertices, ms, appendMs };
  }

  private async appendTime(passes: Lab['passes'], batch: Batch, samples: GPUBuffer, triangles: number): Promise<number> {
    const appender = new Appender(this.lab.device, passes, batch, samples, triangles);
    const ms = await this.time((encoder, watch) => appender.encode(encoder, watch));
    appender.destroy();
    return ms.append ?? ms.all!;
  }
}

/** The level in the middle, where no number of a volume of whole numbers lies. */
const middle = (v: Volume) => Math.floor((v.low + v.high) / 2) + 0.5;

async function fetched(url: string): Promise<Volume> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
  return readVolume(url.split('/').at(-1)!, new Uint8Array(await response.arrayBuffer()));
}

export async function run(): Promise<void> {
  const gpu = await openGpu();
  if ('missing' in gpu) {
    fatal('There is nothing to time', [gpu.missing], 'Open this page in a browser with WebGPU.');
    return;
  }
  const query = new URLSearchParams(location.search);
  const engine = await GpuEngine.start();
  const lab = await Lab.open(gpu, engine);
  element('cover').hidden = true;
  const panel = new Panel(`Timing ${gpu.name}`, 'page');
  if (gpu.software) panel.text('This is a processor that stands in for a GPU: its figures say nothing about GPUs.');
  const status = panel.text('…');
  const runs = Number(query.get('runs')) || (gpu.software ? 3 : 30);
  const side = Number(query.get('size')) || 256;
  const report: Report = { adapter: gpu.name, software: gpu.software, timestamps: gpu.timestamps, runs, volumes: [] };
  const bench = new Bench(lab, runs);
  const show = (text: string) => (status.textContent = `${text}…`);
  show('four chunks of 64³ with moving edits');
  report.animated = await bench.animated();
  show('the same chunks in workers');
  report.workers = await bench.workers(engine);
  for (const name of ['sphere', 'gyroid'] as const) {
    show(`${name} of ${side}³ samples`);
    const v = builtIn(name, side);
    report.volumes.push(await bench.volume(v, middle(v)));
  }
  const url = query.get('url');
  if (url) {
    show(url);
    const v = await fetched(url);
    report.volumes.push(await bench.volume(v, Number(query.get('level')) || middle(v)));
  }
  const line = JSON.stringify(report);
  status.textContent = 'Done. The line to report:';
  panel.text(line).className = 'line';
  console.log(line);
  Object.defineProperty(window, 'terraneDemo', { value: { demo: 'bench', report, line } });
}
