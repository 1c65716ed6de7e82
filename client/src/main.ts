// The page's entry: starts the engine at once, finds out what can draw, then loads the renderer.
import { Engine, heightView } from './world/engine';
import { fatal, element } from './view/hud';
import { readParams, type Params } from './params';
import { probe } from './view/probe';
import type { Heightmap } from './world/protocol';

async function start(): Promise<void> {
  const demo = new URLSearchParams(location.search).get('demo');
  if (demo !== null) {
    await (await import('./demo/demo')).runDemo(demo);
    return;
  }
  const params = readParams(location.search);
  if (params.view) return startHeights(params, params.view);
  const engine = new Engine(params, (reason) => fatal('The world’s engine has stopped', [reason], 'What you built is kept by the server. Reload the page to go on.'));
  const loading = import('./app');
  loading.catch(() => {}); // reported below, unless nothing can draw anyway
  const graphics = await probe(params.renderer);
  if ('missing' in graphics) {
    engine.stop();
    return cannotDraw(graphics.missing);
  }
  performance.mark('probed');
  element('cover-text').textContent = 'Loading the renderer…';
  const { run } = await loading;
  await run(params, engine, graphics);
}

/** Shows a heightmap in place of the world. */
async function startHeights(params: Params, heightmap: Heightmap): Promise<void> {
  element('cover-text').textContent = 'Making the heightmap…';
  const view = heightView(heightmap); // the engine works while the renderer loads
  const loading = import('./heights');
  for (const coming of [view, loading]) coming.catch(() => {}); // reported below, unless nothing can draw anyway
  const graphics = await probe(params.renderer);
  if ('missing' in graphics) return cannotDraw(graphics.missing);
  const { run } = await loading;
  await run(params, heightmap, await view, graphics);
}

function cannotDraw(missing: string[]): void {
  fatal(
    'This browser cannot draw the world',
    missing,
    'Turn on hardware acceleration in the browser’s settings, update the graphics driver, or open this page in a current Chrome, Edge, Firefox or Safari.',
  );
}

start().catch((error: unknown) => {
  console.error(error);
  fatal('The page could not be started', [error instanceof Error ? error.message : String(error)], 'Reload the page; if it happens again, try ?renderer=webgl2 in the address.');
});
