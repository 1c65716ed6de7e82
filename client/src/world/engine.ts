// The page's side of the engine: starts the workers and passes messages. What arrives before the renderer is
// ready waits here.
import { sightOf, startAbove } from '../input/eye';
import type { Tool, Eye, FromBuilder, FromBuilderPort, FromSession, Heightmap, Sight, StartBuilder, ToBuilder, ToSession } from './protocol';
import type { Params } from '../params';
import { HEIGHTMAPS } from './protocol.gen';

declare const SESSION_WORKER: string;
declare const BUILDER_WORKER: string;
declare const ENGINE_WASM: string;

/** One builder per core but one, which is left for the page; more than six only wait for memory. */
export function builderCount(cores: number): number {
  return Math.min(Math.max(cores - 1, 1), 6);
}

export class Engine {
  readonly builders = builderCount(navigator.hardwareConcurrency || 2);
  private readonly session = new Worker(SESSION_WORKER);
  private readonly workers = [this.session];
  private listener: ((message: FromSession) => void) | null = null;
  private readonly early: FromSession[] = [];
  private foundPalette!: (palette: Uint8Array) => void;
  /** The materials of the world, once it is known. */
  readonly palette = new Promise<Uint8Array>((found) => (this.foundPalette = found));
  /** Where the viewer starts: what the address says, or above the ground in the middle, once that is known. */
  private start: Eye | null;

  constructor(params: Params, private readonly failed: (reason: string) => void) {
    this.start = params.eye;
    if (this.start) this.view(this.start, sightOf(this.start));
    const failure = (event: ErrorEvent) => failed(event.message || 'a worker could not be started');
    this.session.onerror = failure;
    this.session.onmessage = (event: MessageEvent<FromSession>) => this.receive(event.data);
    const ports: MessagePort[] = [];
    const starts: ((module: WebAssembly.Module) => void)[] = [];
    for (let i = 0; i < this.builders; i++) {
      const worker = new Worker(BUILDER_WORKER);
      this.workers.push(worker);
      worker.onerror = failure;
      worker.onmessage = (event: MessageEvent<FromBuilder>) => failed(event.data.reason);
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      starts.push((module) => worker.postMessage({ type: 'start', module, port: port2, samples: params.gpuMeshes } satisfies StartBuilder, [port2]));
    }
    compile(ENGINE_WASM).then(
      (module) => {
        performance.mark('engine compiled');
        this.send(
          {
            type: 'start', module, builders: ports, server: location.origin,
            name: params.name, mesher: params.mesher, radius: params.radius,
          },
          ports,
        );
        starts.forEach((start) => start(module));
      },
      (error: unknown) => failed(`the engine could not be loaded: ${String(error)}`),
    );
  }

  /** Sets the listener for the session's messages, and passes on those that have come so far. */
  listen(listener: (message: FromSession) => void): void {
    this.listener = listener;
    for (const message of this.early.splice(0)) listener(message);
  }

  /** Ends the workers. */
  stop(): void {
    for (const worker of this.workers) worker.terminate();
  }

  view(eye: Eye, sight: Sight): void {
    this.send({ type: 'view', eye, sight });
  }

  /** Makes an edit where a sight meets the ground; the answer comes with the id. */
  strike(id: number, tool: Tool, sight: Sight): void {
    this.send({ type: 'strike', id, tool, sight });
  }

  setMesher(mesher: number): void {
    this.send({ type: 'mesher', mesher });
  }

  get startEye(): Eye | null {
    return this.start;
  }

  setRadius(radius: number): void {
    this.send({ type: 'radius', radius });
  }

  shown(group: number): void {
    this.send({ type: 'shown', group });
  }

  private send(message: ToSession, transfer: Transferable[] = []): void {
    this.session.postMessage(message, transfer);
  }

  private receive(message: FromSession): void {
    if (message.type === 'palette') this.foundPalette(message.palette);
    if (message.type === 'failed') this.failed(message.reason);
    else if (message.type === 'ground') this.begin(message.y);
    else if (this.listener) this.listener(message);
    else this.early.push(message);
    if (message.type === 'status' && !this.start) this.send({ type: 'ground', x: 0, z: 0 });
  }

  /** Starts to load the world round its middle as soon as the height of the ground there is known. */
  private begin(ground: number | null): void {
    if (ground === null || this.start) return;
    this.start = startAbove(ground);
    this.view(this.start, sightOf(this.start));
  }
}

/** Asks an engine without a world, in a worker of its own, for the view of a heightmap (see view/heightview.ts). */
export function heightView(heightmap: Heightmap): Promise<ArrayBuffer> {
  const worker = new Worker(BUILDER_WORKER);
  const { port1, port2 } = new MessageChannel();
  const view = new Promise<ArrayBuffer>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || 'a worker could not be started'));
    worker.onmessage = (event: MessageEvent<FromBuilder>) => reject(new Error(event.data.reason));
    port1.onmessage = (event: MessageEvent<FromBuilderPort>) => {
      if (event.data.type === 'heights') resolve(event.data.view);
    };
    compile(ENGINE_WASM).then((module) => {
      worker.postMessage({ type: 'start', module, port: port2, samples: false } satisfies StartBuilder, [port2]);
      port1.postMessage({ type: 'heights', heightmap: HEIGHTMAPS.indexOf(heightmap) } satisfies ToBuilder);
    }, reject);
  });
  return view.finally(() => worker.terminate());
}

/** Compiles the program, once for all workers, while it loads. */
async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
