// Times the page's own code, and counts frames.

/** The longest that a task of ours may hold up the page once it has started. */
const LONG_MS = 16;

/** Clock times tasks and keeps the latest frames and the long tasks. */
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
