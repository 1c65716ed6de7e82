// Brings it all together: what the session says, what people do, and a frame for every turn of the screen. A
// frame is drawn only if something in it has changed.
import type { Engine } from './world/engine';
import { fly, orbitEye, orbitRound, resize, sightOf, SIZE, startAbove, turn, turnOrbit, zoomOrbit, type Orbit } from './input/eye';
import type { ChunkMesher } from './gpu/chunks';
import { fatal, element, Hud } from './view/hud';
import { Input, type Deeds } from './input/input';
import { groundMaterial, paintedMaterial, type Surface } from './view/material';
import { addressOf, type Params } from './params';
import { People } from './view/people';
import type { Graphics } from './view/probe';
import type { Eye, FromSession, Group, Hit, Status } from './world/protocol';
import { MESHERS } from './world/protocol.gen';
import { openStage, reopenStage } from './view/reopen';
import { Clock, type Terrane } from './report';
import { Stage } from './view/stage';
import { Terrain } from './view/terrain';
import { Hand } from './input/tool';
import { Touch } from './input/touch';

/** The aim is looked for anew at least this often, since others dig as well. */
const AIM_EVERY_MS = 200;
/** How long the first shaders wait for the world's materials. */
const PALETTE_MS = 2000;
const HUD_EVERY_MS = 100;
/** Browsers allow a hundred changes of the address in half a minute. */
const ADDRESS_EVERY_MS = 500;
/** How often growing ground is drawn by a software renderer. */
const GROW_EVERY_MS = 250;
/** A frame after a pause moves no one further than this. */
const MAX_STEP_SECONDS = 0.1;

/** Telephones with 2 GB and less see this far, in chunks, unless the address says otherwise: some 15 MB of meshes. */
const SMALL_MEMORY_GB = 2;
const SMALL_RADIUS = 5;

const MARCHING = 0;
const NETS = 1;
const BLOCKS = 2;

export async function run(params: Params, engine: Engine, graphics: Graphics): Promise<void> {
  // Smoothed edges and fine patterns cost a software renderer more than all else.
  const app = new App(params, engine, params.high ?? !graphics.software);
  await app.open(graphics);
}

class App implements Deeds {
  private readonly view = element('view');
  private readonly clock = new Clock();
  private readonly hud = new Hud();
  private material: Surface;
  /** Of the material, as text. */
  private palette = '';
  private readonly stage: Stage;
  private readonly terrain: Terrain;
  private readonly people = new People(element('names'));
  private readonly hand = new Hand((id, operation) => this.engine.tool(id, operation, this.radius, sightOf(this.eye)));
  private readonly input = new Input(this.view, this);

  /** Meshes on the graphics card what builders have filled, with ?builder=gpu. */
  private chunkMesher: ChunkMesher | null = null;
  private eye: Eye;
  private placed = false;
  private orbit: Orbit | null = null;
  private radius: number = SIZE.start;
  private mesher: number;
  private status: Status | null = null;
  private hit: Hit | null = null;
  private dirty = true;
  /** The ground grew: worth a new picture, but not at once where drawing is slow. */
  private grown = false;
  private drawing = false;
  private lastDraw = 0;
  private lastFrame = 0;
  private lastView = 0;
  private viewChanged = true;
  private lastHud = 0;
  private lastAddress = 0;
  private address = '';
  private firstTerrainMs = 0;
  private firstTerrainDrawnMs = 0;
  private allLoadedMs = 0;
  private losses = 0;
  private restored = 0;
  private pinched = 0;

  constructor(private readonly params: Params, private readonly engine: Engine, private readonly high: boolean) {
    this.material = groundMaterial(high);
    this.stage = new Stage(this.view, high, (reason) => void this.restore(reason));
    this.terrain = new Terrain(this.material, (group) => this.groupShown(group.id, group.edit));
    this.mesher = params.mesher;
    this.eye = params.eye ?? startAbove(0);
    new Touch(this.view, this.input, this);
    this.stage.world.add(this.terrain.node, this.people.node);
    this.terrain.prepare();
    Object.defineProperty(window, 'terrane', { value: this.report() });
  }

