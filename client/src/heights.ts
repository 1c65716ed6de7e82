// The page without a world: the rough heightmap or its smooth predecessor, to look at from all sides.
import { BufferAttribute, BufferGeometry, DoubleSide, LineBasicNodeMaterial, LineSegments, Mesh, MeshStandardNodeMaterial } from 'three/webgpu';
import { heightView } from './world/engine';
import { orbitEye, orbitRound, turnOrbit, zoomOrbit, type Orbit } from './input/eye';
import { readHeightView, type HeightView } from './view/heightview';
import { element, Hud } from './view/hud';
import { Input, type Actions } from './input/input';
import type { Params } from './params';
import { Loop } from './view/loop';
import type { Graphics } from './view/probe';
import type { Heightmap } from './world/protocol';
import { openStage, Recovery } from './view/reopen';
import { Stage } from './view/stage';
import { Touch } from './input/touch';

const LINES = { color: 0x1f2a1f, transparent: true, opacity: 0.28, depthWrite: false } as const;
/** Meters that the lines lie above the ground, against flicker. */
const LIFT = 0.02;
/** Far enough for the sky not to dim the ground, in chunks. */
const VIEW_RADIUS = 24;
const ORIGIN = { x: 0, y: 0, z: 0 };
const HELP = 'Drag or swipe to turn, wheel or pinch to zoom, arrow keys turn as well · R rough, S smooth · G grid, L wireframe';

export async function run(params: Params, heightmap: Heightmap, data: ArrayBuffer, graphics: Graphics): Promise<void> {
  const page = new Heights(params, params.high ?? !graphics.software);
  await page.open(graphics, heightmap, data);
}

