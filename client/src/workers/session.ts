// The session worker: the world's client. The program decides; this owns the socket, the fetches, the ports to
// the builders and the clock.
import type { Tool, ChunkID, ChunkResult, FromBuilderPort, FromSession, Hit, Named, Person, Sight, StartSession, Status, ToSession } from '../world/protocol';
import { ChunkNumber, HeaderWord, ResultNumber, type SessionMethod, type SessionOrder, type SessionSetting } from '../world/protocol.gen';
import { runGo } from './go';
import { Pool } from './pool';

/** Settings are what the program is started with: a session's number is two words, the high one first. */
type Settings = Named<SessionSetting, { session: number[]; name: string; builders: number; mesher: number; radius: number }>;

/** A sight's place in meters and its direction. */
type Ray = [x: number, y: number, z: number, dx: number, dy: number, dz: number];

/** SessionProgram is the methods of client/engine/session. */
type SessionProgram = Named<SessionMethod, {
  start(now: number, config: Settings): void;
  opened(now: number): void;
  closed(now: number, reason: string): void;
  receive(now: number, frame: Uint8Array): void;
  fetched(now: number, hash: string, data: Uint8Array): void;
  fetchFailed(now: number, hash: string, reason: string): void;
  built(now: number, ticket: number, header: Uint8Array): void;
  buildFailed(now: number, ticket: number, reason: string): void;
  shown(now: number, group: number): void;
  view(now: number, x: number, y: number, z: number, yaw: number, pitch: number): void;
  setMesher(now: number, mesher: number): void;
  setRadius(now: number, radius: number): void;
  strike(now: number, tool: Tool, ...sight: Ray): number | string | null;
  aim(...sight: Ray): Hit | null;
  ground(x: number, z: number): number | null;
  tick(now: number): boolean;
}>;

/** The bytes of a result that the program reads. */
const HEADER_BYTES = 4 * HeaderWord.Count;
const TICK_MS = 25;

const now = () => performance.now();
const send = (message: FromSession, transfer: Transferable[] = []) => postMessage(message, { transfer });
const failed = (reason: string) => send({ type: 'failed', reason });

let program: SessionProgram | undefined;
/** Messages from before the program ran. */
const early: ToSession[] = [];

onmessage = (event: MessageEvent<ToSession>) => {
  const message = event.data;
  if (message.type === 'start') void start(message);
  else if (program) handle(program, message);
  else early.push(message);
};

async function start(message: StartSession): Promise<void> {
  const host = new Host(message);
  const p = await runGo<SessionProgram>(message.module, 'session', host.methods(), (reason) => failed(`session: ${reason}`));
  host.program = program = p;
  const session = [...crypto.getRandomValues(new Uint32Array(2))];
  const { name, mesher, radius } = message;
  p.start(now(), { session, name, builders: message.builders.length, mesher, radius });
  for (const m of early.splice(0)) handle(p, m);
  tick(p);
}

/** Gives the program the time. While it has more to do, other messages get their turn in between. */
function tick(p: SessionProgram): void {
  const turn = new MessageChannel();
  let again = false;
  const once = () => {
    again = false;
    if (p.tick(now())) later();
  };
  const later = () => {
    if (again) return;
    again = true;
    turn.port2.postMessage(null);
  };
  turn.port1.onmessage = once;
  setInterval(once, TICK_MS);
  afterEvent = later;
}

/** Asks for a tick soon: an event may have left work behind. */
let afterEvent = () => {};

function handle(p: SessionProgram, message: ToSession): void {
  switch (message.type) {
    case 'view': {
      const { x, y, z, yaw, pitch } = message.eye;
      p.view(now(), x, y, z, yaw, pitch);
      send({ type: 'aim', hit: p.aim(...rayOf(message.sight)) });
      break;
    }
    case 'strike':
      strike(p, message);
      break;
    case 'mesher':
      p.setMesher(now(), message.mesher);
      break;
    case 'radius':
      p.setRadius(now(), message.radius);
      break;
    case 'ground':
      send({ type: 'ground', x: message.x, z: message.z, y: p.ground(message.x, message.z) });
      break;
    case 'shown':
      p.shown(now(), message.group);
      break;
  }
  afterEvent();
}

function strike(p: SessionProgram, { id, tool, sight }: ToSession & { type: 'strike' }): void {
  const answer = p.strike(now(), tool, ...rayOf(sight));
  if (typeof answer === 'string') send({ type: 'edited', id, counter: 0, refusal: answer });
  else send({ type: 'edited', id, counter: answer ?? 0, refusal: '' });
}

const rayOf = (s: Sight): Ray => [s.x, s.y, s.z, s.dx, s.dy, s.dz];