  /** Opens the stage and starts the frames. */
  async open(graphics: Graphics): Promise<void> {
    performance.mark('renderer loaded');
    await openStage(this.stage, graphics);
    performance.mark('renderer open');
    this.stage.setViewRadius(this.params.radius || 8);
    // Most often the world is known by now; its shaders are the first that are made then, and the only ones.
    const known = await Promise.race([this.engine.palette, after(PALETTE_MS)]);
    if (known) this.paint(known);
    await this.stage.compile();
    performance.mark('shaders made');
    if (this.params.gpuMeshes) {
      const { ChunkMesher } = await import('./gpu/chunks');
      this.chunkMesher = await ChunkMesher.make((reason) => this.hud.notice(`Meshed by a worker, not on the graphics card: ${reason}.`));
    }
    this.drawing = true;
    addEventListener('unhandledrejection', (event) => {
      // three asks for errors of a graphics card that may have gone meanwhile; restore deals with that.
      if (event.reason instanceof DOMException && event.reason.name === 'OperationError') event.preventDefault();
    });
    this.engine.listen((message) => this.clock.time(message.type, () => this.hear(message)));
    addEventListener('resize', () => {
      this.stage.resize();
      this.dirty = true;
    });
    requestAnimationFrame((now) => this.turn(now));
  }

  /** Makes a new renderer after the old one has lost the graphics card. */
  private async restore(reason: string): Promise<void> {
    if (!this.drawing) return;
    this.drawing = false;
    this.losses++;
    this.hand.rest();
    this.hud.notice('The graphics card was lost. Trying to get it back…');
    if (await reopenStage(this.stage, this.params.renderer, this.losses)) {
      this.restored++;
      this.drawing = true;
      this.dirty = true;
      return;
    }
    fatal('The graphics card was lost', [reason], 'What you built is kept by the server. Reload the page to go on.');
  }

  private hear(message: FromSession): void {
    switch (message.type) {
      case 'palette':
        this.paint(message.palette);
        break;
      case 'group':
        if (this.chunkMesher) this.chunkMesher.mesh(message.group, (group) => this.takeGroup(group));
        else this.takeGroup(message.group);
        break;
      case 'aim':
        this.hit = message.hit;
        this.dirty = true;
        break;
      case 'edited':
        this.hand.edited(message.id, message.counter);
        if (message.refusal) this.hud.notice(message.refusal);
        break;
      case 'people':
        this.people.update(message.moved, message.gone);
        this.dirty = true;
        break;
      case 'status':
        this.hearStatus(message.status);
        break;
    }
  }

  /** Gives the ground the materials of the world. */
  private paint(palette: Uint8Array): void {
    const text = palette.join();
    if (text === this.palette) return;
    this.palette = text;
    const { wireframe } = this.material;
    this.material = palette.length > 0 ? paintedMaterial(palette, this.high) : groundMaterial(this.high);
    this.material.wireframe = wireframe;
    this.terrain.dress(this.material, palette.length > 0);
    this.dirty = true;
  }

  private takeGroup(group: Group): void {
    this.terrain.take(group);
    // An edit is handed to the renderer now, not with the next frame: it may be long in coming.
    this.terrain.work(performance.now(), false);
  }

  private hearStatus(status: Status): void {
    const before = this.status;
    if (status.state !== before?.state) performance.mark(`session ${status.state}`);
    this.status = status;
    this.mesher = status.mesher;
    if (status.radius !== before?.radius && status.radius > 0) {
      this.stage.setViewRadius(status.radius);
      const { deviceMemory = Infinity } = navigator as { deviceMemory?: number };
      if (deviceMemory <= SMALL_MEMORY_GB && status.radius > SMALL_RADIUS && !this.params.radius) this.engine.setRadius(SMALL_RADIUS);
    }
    if (status.state === 'refused') fatal('The server does not let this page in', [status.message], 'Reload the page to load its newest version.');
    if (before && status.message !== '' && status.message !== before.message && status.state === 'live') this.hud.notice(status.message);
  }

  private groupShown(id: number, edit: boolean): void {
    if (this.terrain.swaps === 1) performance.mark('first group');
    // The renderer has it. To wait for the frame would tie loading to the speed of drawing.
    this.engine.shown(id);
    this.grown = this.viewChanged = true; // the aim may meet other ground
    if (!edit) return;
    this.dirty = true;
    this.hand.shown(performance.now());
  }

  private turn(now: number): void {
    requestAnimationFrame((next) => this.turn(next));
    this.clock.time('frame', () => this.frame(now));
  }

