// The tool in the hand: one edit at once, then one every 120 ms for as long as it is held.
import type { Operation } from '../world/protocol';
import { OPERATIONS } from '../world/protocol.gen';

/** Milliseconds between edits while a button is held. */
export const EDIT_EVERY_MS = 120;
/** An edit that changed nothing never shows. */
const FORGET_MS = 3000;

export class Hand {
  private timer: ReturnType<typeof setInterval> | undefined;
  private ids = 0;
  /** When an edit was asked for, by its id and, once the session has taken it, in order. */
  private readonly asked = new Map<number, number>();
  private readonly taken: number[] = [];
  /** Milliseconds from the click to the rebuilt meshes with the renderer, the newest last. */
  readonly shownMs: number[] = [];

  constructor(private readonly send: (id: number, operation: number) => void) {}

  get working(): boolean {
    return this.timer !== undefined;
  }

  /** Begins at the time of the event that asked for it. */
  work(operation: Operation, at: number): void {
    this.rest();
    const once = (time: number) => {
      this.asked.set(++this.ids, time);
      this.send(this.ids, OPERATIONS[operation]);
    };
    once(at);
    this.timer = setInterval(() => once(performance.now()), EDIT_EVERY_MS);
  }

  rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The session took the edit or, with counter 0, did not. */
  edited(id: number, counter: number): void {
    const at = this.asked.get(id);
    this.asked.delete(id);
    if (at !== undefined && counter > 0) this.taken.push(at);
  }

  /** A group that edits caused has changed the picture: it shows all edits that were taken before it. */
  shown(now: number): void {
    for (const at of this.taken.splice(0)) {
      if (now - at < FORGET_MS) this.shownMs.push(now - at);
    }
    if (this.shownMs.length > 1000) this.shownMs.splice(0, 500);
  }
}
