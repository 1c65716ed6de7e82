// window.terrane: what the page knows about itself, for tests and for people who look into it.
import type { Eye, Hit, SessionState, Status } from './world/protocol';

/** The longest that a task of ours may hold up the page once it has started. */
const LONG_MS = 16;

export interface Terrane {
  /** Set once there is ground on the screen. */
  started: boolean;
  backend: 'webgpu' | 'webgl2';
  software: boolean;
  depth: { reversed: boolean; float: boolean; near: number };
  state: SessionState;
  world: string;
  hash: string;
  head: number;
  status: Status | null;
  loaded: number;
  waiting: number;
  triangles: number;
  vertices: number;
  pages: number;
  gpuBytes: number;
  edits: { acked: number; pending: number; refused: number };
  groupSwaps: number;
  editSwaps: number;
  /** How many chunks the last of them changed. */
  lastEditChunks: number;
  halfShown: number;
  frames: number;
  /** Milliseconds that our part of the latest frames took. */
  frameMs: number[];
  firstTerrainMs: number;
  /** When the picture with the first terrain was finished by the graphics card. */
  firstTerrainDrawnMs: number;
  allLoadedMs: number;
  editToShownMs: number[];
  longestUploadMs: number;
  /** Tasks of ours over 16 ms since start-up. */
  longTasks: { what: string; ms: number; at: number }[];
  eye: Eye;
  aim: Hit | null;
  /** Chunks that the graphics card has meshed, with ?builder=gpu. */
  gpuMeshed: number;
  captured: boolean;
  working: boolean;
  radius: number;
  orbit: boolean;
  wireframe: boolean;
  mesher: string;
  people: number;
  restored: number;
}

declare global {
  interface Window {
    terrane: Readonly<Terrane>;
  }
}

/** Times what the page's own code does. */
export class Clock {
  readonly frameMs: number[] = [];
  readonly longTasks: { what: string; ms: number; at: number }[] = [];
  frames = 0;
  started = false;
  private shownAt: number[] = [];

  /** Runs a task and notes how long it took. */
  time<T>(what: string, task: () => T): T {
    const start = performance.now();
    try {
      return task();
    } finally {
      const ms = performance.now() - start;
      if (what === 'frame') this.frame(ms, start);
      if (this.started && ms > LONG_MS && this.longTasks.length < 1000) {
        this.longTasks.push({ what, ms: Math.round(ms * 10) / 10, at: Math.round(start) });
      }
    }
  }

  private frame(ms: number, at: number): void {
    this.frames++;
    this.frameMs.push(Math.round(ms * 100) / 100);
    if (this.frameMs.length > 600) this.frameMs.splice(0, 300);
    this.shownAt.push(at);
    while (at - this.shownAt[0]! > 1000) this.shownAt.shift();
  }

  get framesPerSecond(): number {
    const [first, last] = [this.shownAt[0], this.shownAt.at(-1)];
    if (first === undefined || last === undefined || last === first) return 0;
    return ((this.shownAt.length - 1) * 1000) / (last - first);
  }
}