  private frame(now: number): void {
    const seconds = Math.min((now - this.lastFrame) / 1000, MAX_STEP_SECONDS);
    this.lastFrame = now;
    this.place();
    this.move(seconds);
    this.tellView(now);
    this.terrain.work(now, true);
    if (this.terrain.rebase(this.eye.x, this.eye.y, this.eye.z)) this.dirty = true;
    if (this.people.glide(seconds, this.terrain.origin)) this.dirty = true;
    if (this.drawing && (this.dirty || (this.grown && now - this.lastDraw >= this.growEveryMs))) this.draw(now);
    this.tellPeople(now);
  }

  /** Takes the place above the ground once it is known. */
  private place(): void {
    if (this.placed || !this.engine.startEye) return;
    this.placed = true;
    this.eye = this.engine.startEye;
    this.dirty = true;
  }

  private move(seconds: number): void {
    this.input.turnByKeys(seconds);
    const before = this.eye;
    if (this.orbit) this.eye = orbitEye(this.orbit);
    else this.eye = fly(this.eye, this.input.wish(), seconds);
    const { x, y, z, yaw, pitch } = this.eye;
    if (x !== before.x || y !== before.y || z !== before.z || yaw !== before.yaw || pitch !== before.pitch) this.changed();
  }

  private changed(): void {
    this.dirty = this.viewChanged = true;
  }

  private tellView(now: number): void {
    if (!this.placed || (!this.viewChanged && now - this.lastView < AIM_EVERY_MS)) return;
    this.viewChanged = false;
    this.lastView = now;
    this.engine.view(this.eye, sightOf(this.eye));
  }

  /** Where the processor draws, drawing each chunk that comes would keep it from making the next. */
  private get growEveryMs(): number {
    return this.stage.software && this.firstTerrainMs > 0 ? GROW_EVERY_MS : 0;
  }

  private draw(now: number): void {
    this.dirty = this.grown = false;
    this.lastDraw = now;
    this.stage.look(this.eye, this.terrain.origin);
    this.stage.aim(this.orbit ? null : this.hit, this.radius, this.terrain.origin);
    this.terrain.checkFrame();
    this.stage.render();
    this.people.label(this.stage.camera, this.view.clientWidth, this.view.clientHeight);
    if (this.firstTerrainMs === 0 && this.terrain.triangles > 0) this.firstTerrain();
  }

  private firstTerrain(): void {
    this.firstTerrainMs = performance.now();
    this.hud.show();
    const { backend, reason } = this.stage.drawsWith;
    if (backend === 'webgl2' && !this.params.renderer) this.hud.notice(`Drawn with WebGL2 in place of WebGPU: ${reason}.`);
    const drawn = () => {
      this.firstTerrainDrawnMs = performance.now();
      return this.warm();
    };
    this.stage.finished().then(drawn, drawn); // it fails if the graphics card is lost meanwhile
  }

  /** Makes the shaders of what is not needed for the first picture. That ends the start-up. */
  private async warm(): Promise<void> {
    await this.stage.warm(this.people.sample());
    this.dirty = true;
    this.clock.started = true;
    performance.mark('started');
  }

  /** Writes the head-up display and the address. */
  private tellPeople(now: number): void {
    if (now - this.lastHud >= HUD_EVERY_MS) {
      this.lastHud = now;
      this.tellLoading();
      this.hud.update({
        status: this.status, eye: this.eye, radius: this.radius,
        framesPerSecond: this.clock.framesPerSecond, backend: this.stage.backend, orbit: this.orbit !== null,
        triangles: this.terrain.triangles, vertices: this.terrain.vertices,
      });
    }
    if (this.placed && now - this.lastAddress >= ADDRESS_EVERY_MS) {
      this.lastAddress = now;
      const address = addressOf(location.search, this.eye);
      if (address !== this.address) history.replaceState(null, '', address);
      this.address = address;
    }
  }

  private tellLoading(): void {
    const s = this.status;
    if (!s || s.state !== 'live') {
      this.hud.cover(s?.message || (s?.state === 'loading' ? 'Loading the world…' : 'Connecting…'), null, false);
      return;
    }
    const all = s.loaded + s.waiting;
    this.hud.cover(`Loading terrain ${s.loaded}/${all}`, all > 0 ? s.loaded / all : null, this.firstTerrainMs > 0);
    if (this.firstTerrainMs > 0 && all > 0 && s.waiting === 0) {
      if (this.allLoadedMs === 0) this.allLoadedMs = performance.now();
      this.hud.uncover();
    }
  }

  // Deeds.

