// The graphics card's work, on a software card: held to the processor's sample by sample and triangle by triangle.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { client, launch, PATIENCE_MS, Server, until } from './lib.mjs';

let server;
before(async () => (server = await new Server(['--template', 'flat']).start()));
after(() => server.stop());

/** Opens a demo, with a list of all that goes wrong in it. */
async function openDemo(t, query, { kind = 'webgpu', init, size = { width: 640, height: 360 } } = {}) {
  const browser = await launch(t, kind);
  const page = await (await browser.newContext({ viewport: size })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(`console: ${message.text()}`);
  });
  if (init) await page.addInitScript(init);
  await page.goto(`${server.url}/?${new URLSearchParams(query)}`);
  return { page, errors };
}

test('samples and triangles are the processor’s', async (t) => {
  const { page, errors } = await openDemo(t, { demo: 'check', start: 'later' });
  await until(page, 'the suite is ready', () => window.terraneDemo);
  const fixtures = JSON.parse(readFileSync(join(client, '..', 'gpu', 'testdata', 'graphs.json'), 'utf8'));
  const results = await page.evaluate(async (list) => {
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const graphs = list.map(({ name, graph, files, jumps }) => ({
      name, graph: bytes(graph), jumps,
      files: Object.fromEntries(Object.entries(files).map(([hash, text]) => [hash, bytes(text)])),
    }));
    return window.terraneDemo.run(graphs);
  }, fixtures);
  for (const { name, ok, detail, ms } of results) {
    t.diagnostic(`${name}: ${detail} (${ms} ms)`);
    assert.ok(ok, `${name}: ${detail}`);
  }
  assert.equal(results.length, 10 + fixtures.length);
  assert.deepEqual(errors, []);
});
