// The loop of frames: something is done for every turn of the screen, and a picture is drawn only if something in it
// has changed.
import { Clock } from './clock';

/** A frame after a pause moves no one further than this. */
const MAX_STEP_SECONDS = 0.1;

/** LoopTasks are what a loop runs. */
export interface LoopTasks {
  /** Prepares a frame; seconds is the time since the one before it. */
  frame(now: number, seconds: number): void;
  draw(): void;
  /** Runs after the picture. */
  after?(now: number): void;
  /** Returns the least time between pictures that show no more than growing ground. */
  growEveryMs?(): number;
}

export class Loop {
  readonly clock = new Clock();
  /** Whether there is a renderer to draw with. */
  drawing = false;
  private dirty = true;
  private grown = false;
  private lastDraw = 0;
  private lastFrame = 0;

  constructor(private readonly tasks: LoopTasks) {}

  start(): void {
    this.drawing = true;
    requestAnimationFrame((now) => this.turn(now));
  }

  /** Asks for a picture with the next frame. */
  redraw(): void {
    this.dirty = true;
  }

  /** Asks for a picture of ground that grew: worth one, but not at once where drawing is slow. */
  grew(): void {
    this.grown = true;
  }

  private turn(now: number): void {
    requestAnimationFrame((next) => this.turn(next));
    this.clock.time('frame', () => this.frame(now));
  }

  private frame(now: number): void {
    const seconds = Math.min((now - this.lastFrame) / 1000, MAX_STEP_SECONDS);
    this.lastFrame = now;
    this.tasks.frame(now, seconds);
    if (this.drawing && (this.dirty || (this.grown && now - this.lastDraw >= (this.tasks.growEveryMs?.() ?? 0)))) {
      this.dirty = this.grown = false;
      this.lastDraw = now;
      this.tasks.draw();
    }
    this.tasks.after?.(now);
  }
}

/** Every reports whether some milliseconds have passed since it last reported so. */
export class Every {
  private last = 0;

  constructor(private readonly ms: number) {}

  due(now: number): boolean {
    if (now - this.last < this.ms) return false;
    this.last = now;
    return true;
  }
}
