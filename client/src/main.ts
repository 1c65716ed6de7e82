// The page's entry: starts the engine at once, finds out what can draw, then loads the renderer.
import { Engine } from './engine';
import { fatal, element } from './hud';
import { readParams } from './params';
import { probe } from './probe';

async function start(): Promise<void> {
  const params = readParams(location.search);
  const engine = new Engine(params, (reason) => fatal('The world’s engine has stopped', [reason], 'What you built is kept by the server. Reload the page to go on.'));
  const loading = import('./app');
  loading.catch(() => {}); // told below, unless nothing can draw anyway
  const graphics = await probe(params.renderer);
  if ('missing' in graphics) {
    engine.stop();
    fatal(
      'This browser cannot draw the world',
      graphics.missing,
      'Turn on hardware acceleration in the browser’s settings, update the graphics driver, or open this page in a current Chrome, Edge, Firefox or Safari.',
    );
    return;
  }
  performance.mark('probed');
  element('cover-text').textContent = 'Loading the renderer…';
  const { run } = await loading;
  await run(params, engine, graphics);
}

start().catch((error: unknown) => {
  console.error(error);
  fatal('The page could not be started', [error instanceof Error ? error.message : String(error)], 'Reload the page; if it happens again, try ?renderer=webgl2 in the address.');
});
