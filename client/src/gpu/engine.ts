// The page's side of the engine in its role gpu (client/engine/gpu): it writes shaders and does their work on the
// processor, to compare and where there is no WebGPU.
import type { GpuMethod } from '../world/protocol.gen';

declare const GPU_WORKER: string;
declare const ENGINE_WASM: string;

export interface StartGpuWorker {
  type: 'start';
  module: WebAssembly.Module;
}

export interface ToGpuWorker {
  type: 'call';
  id: number;
  method: GpuMethod;
  args: unknown[];
}

export type FromGpuWorker =
  | { type: 'done'; id: number; result: unknown }
  | { type: 'refused'; id: number; reason: string }
  | { type: 'failed'; reason: string };

/** A field as shaders compute it; without code only the processor does, for a reason. */
export interface Program {
  code: string;
  reason?: string;
  numbers: Uint32Array<ArrayBuffer>;
  columns: number;
  rasters: Float32Array<ArrayBuffer>;
}

/** Marching cubes on the processor: in cells from the low corner. */
export interface CpuMesh {
  positions: Float32Array<ArrayBuffer>;
  normals: Float32Array<ArrayBuffer>;
  depths: Float32Array<ArrayBuffer>;
  /** Four bytes a vertex, null where the samples have no materials. */
  materials: Uint8Array<ArrayBuffer> | null;
  indices: Uint32Array<ArrayBuffer>;
}

/** What a chunk's grid holds beside its samples, and where it lies. */
export interface ChunkGround {
  y: number;
  level: number;
  ground: Float32Array;
  materials: Uint8Array | null;
}

export type Files = Record<string, Uint8Array>;

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(ENGINE_WASM);
  if (!response.ok) throw new Error(`${ENGINE_WASM}: the server answered ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The engine in a worker of its own. */
export class GpuEngine {
  private readonly worker = new Worker(GPU_WORKER);
  private readonly waiting = new Map<number, { done: (result: never) => void; failed: (error: Error) => void }>();
  private calls = 0;
  private fault: Error | null = null;

  private constructor(module: WebAssembly.Module) {
    this.worker.onmessage = (event: MessageEvent<FromGpuWorker>) => this.receive(event.data);
    this.worker.onerror = (event) => this.fail(event.message || 'the worker could not be started');
    this.worker.postMessage({ type: 'start', module } satisfies StartGpuWorker);
  }

  static async start(): Promise<GpuEngine> {
    compiled ??= compile();
    return new GpuEngine(await compiled);
  }

  stop(): void {
    this.worker.terminate();
  }

  /** Every pass's text: "signs f32" and so on. */
  shaders(): Promise<Record<string, string>> {
    return this.call('shaders');
  }

  table(): Promise<Uint32Array<ArrayBuffer>> {
    return this.call('table');
  }

  template(name: string, seed: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.call('template', name, seed);
  }

  /** Sets the field that fill fills with, and writes its shader. */
  field(graph: Uint8Array, files: Files = {}): Promise<Program> {
    return this.call('field', graph, files);
  }

  fill(x: number, y: number, z: number, side: number, level = 0, edits = new Uint8Array()): Promise<Float32Array<ArrayBuffer>> {
    return this.call('fill', x, y, z, side, level, edits);
  }

  /** Fills and meshes a grid, whose field without edits is kept for the next time. */
  build(x: number, y: number, z: number, cells: number, edits: Uint8Array): Promise<CpuMesh> {
    return this.call('build', x, y, z, cells, edits);
  }

  /** Meshes a grid with a margin. (A part of an array would be sent with the whole of it, so it is copied out.) */
  chunk(samples: Float32Array, cells: number, at?: ChunkGround): Promise<CpuMesh> {
    return this.call('chunk', samples.slice(), cells, at && { ...at, ground: at.ground.slice(), materials: at.materials?.slice() ?? null });
  }

  volume(samples: Float32Array, size: [number, number, number], iso: number): Promise<CpuMesh> {
    return this.call('volume', samples, ...size, iso);
  }

  private call<T>(method: GpuMethod, ...args: unknown[]): Promise<T> {
    if (this.fault) return Promise.reject(this.fault);
    const id = ++this.calls;
    return new Promise<T>((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ type: 'call', id, method, args } satisfies ToGpuWorker);
    });
  }

  private receive(message: FromGpuWorker): void {
    if (message.type === 'failed') {
      this.fail(message.reason);
      return;
    }
    const call = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === 'done') call?.done(message.result as never);
    else call?.failed(new Error(message.reason));
  }

  private fail(reason: string): void {
    this.fault = new Error(reason);
    for (const { failed } of this.waiting.values()) failed(this.fault);
    this.waiting.clear();
  }
}
