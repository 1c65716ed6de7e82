// Hands jobs to builders. The session names a lane for each job, so that a builder sees the same part of the
// world again and again and finds its bricks in its cache; a builder with nothing to do takes from the others.
import type { FromBuilderPort, ToBuilder } from '../world/protocol';

interface Job {
  ticket: number;
  job: ArrayBuffer;
}

interface Builder {
  port: MessagePort;
  /** Tickets that the builder has. */
  busy: Set<number>;
  waiting: Job[];
}

/** Two jobs at once hide the way there and back; more would only delay an edit behind them. */
const JOBS_AT_ONCE = 2;

export class Pool {
  private readonly builders: Builder[];

  constructor(ports: MessagePort[], answer: (message: FromBuilderPort) => void) {
    this.builders = ports.map((port) => ({ port, busy: new Set<number>(), waiting: [] }));
    for (const builder of this.builders) {
      builder.port.onmessage = (event: MessageEvent<FromBuilderPort>) => {
        if (event.data.type !== 'heights') builder.busy.delete(event.data.ticket);
        this.feed();
        answer(event.data);
      };
    }
  }

  /** Gives every builder the world's document and files. */
  init(graph: Uint8Array, assets: Record<string, Uint8Array>): void {
    for (const { port, waiting } of this.builders) {
      waiting.length = 0;
      port.postMessage({ type: 'init', graph, assets } satisfies ToBuilder);
    }
  }

  build(ticket: number, lane: number, job: ArrayBuffer): void {
    this.builders[lane % this.builders.length]!.waiting.push({ ticket, job });
    this.feed();
  }

  private feed(): void {
    for (const builder of this.builders) {
      while (builder.busy.size < JOBS_AT_ONCE && this.give(builder, builder.waiting)) continue;
    }
    for (const builder of this.builders) {
      if (builder.busy.size > 0) continue;
      const longest = this.builders.reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a));
      this.give(builder, longest.waiting);
    }
  }

  private give(builder: Builder, queue: Job[]): boolean {
    const next = queue.shift();
    if (!next) return false;
    builder.busy.add(next.ticket);
    builder.port.postMessage({ type: 'job', ...next } satisfies ToBuilder, [next.job]);
    return true;
  }
}
