// The tool that edits the ground: its size, and one edit at once, then one every 120 ms for as long as it is held.
import type { Tool, Operation, Shape } from '../world/protocol';
import { OPERATIONS, SHAPES } from '../world/protocol.gen';
import { resize, SIZE } from './eye';

/** Milliseconds between edits while a button is held. */
export const EDIT_EVERY_MS = 120;
/** An edit that changed nothing never shows. */
const FORGET_MS = 3000;
/** Steps of size for fingers that moved apart by a factor e. */
const PINCH_STEPS = 6;

/** EditTool makes edits and times how long they take to show. */
export class EditTool {
  /** Meters. */
  radius: number = SIZE.start;
  shape: Shape = 'ball';
  /** The tool paints in place of digging. */
  painting = false;
  /** What it paints: a number in the world's palette. */
  material = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private ids = 0;
  private pinched = 0;
  /** When an edit was asked for, by its id and, once the session has taken it, in order. */
  private readonly asked = new Map<number, number>();
  private readonly taken: number[] = [];
  /** Milliseconds from the click to the rebuilt meshes with the renderer, the newest last. */
  readonly shownMs: number[] = [];

  /** strike makes an edit where the viewer looks. */
  constructor(private readonly strike: (id: number, tool: Tool) => void) {}

  get working(): boolean {
    return this.timer !== undefined;
  }

  /** Makes edits from the time of the event that asked for them, until stop. */
  start(operation: Operation, at: number): void {
    this.stop();
    const paints = this.painting && operation === 'dig';
    const once = (time: number, joined: boolean) => {
      this.asked.set(++this.ids, time);
      this.strike(this.ids, {
        operation: OPERATIONS[paints ? 'paint' : operation], shape: SHAPES[this.shape], radius: this.radius, smooth: 0,
        material: paints ? this.material : 0, joined,
      });
    };
    once(at, false);
    this.timer = setInterval(() => once(performance.now(), true), EDIT_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Takes the shape after this one. */
  nextShape(): void {
    const names = Object.keys(SHAPES) as Shape[];
    this.shape = names[(names.indexOf(this.shape) + 1) % names.length]!;
  }

  /** Paints with a material from now on. */
  paintWith(material: number): void {
    this.material = material;
    this.painting = true;
  }

  resize(steps: number): void {
    this.radius = resize(this.radius, steps);
  }

  /** Resizes by the factor by which two fingers moved apart: whole steps now, the rest with the next call. */
  pinch(factor: number): void {
    this.pinched += Math.log(factor) * PINCH_STEPS;
    const steps = Math.trunc(this.pinched);
    this.pinched -= steps;
    this.resize(steps);
  }

  /** Notes that the session took the edit or, with counter 0, did not. */
  edited(id: number, counter: number): void {
    const at = this.asked.get(id);
    this.asked.delete(id);
    if (at !== undefined && counter > 0) this.taken.push(at);
  }

  /** Notes that a group that edits caused has changed the picture: it shows all edits that were taken before it. */
  shown(now: number): void {
    for (const at of this.taken.splice(0)) {
      if (now - at < FORGET_MS) this.shownMs.push(now - at);
    }
    if (this.shownMs.length > 1000) this.shownMs.splice(0, 500);
  }
}