  look(left: number, up: number): void {
    if (this.orbit) this.orbit = turnOrbit(this.orbit, -left, up);
    else this.eye = turn(this.eye, left, up);
    this.changed();
  }

  wheel(steps: number): void {
    if (this.orbit) this.orbit = zoomOrbit(this.orbit, Math.pow(0.9, steps));
    else this.radius = resize(this.radius, steps);
    this.changed();
  }

  pinch(factor: number): void {
    if (this.orbit) {
      this.orbit = zoomOrbit(this.orbit, 1 / factor);
      this.changed();
      return;
    }
    this.pinched += Math.log(factor) * 6;
    const steps = Math.trunc(this.pinched);
    this.pinched -= steps;
    if (steps !== 0) this.wheel(steps);
  }

  work(operation: 'dig' | 'build', at: number): void {
    if (this.placed && this.drawing && !this.orbit) this.hand.work(operation, at);
  }

  rest(): void {
    this.hand.rest();
  }

  toggle(what: 'blocks' | 'wireframe' | 'mesher' | 'orbit'): void {
    if (what === 'wireframe') this.material.wireframe = !this.material.wireframe;
    else if (what === 'orbit') this.toggleOrbit();
    else if (what === 'blocks') this.setMesher(this.mesher === BLOCKS ? MARCHING : BLOCKS);
    else this.setMesher(this.mesher === MARCHING ? NETS : MARCHING);
    this.changed();
  }

  private setMesher(mesher: number): void {
    this.mesher = mesher;
    this.engine.setMesher(mesher);
  }

  private toggleOrbit(): void {
    this.hand.rest();
    if (this.orbit) this.orbit = null;
    else {
      const { x, y, z } = this.hit ?? this.eye;
      this.orbit = orbitRound(x, y, z);
      document.exitPointerLock();
    }
    document.body.classList.toggle('orbit', this.orbit !== null);
  }

  captured(): void {
    this.dirty = true;
  }

  notice(text: string): void {
    this.hud.notice(text);
  }

  orbiting(): boolean {
    return this.orbit !== null;
  }

  /** An object that looks everything up when it is asked. */
  private report(): Terrane {
    const look: { [K in keyof Terrane]: () => Terrane[K] } = {
      started: () => this.clock.started,
      backend: () => this.stage.backend,
      software: () => this.stage.software,
      depth: () => this.stage.depth(),
      state: () => this.status?.state ?? 'offline',
      world: () => this.status?.world ?? '',
      hash: () => this.status?.hash ?? '',
      head: () => this.status?.head ?? 0,
      status: () => this.status,
      loaded: () => this.status?.loaded ?? 0,
      waiting: () => (this.status?.waiting ?? 0) + this.terrain.waiting,
      triangles: () => this.terrain.triangles,
      vertices: () => this.terrain.vertices,
      pages: () => this.terrain.pageCount,
      gpuBytes: () => this.terrain.bytes,
      edits: () => ({ acked: this.status?.acked ?? 0, pending: this.status?.pending ?? 0, refused: this.status?.refused ?? 0 }),
      groupSwaps: () => this.terrain.swaps,
      editSwaps: () => this.terrain.editSwaps,
      lastEditChunks: () => this.terrain.lastEditChunks,
      halfShown: () => this.terrain.halfShown,
      frames: () => this.clock.frames,
      frameMs: () => this.clock.frameMs,
      firstTerrainMs: () => this.firstTerrainMs,
      firstTerrainDrawnMs: () => this.firstTerrainDrawnMs,
      allLoadedMs: () => this.allLoadedMs,
      editToShownMs: () => this.hand.shownMs,
      longestUploadMs: () => this.terrain.longestUploadMs,
      longTasks: () => this.clock.longTasks,
      eye: () => this.eye,
      aim: () => this.hit,
      gpuMeshed: () => this.chunkMesher?.meshed ?? 0,
      captured: () => this.input.captured,
      working: () => this.hand.working,
      radius: () => this.radius,
      orbit: () => this.orbit !== null,
      wireframe: () => this.material.wireframe,
      mesher: () => (this.status && MESHERS[this.status.mesher]) ?? '',
      people: () => this.people.count,
      restored: () => this.restored,
    };
    const report = {};
    for (const [name, get] of Object.entries(look)) Object.defineProperty(report, name, { get, enumerable: true });
    return report as Terrane;
  }
}

/** Resolves to nothing after some milliseconds. */
function after(ms: number): Promise<null> {
  return new Promise((passed) => setTimeout(passed, ms, null));
}
