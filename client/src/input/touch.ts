// Touch: one finger on the view looks, two size the tool, a stick moves, buttons lift, dig and build. Shown when
// a finger first touches the page.
import { element } from '../view/hud';
import type { Actions, Input } from './input';

/** Radians a pixel. */
const TOUCH_TURN = 0.005;
/** Pixels from the stick's middle to full speed. */
const STICK_REACH = 46;

export class Touch {
  /** Fingers on the view, by pointer. */
  private readonly fingers = new Map<number, { x: number; y: number }>();

  constructor(view: HTMLElement, private readonly input: Input, private readonly actions: Actions) {
    view.addEventListener('pointerdown', (e) => {
      if (e.pointerType !== 'touch') return;
      this.show();
      this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      view.setPointerCapture(e.pointerId);
    });
    view.addEventListener('pointermove', (e) => this.move(e));
    for (const end of ['pointerup', 'pointercancel'] as const) {
      view.addEventListener(end, (e) => this.fingers.delete(e.pointerId));
    }
    if (matchMedia('(pointer: coarse)').matches) this.show();
    this.stick(element('stick'));
    for (const button of document.querySelectorAll<HTMLButtonElement>('#touch button')) this.hold(button);
  }

  private show(): void {
    element('touch').hidden = false;
  }

  private move(e: PointerEvent): void {
    const finger = this.fingers.get(e.pointerId);
    if (!finger) return;
    const spread = this.spread();
    const [dx, dy] = [e.clientX - finger.x, e.clientY - finger.y];
    finger.x = e.clientX;
    finger.y = e.clientY;
    if (this.fingers.size === 1) this.actions.look(dx * TOUCH_TURN, dy * TOUCH_TURN);
    else if (this.fingers.size === 2 && spread > 0) this.actions.pinch(this.spread() / spread);
  }

  private spread(): number {
    const [a, b] = [...this.fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private stick(stick: HTMLElement): void {
    const knob = stick.firstElementChild as HTMLElement;
    let pointer = -1;
    const put = (x: number, y: number) => {
      knob.style.transform = `translate(${x}px, ${y}px)`;
      this.input.setStick(-y / STICK_REACH, x / STICK_REACH);
    };
    const follow = (e: PointerEvent) => {
      if (e.pointerId !== pointer) return;
      const box = stick.getBoundingClientRect();
      const [x, y] = [e.clientX - box.left - box.width / 2, e.clientY - box.top - box.height / 2];
      const short = Math.min(1, STICK_REACH / Math.max(Math.hypot(x, y), 1));
      put(x * short, y * short);
    };
    stick.addEventListener('pointerdown', (e) => {
      pointer = e.pointerId;
      stick.setPointerCapture(pointer);
      follow(e);
    });
    stick.addEventListener('pointermove', follow);
    for (const end of ['pointerup', 'pointercancel'] as const) {
      stick.addEventListener(end, (e) => {
        if (e.pointerId !== pointer) return;
        pointer = -1;
        put(0, 0);
      });
    }
  }

  private hold(button: HTMLButtonElement): void {
    const what = button.dataset['hold'];
    const lift = what === 'up' ? 1 : what === 'down' ? -1 : 0;
    button.addEventListener('pointerdown', (e) => {
      button.setPointerCapture(e.pointerId);
      button.classList.add('held');
      if (lift !== 0) this.input.setLift(lift);
      else this.actions.startEditing(what === 'build' ? 'build' : 'dig', e.timeStamp);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      button.addEventListener(end, () => {
        if (!button.classList.contains('held')) return;
        button.classList.remove('held');
        if (lift !== 0) this.input.setLift(0);
        else this.actions.stopEditing();
      });
    }
    button.addEventListener('contextmenu', (e) => e.preventDefault());
  }
}
