// The page in a browser, on both backends: load, move, dig, switch, and find everything again.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aimed, capture, edit, loaded, median, open, report, same, Server, settled, until } from './lib.mjs';

/** Straight down onto the corner that eight chunks of the flat world share. */
const OVER_CORNER = { pos: '0,12,0', look: '0,-89' };

for (const backend of ['webgl2', 'webgpu']) {
  describe(backend, () => {
    let hills;
    let flat;
    before(async () => {
      hills = await new Server().start();
      flat = await new Server(['--template', 'flat']).start();
    });
    after(async () => {
      await hills.stop();
      await flat.stop();
    });

    test('loads the world and says what it draws with', async (t) => {
      const { page, errors } = await open(t, hills, backend);
      await loaded(page);
      const r = await report(page);
      assert.equal(r.backend, backend);
      assert.deepEqual(r.depth, { reversed: true, float: true, near: 0.1 });
      assert.ok(r.triangles > 10_000, `${r.triangles} triangles`);
      assert.ok(r.loaded >= 13, `${r.loaded} chunks`);
      assert.equal(r.halfShown, 0);
      assert.match(r.world, /^[0-9a-f]{32}$/);
      await same(hills, page);
      await page.locator('#cover').waitFor({ state: 'hidden' });
      await page.locator('#hud-terrain', { hasText: /^marching · \d+ chunks loaded, 0 waiting$/ }).waitFor();
      const ground = r.eye.y;
      assert.ok(r.eye.x === 0 && r.eye.z === 0 && ground > -44, 'it starts above the ground in the middle');
      t.diagnostic(`first terrain ${Math.round(r.firstTerrainMs)} ms, drawn ${Math.round(r.firstTerrainDrawnMs)} ms, all ${Math.round(r.allLoadedMs)} ms`);
      assert.deepEqual(errors, []);
    });

    test('flies, and loads where it goes', async (t) => {
      const { page, errors } = await open(t, hills, backend, { query: { look: '0,0', pos: '0,60,0' } });
      await loaded(page);
      const start = await report(page);
      await page.keyboard.down('Shift');
      await page.keyboard.down('w');
      await until(page, 'it has flown 100 m along −z', () => window.terrane.eye.z < -100);
      await page.keyboard.up('w');
      await page.keyboard.up('Shift');
      await loaded(page);
      const end = await report(page);
      assert.ok(Math.abs(end.eye.x) < 1e-6 && Math.abs(end.eye.y - 60) < 1e-6, JSON.stringify(end.eye));
      assert.ok(end.groupSwaps > start.groupSwaps, 'new chunks came');
      for (const [key, axis, sign] of [['d', 'x', 1], ['e', 'y', 1], ['a', 'x', -1], ['q', 'y', -1], ['s', 'z', 1]]) {
        const from = (await report(page)).eye[axis];
        await page.keyboard.down(key);
        await until(page, `${key} moves along ${axis}`, ([a, f, s]) => (window.terrane.eye[a] - f) * s > 1, [axis, from, sign]);
        await page.keyboard.up(key);
      }
      assert.equal(end.halfShown, 0);
      assert.deepEqual(errors, []);
    });

    test('digs across a chunk corner, and no frame shows half of it', async (t) => {
      const { page, errors } = await open(t, flat, backend, { query: OVER_CORNER });
      await loaded(page);
      await aimed(page);
      await capture(page);
      const before = await report(page);
      assert.equal(before.edits.acked, 0, 'the first click only captures');
      assert.equal(before.editSwaps, 0);
      // Watch every frame: the picture may change only where a group was swapped.
      await page.evaluate(() => {
        window.seen = [];
        const look = () => {
          const { triangles, groupSwaps, editSwaps } = window.terrane;
          const last = window.seen.at(-1);
          if (!last || last.triangles !== triangles || last.groupSwaps !== groupSwaps) window.seen.push({ triangles, groupSwaps, editSwaps });
          requestAnimationFrame(look);
        };
        look();
      });
      await edit(page);
      const one = await report(page);
      assert.equal(one.editSwaps, 1, 'one edit, one change of the picture');
      assert.ok(one.lastEditChunks >= 4, `the edit changed ${one.lastEditChunks} chunks at once`);
      assert.ok(one.triangles > before.triangles, 'a hole has more triangles than the plain');
      for (let i = 0; i < 6; i++) await edit(page);
      const seen = await page.evaluate(() => window.seen);
      for (let i = 1; i < seen.length; i++) {
        assert.ok(seen[i].groupSwaps > seen[i - 1].groupSwaps, `frame ${i} changed without a swap: ${JSON.stringify(seen)}`);
      }
      await same(flat, page);
      const end = await report(page);
      assert.equal(end.halfShown, 0);
      assert.equal(end.editToShownMs.length, end.editSwaps);
      t.diagnostic(`click to meshes handed over: median ${median(end.editToShownMs).toFixed(1)} ms of ${end.editToShownMs.map((n) => n.toFixed(0)).join(' ')}`);
      t.diagnostic(`tasks over 16 ms: ${JSON.stringify(end.longTasks)}`);
      assert.deepEqual(errors, []);
    });

    test('keeps edits when the mesher is switched', async (t) => {
      const { page, errors } = await open(t, hills, backend, { query: { look: '0,-60' } });
      await loaded(page);
      await aimed(page);
      await capture(page);
      await edit(page, 'right');
      await edit(page);
      const hash = await same(hills, page);
      const marching = await report(page);
      for (const [key, mesher] of [['m', 'nets'], ['b', 'blocks'], ['b', 'marching']]) {
        await page.keyboard.press(key);
        await until(page, `the mesher is ${mesher}`, (m) => window.terrane.mesher === m && window.terrane.status.waiting === 0, mesher);
        await settled(page);
        const r = await report(page);
        assert.equal(r.hash, hash, `${mesher} has the same world`);
        if (mesher !== 'marching') assert.notEqual(r.vertices, marching.vertices, `${mesher} is another mesh`);
        await page.locator('#hud-terrain', { hasText: mesher }).waitFor();
      }
      const end = await report(page);
      assert.deepEqual([end.triangles, end.vertices], [marching.triangles, marching.vertices], 'back to the mesh with the edits in it');
      assert.equal(end.halfShown, 0);
      assert.deepEqual(errors, []);
    });

    test('two pages end on one world', async (t) => {
      const a = await open(t, flat, backend, { query: { pos: '20,12,5', look: '0,-70', name: 'Ada' } });
      const b = await open(t, flat, backend, { query: { pos: '22,12,15', look: '0,-50', name: 'Bob' }, browser: a.browser });
      await loaded(a.page);
      await loaded(b.page);
      for (const p of [a.page, b.page]) {
        await p.bringToFront();
        await aimed(p);
        await capture(p);
        await edit(p);
        await p.mouse.wheel(0, -100);
        await edit(p, 'right');
        await edit(p);
      }
      const hash = await same(flat, a.page, b.page);
      assert.notEqual(hash, '0000000000000000');
      await a.page.bringToFront();
      await until(a.page, 'the other is there', () => window.terrane.people === 1);
      await settled(a.page);
      await settled(b.page);
      for (const p of [a.page, b.page]) assert.equal((await report(p)).halfShown, 0);
      await b.page.context().close();
      await until(a.page, 'the other is gone', () => window.terrane.people === 0);
      assert.deepEqual([...a.errors, ...b.errors], []);
    });

    test('comes back after the server was killed, with every hole', async (t) => {
      const server = await new Server(['--template', 'flat']).start();
      t.after(() => server.stop());
      const { page, errors } = await open(t, server, backend, { query: OVER_CORNER });
      await loaded(page);
      await aimed(page);
      await capture(page);
      for (let i = 0; i < 3; i++) await edit(page);
      const hash = await same(server, page);
      const { triangles } = await report(page);
      await server.kill();
      await until(page, 'it notices', () => window.terrane.state === 'reconnecting' || window.terrane.state === 'connecting');
      await page.locator('#hud-link', { hasText: 'connecting' }).waitFor();
      await server.start();
      assert.equal((await server.world()).hash, hash, 'the log has every acknowledged edit');
      await loaded(page);
      await same(server, page);
      await settled(page);
      assert.equal((await report(page)).triangles, triangles);
      await edit(page);
      assert.notEqual(await same(server, page), hash);
      const other = await open(t, server, backend, { query: OVER_CORNER, browser: page.context().browser() });
      await loaded(other.page);
      await same(server, other.page);
      assert.equal((await report(other.page)).triangles, (await report(page)).triangles);
      assert.deepEqual(other.errors, []);
      assert.deepEqual(errors.filter((e) => !/WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/.test(e)), []);
    });
  });
}
