// What hands do: capture, hold, let go, size, look round, reload, touch. One backend is enough.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aimed, capture, edit, loaded, open, report, Server, settled, until } from './lib.mjs';

const BACKEND = 'webgl2';
let server;
before(async () => (server = await new Server(['--template', 'flat']).start()));
after(() => server.stop());

test('the first click only captures; releasing outside the window stops', async (t) => {
  const { page, errors } = await open(t, server, BACKEND, { query: { pos: '5,10,5', look: '30,-60' } });
  await loaded(page);
  await aimed(page);
  await page.mouse.down();
  await until(page, 'the pointer is captured', () => window.terrane.captured);
  assert.equal((await report(page)).working, false);
  await page.mouse.up();
  assert.equal((await report(page)).edits.acked, 0);

  await page.mouse.down();
  await until(page, 'it digs on while held', () => window.terrane.edits.acked >= 3);
  assert.equal((await report(page)).working, true);
  // The button comes up where the page does not see it: the next thing it hears of is a move without buttons.
  await page.evaluate(() => dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', buttons: 0, bubbles: true })));
  assert.equal((await report(page)).working, false);
  await page.mouse.up();

  await page.mouse.down();
  await until(page, 'it digs again', () => window.terrane.working);
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  assert.equal((await report(page)).working, false);
  await page.mouse.up();

  await page.mouse.down();
  await until(page, 'it digs again', () => window.terrane.working);
  await page.evaluate(() => document.exitPointerLock());
  await until(page, 'the pointer is free', () => !window.terrane.captured);
  assert.equal((await report(page)).working, false);
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(errors, []);
});

test('looks by mouse and arrow keys, sizes by wheel, orbits and comes back', async (t) => {
  const { page, errors } = await open(t, server, BACKEND, { query: { pos: '40,10,5', look: '0,-30' } });
  await loaded(page);
  await aimed(page);
  await capture(page);
  const { eye } = await report(page);
  await page.mouse.move(280, 160);
  await until(page, 'it looks to the left and up', ([yaw, pitch]) => window.terrane.eye.yaw > yaw && window.terrane.eye.pitch > pitch, [eye.yaw, eye.pitch]);
  await page.keyboard.down('ArrowRight');
  await until(page, 'it looks to the right', () => window.terrane.eye.yaw < 0);
  await page.keyboard.up('ArrowRight');

  for (let i = 0; i < 15; i++) await page.mouse.wheel(0, -100);
  await until(page, 'the tool is at its largest', () => window.terrane.radius === 8);
  for (let i = 0; i < 15; i++) await page.mouse.wheel(0, 100);
  await until(page, 'the tool is at its smallest', () => window.terrane.radius === 1.5);
  await page.locator('#hud-tool', { hasText: 'radius 1.5 m' }).waitFor();

  await page.keyboard.press('l');
  assert.equal((await report(page)).wireframe, true);
  await page.keyboard.press('l');
  await page.keyboard.press('o');
  await until(page, 'it orbits with a free pointer', () => window.terrane.orbit && !window.terrane.captured);
  await page.locator('#hud-mesh').waitFor({ state: 'visible' });
  const before = (await report(page)).eye;
  await page.mouse.down();
  await page.mouse.move(330, 180, { steps: 3 });
  await page.mouse.up();
  await until(page, 'dragging turns', (yaw) => window.terrane.eye.yaw !== yaw, before.yaw);
  assert.equal((await report(page)).edits.acked, 0, 'nobody digs by turning');
  await page.keyboard.press('o');
  await until(page, 'it flies again', () => !window.terrane.orbit);
  assert.deepEqual(errors, []);
});

test('a reload keeps the camera', async (t) => {
  const { page, errors } = await open(t, server, BACKEND, { query: { name: 'Ada' } });
  await loaded(page);
  await page.keyboard.down('w');
  await until(page, 'it has moved', () => window.terrane.eye.z < -5);
  await page.keyboard.up('w');
  await page.keyboard.down('ArrowLeft');
  await until(page, 'it has turned', () => window.terrane.eye.yaw > 0.5);
  await page.keyboard.up('ArrowLeft');
  await until(page, 'the address says so', () => {
    const { eye } = window.terrane;
    const [pos, look] = ['pos', 'look'].map((name) => (new URLSearchParams(location.search).get(name) ?? '').split(',').map(Number));
    return Math.abs(pos[2] - eye.z) < 0.01 && Math.abs(look[0] - (eye.yaw * 180) / Math.PI) < 0.06;
  });
  const { eye } = await report(page);
  assert.equal(new URL(page.url()).searchParams.get('name'), 'Ada');
  await page.reload();
  await loaded(page);
  const again = (await report(page)).eye;
  for (const axis of ['x', 'y', 'z']) assert.ok(Math.abs(again[axis] - eye[axis]) < 0.01, `${axis}: ${again[axis]}, was ${eye[axis]}`);
  for (const angle of ['yaw', 'pitch']) assert.ok(Math.abs(again[angle] - eye[angle]) < 0.002, angle);
  assert.deepEqual(errors, []);
});

test('far from the middle the ground is there and whole', async (t) => {
  const { page, errors } = await open(t, server, BACKEND, { query: { pos: '10000000,12,-10000000', look: '0,-70' } });
  await loaded(page);
  await aimed(page);
  await capture(page);
  await edit(page);
  const r = await report(page);
  assert.ok(r.triangles > 0);
  assert.equal(r.aim.x > 9_999_990, true);
  assert.equal(r.halfShown, 0);
  assert.deepEqual(errors, []);
});

test('fingers look, move, dig, build and size on a phone', async (t) => {
  const { page, errors } = await open(t, server, BACKEND, {
    query: { pos: '60,10,5', look: '0,-60' },
    size: { width: 390, height: 844 },
    context: { hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
  });
  await loaded(page);
  await aimed(page);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await page.locator('#touch').waitFor({ state: 'visible' });

  const { eye } = await report(page);
  await touch('touchStart', [200, 300]);
  await touch('touchMove', [240, 300]);
  await touch('touchEnd');
  await until(page, 'a finger turns the view', (yaw) => window.terrane.eye.yaw !== yaw, eye.yaw);

  await touch('touchStart', [150, 300], [250, 300]);
  await touch('touchMove', [60, 300], [340, 300]);
  await touch('touchEnd');
  await until(page, 'two fingers size the tool', () => window.terrane.radius > 3);

  const middle = async (selector) => {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `${selector} is on the screen`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  for (const [button, count] of [['[data-hold=dig]', 1], ['[data-hold=build]', 2]]) {
    await touch('touchStart', await middle(button));
    await until(page, `${button} works`, (n) => window.terrane.edits.acked >= n, count);
    await touch('touchEnd');
    await until(page, `${button} rests`, () => !window.terrane.working);
    await settled(page);
  }
  const [x, y] = await middle('#stick');
  const from = (await report(page)).eye;
  await touch('touchStart', [x, y]);
  await touch('touchMove', [x, y + 40]);
  await until(page, 'the stick moves', ([fx, fz]) => Math.hypot(window.terrane.eye.x - fx, window.terrane.eye.z - fz) > 1, [from.x, from.z]);
  await touch('touchEnd');
  await touch('touchStart', await middle('[data-hold=up]'));
  await until(page, 'it rises', (fy) => window.terrane.eye.y > fy + 1, (await report(page)).eye.y);
  await touch('touchEnd');
  assert.deepEqual(await page.evaluate(() => [scrollX, scrollY, visualViewport.scale]), [0, 0, 1]);
  assert.deepEqual(errors, []);
});