class Heights implements Actions {
  private readonly view = element('view');
  private readonly hud = new Hud();
  private readonly stage: Stage;
  private readonly loop = new Loop({ frame: (_, seconds) => this.input.turnByKeys(seconds), draw: () => this.draw() });
  private readonly recovery: Recovery;
  private readonly ground = new MeshStandardNodeMaterial({ vertexColors: true, flatShading: true, roughness: 1, metalness: 0, side: DoubleSide });
  private readonly mesh = new Mesh(new BufferGeometry(), this.ground);
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicNodeMaterial(LINES));
  private readonly input: Input;

  private heightmap: Heightmap = 'rough';
  private heights: HeightView | null = null;
  private orbit: Orbit = orbitRound(0, 0, 0);
  private frames = 0;

  constructor(params: Params, high: boolean) {
    document.body.classList.add('orbit', 'heights');
    document.title = 'Terrane: the rough heightmap';
    this.stage = new Stage(this.view, high, (reason) => void this.recovery.recover(reason).then(() => this.changed()));
    this.recovery = new Recovery(this.stage, this.loop, this.hud, params.renderer, 'Reload the page to go on.');
    this.lines.position.y = LIFT;
    this.stage.world.add(this.mesh, this.lines);
    this.input = new Input(this.view, this);
    new Touch(this.view, this.input, this);
    this.controls();
    Object.defineProperty(window, 'terrane', { get: () => this.report() });
  }

  async open(graphics: Graphics, heightmap: Heightmap, data: ArrayBuffer): Promise<void> {
    await openStage(this.stage, graphics);
    this.stage.setViewRadius(VIEW_RADIUS);
    this.take(heightmap, data);
    await this.stage.compile();
    addEventListener('resize', () => {
      this.stage.resize();
      this.loop.redraw();
    });
    this.loop.start();
    this.hud.uncover();
    for (const id of ['hud', 'help', 'heights']) element(id).hidden = false;
  }

  /** Shows the view of a heightmap, as the engine made it. */
  private take(heightmap: Heightmap, data: ArrayBuffer): void {
    const v = readHeightView(data);
    this.heightmap = heightmap;
    this.heights = v;
    const position = new BufferAttribute(v.positions, 3);
    for (const { geometry } of [this.mesh, this.lines]) geometry.dispose();
    this.mesh.geometry = new BufferGeometry().setAttribute('position', position).setAttribute('color', new BufferAttribute(v.colors, 3));
    this.mesh.geometry.setIndex(new BufferAttribute(v.triangles, 1));
    this.lines.geometry = new BufferGeometry().setAttribute('position', position).setIndex(new BufferAttribute(v.segments, 1));
    this.loop.redraw();
    this.showState();
  }

  private async choose(heightmap: Heightmap): Promise<void> {
    const before = this.heightmap;
    if (heightmap === before) return;
    this.heightmap = heightmap; // a second press does not ask again
    this.showState();
    try {
      const data = await heightView(heightmap);
      if (this.heightmap !== heightmap) return; // another was asked for meanwhile
      this.take(heightmap, data);
      const query = new URLSearchParams(location.search);
      query.set('view', heightmap);
      history.replaceState(null, '', `?${query.toString()}`);
    } catch (error) {
      this.hud.notice(`The heightmap could not be made: ${String(error)}`);
      if (this.heightmap === heightmap) this.heightmap = before; // it is what is still shown, and the other may be asked for again
      this.showState();
    }
  }

  private controls(): void {
    const press = (id: string, key: string, action: () => void) => {
      element(id).addEventListener('click', action);
      addEventListener('keydown', (e) => {
        if (e.key.toLowerCase() === key && !e.repeat && !e.ctrlKey && !e.metaKey && !e.altKey) action();
      });
    };
    press('heights-rough', 'r', () => void this.choose('rough'));
    press('heights-smooth', 's', () => void this.choose('smooth'));
    press('heights-lines', 'g', () => {
      this.lines.visible = !this.lines.visible;
      this.changed();
    });
    press('heights-wireframe', 'l', () => {
      this.ground.wireframe = !this.ground.wireframe;
      this.changed();
    });
  }

  private changed(): void {
    this.loop.redraw();
    this.showState();
  }

  private showState(): void {
    const pressed = { rough: this.heightmap === 'rough', smooth: this.heightmap === 'smooth', lines: this.lines.visible, wireframe: this.ground.wireframe };
    for (const [name, on] of Object.entries(pressed)) element(`heights-${name}`).setAttribute('aria-pressed', String(on));
    const v = this.heights;
    if (!v) return;
    const meters = (h: number) => h.toFixed(3).replace('-', '−');
    element('hud-terrain').textContent = this.heightmap === 'rough' ? 'rough heightmap' : 'smooth heightmap';
    element('hud-place').textContent = `heights ${meters(v.low)} … ${meters(v.high)} m`;
    element('hud-tool').textContent = `${(v.positions.length / 3).toLocaleString('en-US')} vertices · ${(v.triangles.length / 3).toLocaleString('en-US')} triangles`;
    element('hud-frames').textContent = this.stage.backend;
    element('help').textContent = HELP;
  }

  private draw(): void {
    this.stage.look(orbitEye(this.orbit), ORIGIN);
    this.stage.render();
    this.frames++;
  }

  /** What the page knows about itself, for tests. */
  private report(): Record<string, unknown> {
    const v = this.heights;
    return {
      started: this.frames > 0, view: this.heightmap, backend: this.stage.backend, software: this.stage.software, frames: this.frames,
      vertices: v ? v.positions.length / 3 : 0, triangles: v ? v.triangles.length / 3 : 0, segments: v ? v.segments.length / 2 : 0,
      low: v?.low, high: v?.high, orbit: { ...this.orbit }, lines: this.lines.visible, wireframe: this.ground.wireframe,
    };
  }

  // Actions.

  look(left: number, up: number): void {
    this.orbit = turnOrbit(this.orbit, -left, up);
    this.loop.redraw();
  }

  wheel(steps: number): void {
    this.pinch(Math.pow(0.9, -steps));
  }

  pinch(factor: number): void {
    this.orbit = zoomOrbit(this.orbit, 1 / factor);
    this.loop.redraw();
  }

  orbiting(): boolean {
    return true;
  }

  notice(text: string): void {
    this.hud.notice(text);
  }

  // There is nothing to dig or to fly through here.
  startEditing(): void {}
  stopEditing(): void {}
  toggle(): void {}
  chooseMaterial(): void {}
  captured(): void {}
}
