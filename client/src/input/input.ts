// Keyboard and mouse: they move the viewer and call actions. Touch is in touch.ts.
import type { MoveIntent } from './eye';
import type { Operation } from '../world/protocol';

/** Actions are what input can bring about. */
export interface Actions {
  /** Turns by radians. */
  look(left: number, up: number): void;
  /** Sizes the tool or, in orbit, zooms: positive is larger or nearer. */
  wheel(steps: number): void;
  /** Sizes or zooms by the factor by which two fingers moved apart. */
  pinch(factor: number): void;
  /** Makes edits from the time of the event on, until stopEditing. */
  startEditing(operation: Operation, at: number): void;
  stopEditing(): void;
  toggle(what: Toggle): void;
  /** Chooses a material to paint with: a number in the palette. */
  chooseMaterial(material: number): void;
  /** The pointer was captured or freed. */
  captured(): void;
  notice(text: string): void;
  orbiting(): boolean;
}

/** Radians a pixel of mouse movement; a second of an arrow key. */
const MOUSE_TURN = 0.0022;
const DRAG_TURN = 0.006;
const KEY_TURN = 1.6;

const TOGGLES = { b: 'blocks', l: 'wireframe', m: 'mesher', o: 'orbit', p: 'paint', t: 'shape' } as const;
export type Toggle = (typeof TOGGLES)[keyof typeof TOGGLES];

export class Input {
  private readonly held = new Set<string>();
  private fast = false;
  private readonly touch = { forward: 0, right: 0, up: 0 };

  constructor(private readonly view: HTMLElement, private readonly actions: Actions) {
    addEventListener('keydown', (e) => this.key(e, true));
    addEventListener('keyup', (e) => this.key(e, false));
    view.addEventListener('pointerdown', (e) => this.press(e));
    addEventListener('pointermove', (e) => this.move(e));
    addEventListener('pointerup', () => this.release());
    addEventListener('pointercancel', () => this.release());
    view.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    view.addEventListener('contextmenu', (e) => e.preventDefault());
    document.addEventListener('pointerlockchange', () => {
      if (!this.captured) this.release();
      actions.captured();
    });
    document.addEventListener('pointerlockerror', () => actions.notice('The browser did not capture the mouse; click again.'));
    addEventListener('blur', () => this.drop());
    document.addEventListener('visibilitychange', () => this.drop());
  }

  get captured(): boolean {
    return document.pointerLockElement === this.view;
  }

  /** Takes the position of the touch controls' stick. */
  setStick(forward: number, right: number): void {
    this.touch.forward = forward;
    this.touch.right = right;
  }

  setLift(up: number): void {
    this.touch.up = up;
  }

  intent(): MoveIntent {
    const axis = (plus: string, minus: string, touch: number) => {
      const keys = Number(this.held.has(plus)) - Number(this.held.has(minus));
      return keys === 0 ? touch : keys;
    };
    return {
      forward: axis('KeyW', 'KeyS', this.touch.forward),
      right: axis('KeyD', 'KeyA', this.touch.right),
      up: axis('KeyE', 'KeyQ', this.touch.up),
      fast: this.fast,
    };
  }

  /** Turns by the arrow keys, for people without a mouse. */
  turnByKeys(seconds: number): void {
    const left = Number(this.held.has('ArrowLeft')) - Number(this.held.has('ArrowRight'));
    const up = Number(this.held.has('ArrowUp')) - Number(this.held.has('ArrowDown'));
    if (left !== 0 || up !== 0) this.actions.look(left * KEY_TURN * seconds, up * KEY_TURN * seconds);
  }

  private key(e: KeyboardEvent, down: boolean): void {
    this.fast = e.shiftKey;
    if (!down) {
      this.held.delete(e.code);
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLButtonElement) return;
    if (e.code.startsWith('Arrow')) e.preventDefault();
    if (e.repeat) return;
    this.held.add(e.code);
    const toggle = TOGGLES[e.key.toLowerCase() as keyof typeof TOGGLES];
    if (toggle) this.actions.toggle(toggle);
    const digit = /^Digit([1-9])$/.exec(e.code)?.[1];
    if (digit) this.actions.chooseMaterial(Number(digit) - 1);
  }

  private press(e: PointerEvent): void {
    if (e.pointerType === 'touch') return;
    this.view.focus({ preventScroll: true });
    if (this.actions.orbiting()) return; // moves turn it
    if (!this.captured) {
      void this.capture(); // the first click does nothing else
      return;
    }
    if (e.button === 0) this.actions.startEditing('dig', e.timeStamp);
    else if (e.button === 2) this.actions.startEditing('build', e.timeStamp);
  }

  private async capture(): Promise<void> {
    try {
      await this.view.requestPointerLock();
    } catch (error) {
      // Browsers refuse for a second after Esc.
      if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
      this.actions.notice('The browser did not capture the mouse; click again.');
    }
  }

  private move(e: PointerEvent): void {
    if (e.pointerType === 'touch') return;
    if (e.buttons === 0) this.release(); // let go where the page did not see it
    if (this.captured) this.actions.look(-e.movementX * MOUSE_TURN, -e.movementY * MOUSE_TURN);
    else if (e.buttons !== 0 && this.actions.orbiting()) this.actions.look(-e.movementX * DRAG_TURN, -e.movementY * DRAG_TURN);
  }

  private release(): void {
    this.actions.stopEditing();
  }

  private drop(): void {
    this.held.clear();
    this.fast = false;
    this.release();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    if (e.deltaY !== 0) this.actions.wheel(e.deltaY < 0 ? 1 : -1);
  }
}
