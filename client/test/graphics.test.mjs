// Graphics that are there in name only, that are missing, and that go away (cases 36 and 37).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aimed, capture, edit, launch, loaded, open, report, same, Server, settled, until } from './lib.mjs';

let server;
before(async () => (server = await new Server(['--template', 'flat']).start()));
after(() => server.stop());

/** Ways in which WebGPU is there in name only. Each is run in the page before anything else. */
const inNameOnly = {
  'gpu is absent': () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }),
  'requestAdapter gives null': () => (GPU.prototype.requestAdapter = async () => null),
  'requestAdapter throws': () => {
    GPU.prototype.requestAdapter = () => {
      throw new TypeError('no adapter today');
    };
  },
  'requestAdapter rejects': () => (GPU.prototype.requestAdapter = () => Promise.reject(new DOMException('blocked', 'OperationError'))),
  'requestDevice rejects': () => (GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException('out of devices', 'OperationError'))),
};

for (const [name, init] of Object.entries(inNameOnly)) {
  test(`WebGPU in name only, ${name}: WebGL2`, async (t) => {
    const browser = await launch(t, 'webgpu');
    // No renderer in the address: the page chooses.
    const { page, errors } = await open(t, server, 'any', { init, browser });
    await loaded(page);
    const r = await report(page);
    assert.equal(r.backend, 'webgl2');
    assert.ok(r.triangles > 0);
    assert.deepEqual(errors, []);
  });
}

test('WebGPU that works is chosen', async (t) => {
  const browser = await launch(t, 'webgpu');
  const { page, errors } = await open(t, server, 'any', { browser });
  await loaded(page);
  assert.equal((await report(page)).backend, 'webgpu');
  assert.deepEqual(errors, []);
});

test('WebGPU and WebGL2 both missing: a page that says what to do', async (t) => {
  for (const [kind, init] of [
    ['nothing', () => {}],
    ['webgl2', () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
        return type === 'webgl2' ? null : real.call(this, type, ...rest);
      };
    }],
  ]) {
    const browser = await launch(t, kind);
    const { page, errors } = await open(t, server, 'any', { browser, init });
    await page.locator('#message').waitFor({ state: 'visible' });
    const text = await page.locator('#message').innerText();
    assert.match(text, /cannot draw the world/);
    assert.match(text, /WebGPU: /);
    assert.match(text, /WebGL2: /);
    assert.match(text, /hardware acceleration/);
    assert.equal(await page.locator('#cover').isVisible(), false, 'nothing turns for ever');
    assert.deepEqual(errors, []);
  }
});

test('a lost context comes back, with what was dug meanwhile', async (t) => {
  const { page, errors, browser } = await open(t, server, 'webgl2', { query: { pos: '0,12,0', look: '0,-89' } });
  const other = await open(t, server, 'webgl2', { query: { pos: '3,12,3', look: '0,-89' }, browser });
  await loaded(page);
  await loaded(other.page);
  await other.page.bringToFront();
  await aimed(other.page);
  await capture(other.page);
  const { gpuBytes } = await report(page);
  for (let i = 1; i <= 3; i++) {
    await page.evaluate(() => document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
    await other.page.bringToFront();
    await edit(other.page);
    await page.bringToFront();
    await until(page, 'the graphics are back', (n) => window.terrane.restored === n, i);
    await same(server, page);
    await settled(page);
    const canvases = await page.locator('canvas').count();
    assert.equal(canvases, 1, 'the old canvas is gone');
  }
  const r = await report(page);
  assert.equal(r.gpuBytes, gpuBytes, 'nothing is there twice');
  assert.equal(r.triangles, (await report(other.page)).triangles);
  assert.equal(r.halfShown, 0);
  const picture = await page.screenshot();
  assert.ok(picture.length > 10_000, 'the picture is not blank');
  assert.deepEqual([...errors, ...other.errors], []);
});

test('a context that stays lost: a page that says so', async (t) => {
  const { page, errors } = await open(t, server, 'webgl2');
  await loaded(page);
  await page.evaluate(() => {
    const gl = document.querySelector('canvas').getContext('webgl2');
    HTMLCanvasElement.prototype.getContext = () => null;
    gl.getExtension('WEBGL_lose_context').loseContext();
  });
  await page.locator('#message').waitFor({ state: 'visible' });
  assert.match(await page.locator('#message').innerText(), /GPU was lost[^]*Reload/);
  assert.deepEqual(errors, []);
});
