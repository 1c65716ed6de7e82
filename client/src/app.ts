// Brings it all together: what the session sends, what people do, and what a frame shows.
import type { ChunkMesher } from './gpu/chunks';
import { sightOf } from './input/eye';
import { Input, type Actions, type Toggle } from './input/input';
import { EditTool } from './input/tool';
import { Touch } from './input/touch';
import { Viewer } from './input/viewer';
import { AddressBar, type Params } from './params';
import { report } from './report';
import { StartUp } from './startup';
import { element, fatal, Hud } from './view/hud';
import { Every, Loop } from './view/loop';
import { People } from './view/people';
import type { Graphics } from './view/probe';
import { openStage, Recovery } from './view/reopen';
import { Stage } from './view/stage';
import { Terrain } from './view/terrain';
import type { Engine } from './world/engine';
import type { FromSession, Group, Hit, Mesher, Operation, Status } from './world/protocol';
import { MESHERS } from './world/protocol.gen';

/** The aim is looked for anew at least this often, since others dig as well. */
const AIM_EVERY_MS = 200;
/** How long the first shaders wait for the world's materials. */
const PALETTE_MS = 2000;
const HUD_EVERY_MS = 100;
/** How often growing ground is drawn by a software renderer, where drawing each chunk would keep it from making the next. */
const GROW_EVERY_MS = 250;

/** Phones with 2 GB and less see this far, in chunks, unless the address says otherwise: some 15 MB of meshes. */
const SMALL_MEMORY_GB = 2;
const SMALL_RADIUS = 5;

export async function run(params: Params, engine: Engine, graphics: Graphics): Promise<void> {
  // Smoothed edges and fine patterns cost a software renderer more than all else.
  const app = new App(params, engine, params.high ?? !graphics.software);
  await app.open(graphics);
}

class App implements Actions {
  readonly view = element('view');
  readonly hud = new Hud();
  readonly stage: Stage;
  readonly terrain: Terrain;
  readonly people = new People(element('names'));
  readonly viewer: Viewer;
  readonly tool = new EditTool((id, tool) => this.engine.strike(id, tool, sightOf(this.viewer.eye)));
  readonly input = new Input(this.view, this);
  readonly loop: Loop;
  readonly recovery: Recovery;
  readonly startUp: StartUp;
  /** Meshes on the GPU what builders have filled, with ?builder=gpu. */
  chunkMesher: ChunkMesher | null = null;
  status: Status | null = null;
  /** Where the viewer's sight meets the ground. */
  hit: Hit | null = null;

  private mesher: Mesher;
  private viewChanged = true;
  private lastView = 0;
  private readonly hudDue = new Every(HUD_EVERY_MS);
  private readonly addressBar = new AddressBar();

  constructor(private readonly params: Params, private readonly engine: Engine, high: boolean) {
    this.mesher = MESHERS[params.mesher]!;
    this.viewer = new Viewer(params.eye);
    this.terrain = new Terrain(high, (group) => this.groupShown(group.id, group.edit));
    this.stage = new Stage(this.view, high, (reason) => this.lost(reason));
    this.loop = new Loop({
      frame: (now, seconds) => this.frame(now, seconds),
      draw: () => this.draw(),
      after: (now) => this.showState(now),
      growEveryMs: () => (this.stage.software && this.startUp.firstTerrainMs > 0 ? GROW_EVERY_MS : 0),
    });
    this.recovery = new Recovery(this.stage, this.loop, this.hud, params.renderer, 'What you built is kept by the server. Reload the page to go on.');
    this.startUp = new StartUp(this.stage, this.loop, this.hud, this.people, params.renderer !== null);
    new Touch(this.view, this.input, this);
    this.stage.world.add(this.terrain.node, this.people.node);
    this.terrain.prepare();
    Object.defineProperty(window, 'terrane', { value: report(this) });
  }

