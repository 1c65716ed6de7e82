// The pages that work on the GPU, by the name in the address: ?demo=animated, volume, check or bench.
import { fatal } from '../view/hud';

/** A page and what it is called in error messages. */
const DEMOS: Record<string, () => Promise<() => Promise<void>>> = {
  animated: async () => (await import('./animated')).run,
  volume: async () => (await import('./volume')).run,
  bench: async () => (await import('./bench')).run,
  check: async () => (await import('./checkpage')).run,
};

/** Runs a demo, or shows which there are. */
export async function runDemo(name: string): Promise<void> {
  const demo = Object.hasOwn(DEMOS, name) ? DEMOS[name] : undefined;
  if (!demo) {
    fatal('There is no such demo', [], `?demo= takes ${Object.keys(DEMOS).join(', ')}.`);
    return;
  }
  const run = await demo();
  await run();
}
