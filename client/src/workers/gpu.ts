// A worker for pages that work on the GPU: the engine in its role gpu, called by name.
import type { FromGpuWorker, StartGpuWorker, ToGpuWorker } from '../gpu/engine';
import type { GpuMethod } from '../world/protocol.gen';
import { runGo } from './go';

type Program = Record<GpuMethod, (...args: unknown[]) => unknown>;

const answer = (message: FromGpuWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });

let program: Promise<Program> | undefined;

onmessage = async (event: MessageEvent<StartGpuWorker | ToGpuWorker>) => {
  const message = event.data;
  if (message.type === 'start') {
    program = runGo<Program>(message.module, 'gpu', {}, (reason) => answer({ type: 'failed', reason: `the engine: ${reason}` }));
    return;
  }
  const p = await program!;
  const result = p[message.method](...message.args);
  if (result instanceof Error) answer({ type: 'refused', id: message.id, reason: result.message });
  else answer({ type: 'done', id: message.id, result }, buffersOf(result));
};

/** The buffers of a result's typed arrays, which go over without a copy. */
function buffersOf(result: unknown): Transferable[] {
  const parts = ArrayBuffer.isView(result) ? [result] : Object.values((result as object | undefined) ?? {});
  return parts.filter((part) => ArrayBuffer.isView(part)).map((part) => part.buffer as ArrayBuffer);
}