  /** Opens the stage and starts the frames. */
  async open(graphics: Graphics): Promise<void> {
    performance.mark('renderer loaded');
    await openStage(this.stage, graphics);
    performance.mark('renderer open');
    this.stage.setViewRadius(this.params.radius || 8);
    // Most often the world is known by now; its shaders are the first that are made then, and the only ones.
    const known = await Promise.race([this.engine.palette, after(PALETTE_MS)]);
    if (known) this.terrain.paint(known);
    await this.stage.compile();
    performance.mark('shaders made');
    if (this.params.gpuMeshes) {
      const { ChunkMesher } = await import('./gpu/chunks');
      this.chunkMesher = await ChunkMesher.make((reason) => this.hud.notice(`Meshed by a worker, not on the GPU: ${reason}.`));
    }
    addEventListener('unhandledrejection', (event) => {
      // three asks for errors of a GPU that may have gone meanwhile; recovery deals with that.
      if (event.reason instanceof DOMException && event.reason.name === 'OperationError') event.preventDefault();
    });
    this.engine.listen((message) => this.loop.clock.time(message.type, () => this.receive(message)));
    addEventListener('resize', () => {
      this.stage.resize();
      this.loop.redraw();
    });
    this.loop.start();
  }

  private lost(reason: string): void {
    this.tool.stop();
    void this.recovery.recover(reason);
  }

  // From the session.

  private receive(message: FromSession): void {
    switch (message.type) {
      case 'palette':
        if (this.terrain.paint(message.palette)) this.loop.redraw();
        break;
      case 'group':
        if (this.chunkMesher) this.chunkMesher.mesh(message.group, (group) => this.takeGroup(group));
        else this.takeGroup(message.group);
        break;
      case 'aim':
        this.hit = message.hit;
        this.loop.redraw();
        break;
      case 'edited':
        this.tool.edited(message.id, message.counter);
        if (message.refusal) this.hud.notice(message.refusal);
        break;
      case 'people':
        this.people.update(message.moved, message.gone);
        this.loop.redraw();
        break;
      case 'status':
        this.takeStatus(message.status);
        break;
    }
  }

  private takeGroup(group: Group): void {
    this.terrain.take(group);
    // An edit is handed to the renderer now, not with the next frame: it may be long in coming.
    this.terrain.work(performance.now(), false);
  }

  private takeStatus(status: Status): void {
    const before = this.status;
    if (status.state !== before?.state) performance.mark(`session ${status.state}`);
    this.status = status;
    this.mesher = MESHERS[status.mesher]!;
    if (status.radius !== before?.radius && status.radius > 0) this.takeRadius(status.radius);
    if (status.state === 'refused') fatal('The server does not let this page in', [status.message], 'Reload the page to load its newest version.');
    if (before && status.message !== '' && status.message !== before.message && status.state === 'live') this.hud.notice(status.message);
  }

  private takeRadius(radius: number): void {
    this.stage.setViewRadius(radius);
    const { deviceMemory = Infinity } = navigator as { deviceMemory?: number };
    if (deviceMemory <= SMALL_MEMORY_GB && radius > SMALL_RADIUS && !this.params.radius) this.engine.setRadius(SMALL_RADIUS);
  }

  private groupShown(id: number, edit: boolean): void {
    if (this.terrain.swaps === 1) performance.mark('first group');
    // The renderer has it. To wait for the frame would tie loading to the speed of drawing.
    this.engine.shown(id);
    this.loop.grew();
    this.viewChanged = true; // the aim may meet other ground
    if (!edit) return;
    this.loop.redraw();
    this.tool.shown(performance.now());
  }

  // Frames.

  private frame(now: number, seconds: number): void {
    const { viewer, loop, terrain } = this;
    if (viewer.place(this.engine.startEye)) loop.redraw();
    this.input.turnByKeys(seconds);
    if (viewer.move(this.input.intent(), seconds)) this.changed();
    this.sendView(now);
    terrain.work(now, true);
    if (terrain.rebase(viewer.eye.x, viewer.eye.y, viewer.eye.z)) loop.redraw();
    if (this.people.glide(seconds, terrain.origin)) loop.redraw();
  }