/** Host does what the program orders. Its methods are called from within the program and must not call it back. */
class Host {
  program: SessionProgram | undefined;
  private socket: WebSocket | undefined;
  private connecting: ReturnType<typeof setTimeout> | undefined;
  private readonly pool: Pool;
  /** Results by ticket, until they are shown or discarded. */
  private readonly results = new Map<number, ArrayBuffer>();
  private readonly discarded = new Set<number>();

  constructor(private readonly conf: StartSession) {
    this.pool = new Pool(conf.builders, (message) => this.answered(message));
  }

  methods(): Record<SessionOrder, (...args: never[]) => unknown> {
    return {
      connect: (after: number) => this.connect(after),
      disconnect: () => this.disconnect(),
      send: (frame: Uint8Array<ArrayBuffer>) => this.socket?.send(frame),
      fetch: (hash: string) => void this.fetch(hash),
      ready: (graph: Uint8Array, assets: Record<string, Uint8Array>, palette: Uint8Array) => {
        send({ type: 'palette', palette });
        this.pool.init(graph, assets);
      },
      build: (ticket: number, lane: number, job: Uint8Array<ArrayBuffer>) => this.pool.build(ticket, lane, job.buffer),
      discard: (ticket: number) => this.discard(ticket),
      show: (id: number, edit: boolean, results: Int32Array, drops: Int32Array) => this.show(id, edit, results, drops),
      people: (moved: Person[], gone: number[]) => send({ type: 'people', moved, gone }),
      status: (status: Status) => send({ type: 'status', status }),
    };
  }

  private connect(after: number): void {
    this.disconnect();
    this.connecting = setTimeout(() => this.open(), after);
  }

  private open(): void {
    const socket = new WebSocket(`${this.conf.server.replace(/^http/, 'ws')}/v1/ws`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    const mine = (f: (p: SessionProgram) => void) => {
      if (this.socket !== socket || !this.program) return;
      f(this.program);
      afterEvent();
    };
    socket.onopen = () => mine((p) => p.opened(now()));
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => mine((p) => p.receive(now(), new Uint8Array(event.data)));
    socket.onclose = (event) =>
      mine((p) => {
        this.socket = undefined;
        p.closed(now(), event.reason || (event.code === 1006 ? 'the connection was lost' : `closed with code ${event.code}`));
      });
  }

  private disconnect(): void {
    clearTimeout(this.connecting);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  private async fetch(hash: string): Promise<void> {
    try {
      const response = await fetch(`${this.conf.server}/v1/content/${hash}`);
      if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`);
      const data = new Uint8Array(await response.arrayBuffer());
      this.program?.fetched(now(), hash, data);
    } catch (error) {
      this.program?.fetchFailed(now(), hash, error instanceof Error ? error.message : String(error));
    }
    afterEvent();
  }

  private answered(message: FromBuilderPort): void {
    const p = this.program;
    if (!p) return;
    if (message.type === 'built') {
      if (!this.discarded.delete(message.ticket)) this.results.set(message.ticket, message.result);
      const header = new Uint8Array(message.result, 0, Math.min(HEADER_BYTES, message.result.byteLength));
      p.built(now(), message.ticket, header);
    } else if (message.type === 'buildFailed') {
      this.discarded.delete(message.ticket);
      p.buildFailed(now(), message.ticket, message.reason);
    }
    afterEvent();
  }

  /** A ticket may be discarded before its result has come. */
  private discard(ticket: number): void {
    if (!this.results.delete(ticket)) this.discarded.add(ticket);
  }

  private show(id: number, edit: boolean, numbers: Int32Array, dropped: Int32Array): void {
    const results: ChunkResult[] = [];
    const transfer: ArrayBuffer[] = [];
    for (let i = 0; i < numbers.length; i += ResultNumber.Stride) {
      const at = (n: ResultNumber) => numbers[i + n]!;
      const ticket = at(ResultNumber.Ticket) >>> 0;
      const mesh = (!at(ResultNumber.Empty) && this.results.get(ticket)) || null;
      this.results.delete(ticket);
      results.push({
        x: at(ResultNumber.X), y: at(ResultNumber.Y), z: at(ResultNumber.Z), level: at(ResultNumber.Level),
        version: at(ResultNumber.Version), mesh,
      });
      if (mesh) transfer.push(mesh);
    }
    const drops: ChunkID[] = [];
    for (let i = 0; i < dropped.length; i += ChunkNumber.Stride) {
      const at = (n: ChunkNumber) => dropped[i + n]!;
      drops.push({ x: at(ChunkNumber.X), y: at(ChunkNumber.Y), z: at(ChunkNumber.Z), level: at(ChunkNumber.Level) });
    }
    send({ type: 'group', group: { id, edit, results, drops } }, transfer);
  }
}
