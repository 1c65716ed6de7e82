// A builder worker: turns jobs from the session worker into meshes.
import type { FromBuilder, FromBuilderPort, StartBuilder, ToBuilder, Named } from '../world/protocol';
import type { BuilderMethod } from '../world/protocol.gen';
import { runGo } from './go';

type BuilderProgram = Named<BuilderMethod, {
  init(graph: Uint8Array, assets: Record<string, Uint8Array>, samples: boolean): Error | undefined;
  build(job: Uint8Array): Uint8Array<ArrayBuffer> | Error;
  heights(heightmap: number): Uint8Array<ArrayBuffer> | Error;
}>;

const toPage = (message: FromBuilder) => postMessage(message);

onmessage = async (event: MessageEvent<StartBuilder>) => {
  const { module, port, samples } = event.data;
  const answer = (message: FromBuilderPort, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const fail = (reason: string) => toPage({ type: 'failed', reason: `builder: ${reason}` });
  const program = await runGo<BuilderProgram>(module, 'builder', {}, fail);
  port.onmessage = (event: MessageEvent<ToBuilder>) => {
    const message = event.data;
    if (message.type === 'init') {
      const error = program.init(message.graph, message.assets, samples);
      if (error) fail(error.message);
      return;
    }
    if (message.type === 'heights') {
      const view = program.heights(message.heightmap);
      if (view instanceof Error) fail(view.message);
      else answer({ type: 'heights', view: view.buffer }, [view.buffer]);
      return;
    }
    const result = program.build(new Uint8Array(message.job));
    if (result instanceof Error) {
      answer({ type: 'buildFailed', ticket: message.ticket, reason: result.message });
      return;
    }
    answer({ type: 'built', ticket: message.ticket, result: result.buffer }, [result.buffer]);
  };
};
