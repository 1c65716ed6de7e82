// The lines of a demo's panel that change: what computes, how much is drawn, how long the passes take.
import type { Panel } from './panel';
import type { Stopwatch } from '../gpu/stopwatch';
import type { Surface } from '../gpu/surface';

const n = (v: number) => Math.round(v).toLocaleString('en-US');

/** How long the message that there was too little room stays. */
const SHORT_MS = 4000;

/** Readout shows what a maker has done. */
export class Readout {
  private readonly who: HTMLElement;
  private readonly mesh: HTMLElement;
  private readonly times: HTMLElement;
  private readonly trouble: HTMLElement;
  private shownAt: number[] = [];
  private timed = false;
  /** The latest times in milliseconds, by pass. */
  ms: Record<string, number> = {};

  /** again is called when what is shown should be made anew. */
  constructor(panel: Panel, readonly again: () => void) {
    this.who = panel.text('Starting…');
    this.mesh = panel.text();
    this.times = panel.text();
    this.times.className = 'times';
    this.trouble = panel.text();
    this.trouble.className = 'bad';
    this.trouble.setAttribute('role', 'status');
  }

  gpu(name: string, software: boolean, timestamps: boolean): void {
    this.timed = timestamps;
    this.who.textContent = software ? `WebGPU compute, in software (${name})` : `WebGPU compute on ${name}`;
    if (!timestamps) this.times.textContent = 'this GPU does not time its passes';
  }

  workers(reason: string): void {
    this.timed = true;
    this.who.textContent = 'WebAssembly workers, drawn with WebGL2';
    this.trouble.textContent = `Not on the GPU: ${reason}`;
    this.keepTrouble = true;
  }

  private keepTrouble = false;
  private shortUntil = 0;
  private shortText = '';

  frame(now: number): void {
    this.shownAt.push(now);
    while (now - this.shownAt[0]! > 2000) this.shownAt.shift();
  }

  /** Says for a while that what was drawn had lacked room: so many triangles of so many had some. */
  short(triangles: number, room: number): void {
    this.shortText = `Of ${n(triangles)} triangles ${n(Math.min(room, triangles))} had room; now there is more`;
    this.shortUntil = performance.now() + SHORT_MS;
    this.again();
  }

  passes(ms: Record<string, number>): void {
    if (Object.keys(ms).length > 0) this.ms = ms;
  }

  update(triangles: number, bytes: number, overflow: string): void {
    const [first, last] = [this.shownAt[0], this.shownAt.at(-1)];
    const rate = first !== undefined && last !== undefined && last > first ? ((this.shownAt.length - 1) * 1000) / (last - first) : 0;
    const frames = rate === 0 ? '' : ` · ${rate < 10 ? rate.toFixed(1) : n(rate)} frames/s`;
    const memory = bytes > 0 ? ` · ${n(bytes / 2 ** 20)} MiB` : '';
    this.mesh.textContent = `${n(triangles)} triangles${frames}${memory}`;
    if (this.timed) {
      const parts = Object.entries(this.ms).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
      const sum = Object.values(this.ms).reduce((a, b) => a + b, 0);
      this.times.textContent = parts.length > 1 ? `${parts.join(' · ')} = ${sum.toFixed(2)} ms` : parts.map((p) => `${p} ms`).join('');
    }
    const short = performance.now() < this.shortUntil ? this.shortText : '';
    if (!this.keepTrouble) this.trouble.textContent = overflow || short;
  }
}

/** Reads, between frames, how long the passes took and how much the surface needs, and shows what was short. */
export async function readLate(readout: Readout, watch: Stopwatch, mesh: Surface): Promise<void> {
  readout.passes(await watch.read());
  const { triangles } = mesh.room;
  if (await mesh.count()) readout.short(mesh.needed.triangles, triangles);
}

/** Says that the surface needs more room than there is, if it does. */
export function overflowOf({ overflow, room, most }: Surface): string {
  if (!overflow) return '';
  const full = room.triangles >= most.triangles || room.vertices >= most.vertices;
  return full
    ? `${n(overflow.triangles)} triangles are more than this GPU's buffers hold: ${n(room.triangles)} are drawn`
    : `${n(overflow.triangles)} triangles need more room than the ${n(room.triangles)} there is; making it`;
}