  private sendView(now: number): void {
    if (!this.viewer.placed || (!this.viewChanged && now - this.lastView < AIM_EVERY_MS)) return;
    this.viewChanged = false;
    this.lastView = now;
    this.engine.view(this.viewer.eye, sightOf(this.viewer.eye));
  }

  private draw(): void {
    const { stage, terrain, viewer } = this;
    stage.look(viewer.eye, terrain.origin);
    stage.aim(viewer.orbiting ? null : this.hit, this.tool.radius, terrain.origin);
    terrain.checkFrame();
    stage.render();
    this.people.label(stage.camera, this.view.clientWidth, this.view.clientHeight);
    if (this.startUp.firstTerrainMs === 0 && terrain.triangles > 0) this.startUp.firstTerrain();
  }

  /** Writes the head-up display and the address. */
  private showState(now: number): void {
    const { viewer } = this;
    if (this.hudDue.due(now)) {
      this.startUp.cover(this.status);
      this.hud.update({
        status: this.status, eye: viewer.eye, radius: this.tool.radius, shape: this.tool.shape, paint: this.tool.painting ? this.tool.material : null,
        framesPerSecond: this.loop.clock.framesPerSecond, backend: this.stage.backend, orbit: viewer.orbiting,
        triangles: this.terrain.triangles, vertices: this.terrain.vertices,
      });
    }
    if (viewer.placed) this.addressBar.show(now, viewer.eye);
  }

  private changed(): void {
    this.viewChanged = true;
    this.loop.redraw();
  }

  // Actions.

  look(left: number, up: number): void {
    this.viewer.look(left, up);
    this.changed();
  }

  wheel(steps: number): void {
    if (this.viewer.orbiting) this.viewer.zoom(Math.pow(0.9, steps));
    else this.tool.resize(steps);
    this.changed();
  }

  pinch(factor: number): void {
    if (this.viewer.orbiting) this.viewer.zoom(1 / factor);
    else this.tool.pinch(factor);
    this.changed();
  }

  startEditing(operation: Operation, at: number): void {
    if (this.viewer.placed && this.loop.drawing && !this.viewer.orbiting) this.tool.start(operation, at);
  }

  stopEditing(): void {
    this.tool.stop();
  }

  toggle(what: Toggle): void {
    if (what === 'paint') this.tool.painting = !this.tool.painting;
    else if (what === 'shape') this.tool.nextShape();
    else if (what === 'wireframe') this.terrain.wireframe = !this.terrain.wireframe;
    else if (what === 'orbit') this.toggleOrbit();
    else if (what === 'blocks') this.setMesher(this.mesher === 'blocks' ? 'marching' : 'blocks');
    else this.setMesher(this.mesher === 'marching' ? 'nets' : 'marching');
    this.changed();
  }

  chooseMaterial(material: number): void {
    this.tool.paintWith(material);
    this.changed();
  }

  private setMesher(mesher: Mesher): void {
    this.mesher = mesher;
    this.engine.setMesher(MESHERS.indexOf(mesher));
  }

  private toggleOrbit(): void {
    this.tool.stop();
    this.viewer.toggleOrbit(this.hit ?? this.viewer.eye);
    if (this.viewer.orbiting) document.exitPointerLock();
    document.body.classList.toggle('orbit', this.viewer.orbiting);
  }

  captured(): void {
    this.loop.redraw();
  }

  notice(text: string): void {
    this.hud.notice(text);
  }

  orbiting(): boolean {
    return this.viewer.orbiting;
  }
}

/** Resolves to nothing after some milliseconds. */
function after(ms: number): Promise<null> {
  return new Promise((passed) => setTimeout(passed, ms, null));
}
