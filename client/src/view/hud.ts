// The head-up display: plain elements of index.html, written only when their text changes.
import type { Eye, Shape, Status } from '../world/protocol';
import { MESHERS } from '../world/protocol.gen';

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

const HELP = {
  fly: 'Click to look around · WASD and Q/E move, Shift faster · left digs, right builds, wheel sizes · P and 1–9 paint, T ball, box, stroke · B blocks, L wireframe, M mesher, O orbit · Esc frees the mouse',
  orbit: 'Drag to turn, wheel to zoom · B blocks, L wireframe, M mesher · O flies again',
};

export interface HudState {
  status: Status | null;
  eye: Eye;
  radius: number;
  shape: Shape;
  /** The material that the tool paints with; null if it digs. */
  paint: number | null;
  framesPerSecond: number;
  backend: string;
  orbit: boolean;
  triangles: number;
  vertices: number;
}

export class Hud {
  private readonly lines = new Map<string, string>();
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  private covered = true;

  show(): void {
    element('hud').hidden = false;
    element('help').hidden = false;
    element('crosshair').hidden = false;
  }

  update(s: HudState): void {
    const status = s.status;
    const waiting = status ? status.waiting : 0;
    this.line('hud-terrain', status ? `${MESHERS[status.mesher]} · ${count(status.loaded, 'chunk')} loaded, ${waiting} waiting` : '');
    this.line('hud-place', `${fixed(s.eye.x)} ${fixed(s.eye.y)} ${fixed(s.eye.z)} m`);
    this.line('hud-tool', `${s.shape === 'ball' ? '' : `${s.shape} · `}radius ${s.radius} m${s.paint === null ? '' : ` · paints material ${s.paint + 1}`}`);
    this.line('hud-frames', `${Math.round(s.framesPerSecond)} frames/s · ${s.backend}`);
    this.line('hud-mesh', `${group(s.triangles)} triangles · ${group(s.vertices)} vertices`);
    element('hud-mesh').hidden = !s.orbit;
    this.line('hud-link', status ? link(status) : 'starting');
    element('hud-link').classList.toggle('bad', status !== null && status.state !== 'live');
    this.line('help', s.orbit ? HELP.orbit : HELP.fly);
  }

  /** Says something for a few seconds. */
  notice(text: string): void {
    const e = element('notice');
    e.textContent = text;
    e.hidden = false;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => (e.hidden = true), 4000);
  }

  /** Shows how far loading has come; the whole screen is covered until there is ground to see. */
  cover(text: string, share: number | null, ground: boolean): void {
    if (!this.covered) return;
    this.line('cover-text', text);
    element('cover').classList.toggle('over', ground);
    const bar = element('cover-progress') as HTMLProgressElement;
    if (share === null) bar.removeAttribute('value');
    else bar.value = share;
  }

  uncover(): void {
    if (!this.covered) return;
    this.covered = false;
    const cover = element('cover');
    cover.classList.add('done');
    setTimeout(() => (cover.hidden = true), 400);
  }

  private line(id: string, text: string): void {
    if (this.lines.get(id) === text) return;
    this.lines.set(id, text);
    element(id).textContent = text;
  }
}

/** Covers the page with a message that stays. */
export function fatal(title: string, lines: string[], advice: string): void {
  const text = element('message-text');
  text.replaceChildren();
  const list = document.createElement('ul');
  for (const line of lines) list.append(Object.assign(document.createElement('li'), { textContent: line }));
  if (lines.length > 0) text.append(list);
  text.append(Object.assign(document.createElement('p'), { textContent: advice }));
  element('message-title').textContent = title;
  element('cover').hidden = true;
  element('message').hidden = false;
  document.body.classList.add('blank');
  const reload = element('message-reload');
  reload.onclick = () => location.reload();
  reload.focus();
}

function link(s: Status): string {
  const parts: string[] = [s.state];
  if (s.state === 'reconnecting' && s.retryMs >= 1000) parts.push(`next try within ${Math.round(s.retryMs / 1000)} s`);
  if (s.pending > 0) parts.push(`${count(s.pending, 'edit')} on the way`);
  if (s.people > 0) parts.push(s.people === 1 ? '1 other here' : `${s.people} others here`);
  if (s.message !== '' && s.state !== 'live') parts.push(s.message);
  return parts.join(' · ');
}

function count(n: number, what: string): string {
  return `${group(n)} ${what}${n === 1 ? '' : 's'}`;
}

const grouped = new Intl.NumberFormat('en-US');
const group = (n: number) => grouped.format(n);
const fixed = (n: number) => n.toFixed(1).replace('-', '−');
