// The heightmap in place of the world: what is drawn, both backends, and how it is turned.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, open, report, Server, until } from './lib.mjs';
import { pixels } from './pixels.mjs';

let server;
before(async () => (server = await new Server(['--template', 'flat']).start()));
after(() => server.stop());

const started = (page) => until(page, 'the heightmap is drawn', () => window.terrane?.started);

for (const backend of ['webgl2', 'webgpu']) {
  describe(backend, () => {
    test('shows the rough heightmap and its smooth predecessor', async (t) => {
      const { page, errors } = await open(t, server, backend, { query: { view: 'rough' } });
      await started(page);
      const r = await report(page);
      assert.equal(r.backend, backend);
      assert.deepEqual([r.view, r.vertices, r.triangles, r.segments], ['rough', 10201, 20000, 20200]);
      assert.ok(Math.abs(r.low + 1.005) < 1e-5 && Math.abs(r.high - 0.86492) < 1e-5, `heights ${r.low} … ${r.high}`);
      await page.locator('#hud-tool', { hasText: '10,201 vertices · 20,000 triangles' }).waitFor();
      const drawn = await pixels(page);
      assert.ok(drawn.share((c) => c.r > 90 && c.r > 2 * c.b) > 0.05, 'low ground is red or yellow');
      assert.ok(drawn.share((c) => c.g > 90 && c.g > c.r + 10 && c.g > c.b + 40) > 0.004, 'high ground is green');

      await page.keyboard.press('s');
      await until(page, 'the smooth one is drawn', () => window.terrane.view === 'smooth' && Math.abs(window.terrane.low + 1.005) > 0.05);
      assert.match(page.url(), /view=smooth/);
      assert.deepEqual(errors, []);
    });
  });
}

test('turns by drag and keys, zooms by wheel, and stops at the ends', async (t) => {
  const { page, errors } = await open(t, server, 'webgl2', { query: { view: 'smooth' } });
  await started(page);
  const start = (await report(page)).orbit;
  assert.deepEqual(start, { x: 0, y: 0, z: 0, alpha: 2.2, beta: 1.1, radius: 60 });
  await page.mouse.move(300, 200);
  await page.mouse.down();
  await page.mouse.move(340, 180, { steps: 3 });
  await page.mouse.up();
  await until(page, 'it has turned', (o) => window.terrane.orbit.alpha !== o.alpha && window.terrane.orbit.beta !== o.beta, start);
  const { alpha } = (await report(page)).orbit;
  await page.keyboard.down('ArrowLeft');
  await until(page, 'it turns on', (a) => Math.abs(window.terrane.orbit.alpha - a) > 0.1, alpha);
  await page.keyboard.up('ArrowLeft');
  for (let i = 0; i < 25; i++) await page.mouse.wheel(0, -100);
  await until(page, 'it is as near as it goes', () => window.terrane.orbit.radius === 10);
  for (let i = 0; i < 30; i++) await page.mouse.wheel(0, 100);
  await until(page, 'it is as far as it goes', () => window.terrane.orbit.radius === 120);
  for (const [button, what] of [['Grid', 'lines'], ['Wireframe', 'wireframe']]) {
    const was = (await report(page))[what];
    await page.getByRole('button', { name: button }).click();
    assert.equal((await report(page))[what], !was);
    assert.equal(await page.getByRole('button', { name: button }).getAttribute('aria-pressed'), String(!was));
  }
  assert.deepEqual(errors, []);
});

test('turns by a swipe and zooms by a pinch', async (t) => {
  const browser = await launch(t, 'webgl2');
  const context = { hasTouch: true, isMobile: true };
  const { page, errors } = await open(t, server, 'webgl2', { browser, query: { view: 'rough' }, size: { width: 390, height: 700 }, context });
  await started(page);
  const start = (await report(page)).orbit;
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [200, 300]);
  await touch('touchMove', [240, 330]);
  await touch('touchEnd');
  await until(page, 'it has turned', (o) => window.terrane.orbit.alpha !== o.alpha && window.terrane.orbit.beta !== o.beta, start);
  await touch('touchStart', [180, 300], [220, 300]);
  await touch('touchMove', [140, 300], [260, 300]);
  await touch('touchEnd');
  await until(page, 'it is nearer', (o) => window.terrane.orbit.radius < o.radius, start);
  for (const button of await page.locator('#heights button').all()) {
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 40, `a button lies at ${JSON.stringify(box)}`);
  }
  assert.equal(await page.locator('#touch').isVisible(), false);
  assert.deepEqual(errors, []);
});
