// The parts of the page that need no browser.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compile } from './lib.mjs';

const built = compile('view/firstfit', 'input/eye', 'params', 'world/mesh', 'input/tool', 'world/ledger');
after(() => built.remove());
const load = createRequire(import.meta.url);
const { FirstFit } = load(join(built.out, 'view', 'firstfit.js'));
const eyes = load(join(built.out, 'input', 'eye.js'));
const { addressOf, readParams } = load(join(built.out, 'params.js'));
const { readMesh } = load(join(built.out, 'world', 'mesh.js'));
const { Ledger, sides } = load(join(built.out, 'world', 'ledger.js'));
const { EditTool } = load(join(built.out, 'input', 'tool.js'));

test('first fit hands out the lowest gap and joins what comes back', () => {
  const space = new FirstFit(100);
  const [a, b, c] = [space.take(30), space.take(30), space.take(40)];
  assert.deepEqual([a, b, c], [0, 30, 60]);
  assert.equal(space.take(1), -1);
  space.give(a, 30);
  space.give(c, 40);
  assert.equal(space.take(35), 60, 'the first gap is too small');
  space.give(b, 30);
  assert.equal(space.take(60), 0, 'the two gaps have become one');
  assert.equal(space.free, 5);
});

test('first fit never hands out a unit twice', () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const space = new FirstFit(1000);
  const owner = new Array(1000).fill(0);
  const ranges = [];
  for (let i = 1; i <= 20_000; i++) {
    if (random(5) < 3) {
      const n = 1 + random(60);
      const start = space.take(n);
      if (start < 0) continue;
      for (let u = start; u < start + n; u++) {
        assert.equal(owner[u], 0, `unit ${u} in step ${i} of seed 7`);
        owner[u] = i;
      }
      ranges.push([start, n]);
    } else if (ranges.length > 0) {
      const [[start, n]] = ranges.splice(random(ranges.length), 1);
      owner.fill(0, start, start + n);
      space.give(start, n);
    }
    assert.equal(space.free, owner.filter((o) => o === 0).length);
  }
  for (const [start, n] of ranges) space.give(start, n);
  assert.equal(space.take(1000), 0, 'all gaps have become one');
});

test('first fit notices a range given back twice', () => {
  const space = new FirstFit(10);
  space.take(4);
  space.take(4);
  space.give(0, 4);
  assert.throws(() => space.give(0, 4), /twice/);
});

const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a}, not ${b}`);

test('an eye looks along −z, turns left and looks up as angles grow', () => {
  const eye = { x: 1, y: 2, z: 3, yaw: 0, pitch: 0 };
  const s = eyes.sightOf(eye);
  close(s.dx, 0, 'dx');
  close(s.dy, 0, 'dy');
  close(s.dz, -1, 'dz');
  assert.ok(eyes.sightOf(eyes.turn(eye, 0.3, 0)).dx < 0, 'left of −z is −x');
  assert.ok(eyes.sightOf(eyes.turn(eye, 0, 0.3)).dy > 0);
  assert.equal(eyes.turn(eye, 0, 9).pitch, eyes.MAX_PITCH);
  assert.equal(eyes.turn(eye, 0, -9).pitch, -eyes.MAX_PITCH);
});

test('an eye flies at its speed, whatever the directions wished for', () => {
  const eye = { x: 0, y: 0, z: 0, yaw: 1, pitch: -0.5 };
  for (const wish of [
    { forward: 1, right: 0, up: 0, fast: false },
    { forward: 1, right: -1, up: 1, fast: false },
    { forward: 0, right: 0, up: -1, fast: true },
  ]) {
    const to = eyes.fly(eye, wish, 0.5);
    close(Math.hypot(to.x, to.y, to.z), eyes.SPEED * 0.5 * (wish.fast ? eyes.FAST : 1), JSON.stringify(wish));
  }
  const half = eyes.fly(eye, { forward: 0.5, right: 0, up: 0, fast: false }, 1);
  close(Math.hypot(half.x, half.y, half.z), eyes.SPEED / 2, 'half a stick');
});

test('an orbit looks at its point from its radius', () => {
  let orbit = eyes.orbitRound(10, 20, 30);
  assert.deepEqual([orbit.alpha, orbit.beta, orbit.radius], [2.2, 1.1, 60]);
  const eye = eyes.orbitEye(orbit);
  const s = eyes.sightOf(eye);
  close(s.x + s.dx * 60, 10, 'x');
  close(s.y + s.dy * 60, 20, 'y');
  close(s.z + s.dz * 60, 30, 'z');
  for (let i = 0; i < 50; i++) orbit = eyes.zoomOrbit(orbit, 0.9);
  assert.equal(orbit.radius, 10);
  for (let i = 0; i < 50; i++) orbit = eyes.zoomOrbit(orbit, 1.2);
  assert.equal(orbit.radius, 120);
});

test('the tool sizes from 1.5 to 8 by halves', () => {
  const sizes = new Set([3]);
  for (let r = 3, i = 0; i < 20; i++) sizes.add((r = eyes.resize(r, 1)));
  for (let r = 3, i = 0; i < 20; i++) sizes.add((r = eyes.resize(r, -1)));
  assert.deepEqual([...sizes].sort((a, b) => a - b), Array.from({ length: 14 }, (_, i) => 1.5 + i / 2));
});

test('the address says what it said after a walk', () => {
  const eye = { x: -12.5, y: 40, z: 1e6, yaw: 1.25, pitch: -0.5 };
  const address = addressOf('?radius=3&name=A%26B', eye);
  const read = readParams(address);
  assert.equal(read.radius, 3);
  assert.equal(read.name, 'A&B');
  for (const axis of ['x', 'y', 'z']) assert.equal(read.eye[axis], eye[axis]);
  for (const angle of ['yaw', 'pitch']) assert.ok(Math.abs(read.eye[angle] - eye[angle]) < 0.001);
});

test('an address with nonsense in it is a plain address', () => {
  for (const search of ['?pos=1,2', '?pos=1,2,x', '?pos=,,', '?pos=1e99,0,0', '?pos=NaN,0,0', '?pos=Infinity,1,2']) {
    assert.equal(readParams(search).eye, null, search);
  }
  assert.equal(readParams('?radius=-3').radius, 0);
  assert.equal(readParams('?radius=1e9').radius, 32);
  assert.equal(readParams('?radius=2.5').radius, 0);
  assert.equal(readParams('?mesher=sculptor').mesher, 0);
  assert.equal(readParams('?mesher=blocks').mesher, 2);
  assert.equal(readParams('?renderer=webgl9').renderer, null);
  const long = readParams(`?name=${'ä'.repeat(100)}`).name;
  assert.ok(new TextEncoder().encode(long).length <= 64 && long.length > 20);
});

test('a mesh is laid over its bytes', () => {
  const bytes = new ArrayBuffer(64 + 3 * 12 + 3 * 4 + 3 * 4 + 8);
  const words = new Uint32Array(bytes);
  words.set([0x424d5254, 2, 0, 0, 0, 0, 1, 0, 3, 3, 2, 0]);
  new Float32Array(bytes, 64, 9).set([0, 0, 0, 1, 0, 0, 0, 0, 1]);
  new Int8Array(bytes, 64 + 36, 12).set([0, 127, 0, 0]);
  new Float32Array(bytes, 64 + 48, 3).set([5, 6, 7]);
  new Uint16Array(bytes, 64 + 60, 3).set([0, 2, 1]);
  const mesh = readMesh(bytes);
  assert.equal(mesh.vertices, 3);
  assert.deepEqual([...mesh.positions], [0, 0, 0, 1, 0, 0, 0, 0, 1]);
  assert.equal(mesh.normals[1], 127);
  assert.deepEqual([...mesh.depths], [5, 6, 7]);
  assert.deepEqual([...mesh.indices], [0, 2, 1]);
  assert.equal(mesh.materials, null);
  const painted = new ArrayBuffer(bytes.byteLength + 3 * 4);
  new Uint8Array(painted).set(new Uint8Array(bytes, 0, 64 + 60));
  new Uint32Array(painted)[11] = 4;
  new Uint8Array(painted, 64 + 60, 12).set([1, 2, 255, 0, 3, 4, 128, 0]);
  new Uint16Array(painted, 64 + 72, 3).set([0, 2, 1]);
  const { materials, indices } = readMesh(painted);
  assert.deepEqual([...materials], [1, 2, 255, 0, 3, 4, 128, 0, 0, 0, 0, 0]);
  assert.deepEqual([...indices], [0, 2, 1]);
  words[8] = words[9] = 0;
  assert.equal(readMesh(bytes), null);
  words[0] = 1;
  assert.throws(() => readMesh(bytes), /versions/);
  assert.throws(() => readMesh(new ArrayBuffer(8)), /cut short/);
});

/** A ledger whose slots are names like "0,0,0 v3", with the set of those that are drawn. */
function newLedger() {
  const drawn = new Set();
  const ledger = new Ledger({ show: (slot) => drawn.add(slot), free: (slot) => drawn.delete(slot) });
  const upload = (r) => (r.mesh ? `${r.x} v${r.version}` : null);
  return { ledger, drawn, step: () => ledger.step(upload), list: () => [...drawn].sort().join(', ') };
}
const result = (x, version, mesh = true) => ({ x, y: 0, z: 0, level: 0, version, mesh });
const group = (id, edit, results, drops = []) => ({ id, edit, results, drops: drops.map((x) => ({ x, y: 0, z: 0, level: 0 })) });

test('a group is shown whole, however long its uploads take', () => {
  const { ledger, step, list } = newLedger();
  ledger.take(group(1, false, [result(1, 1), result(2, 1), result(3, 1)]));
  for (let i = 0; i < 3; i++) step();
  assert.equal(list(), '1 v1, 2 v1, 3 v1');
  ledger.take(group(2, true, [result(1, 2), result(2, 2, false)], [3]));
  assert.equal(step(), null);
  assert.equal(list(), '1 v1, 2 v1, 3 v1', 'one upload changes nothing yet');
  assert.equal(step().id, 2);
  assert.equal(list(), '1 v2', 'all at once: one new, one without surface, one dropped');
  assert.equal(ledger.shown, 2);
});

test('an edit overtakes loading, and what it shows is not overwritten by what it overtook', () => {
  const { ledger, step, list } = newLedger();
  ledger.take(group(1, false, [result(1, 1)]));
  step();
  ledger.take(group(2, false, [result(2, 1)])); // on its way when the edit is made
  ledger.take(group(3, false, [], [1]));
  ledger.take(group(4, true, [result(1, 2), result(2, 2)]));
  assert.deepEqual([step()?.id, step()?.id], [undefined, 4]);
  assert.equal(list(), '1 v2, 2 v2');
  assert.deepEqual([step()?.id, step()?.id], [2, 3]);
  assert.equal(list(), '1 v2, 2 v2');
  ledger.take(group(5, false, [], [1, 2]));
  step();
  assert.equal(list(), '');
});

test('a group whose uploads have begun is finished first', () => {
  const { ledger, step } = newLedger();
  ledger.take(group(1, false, [result(1, 1), result(2, 1)]));
  step();
  ledger.take(group(2, true, [result(3, 1)]));
  assert.deepEqual([step()?.id, step()?.id], [1, 2]);
});

test('a frame that shows a group by halves is noticed', () => {
  const g = group(1, true, [result(1, 2), result(2, 2), result(3, 2)]);
  const at = (...versions) => sides(g, (r) => versions[r.x - 1]);
  assert.deepEqual(at(1, 1, 1), { before: 3, after: 0 });
  assert.deepEqual(at(2, 1, 2), { before: 1, after: 2 });
  assert.deepEqual(at(2, null, 3), { before: 0, after: 2 });

  const { ledger, step, drawn } = newLedger();
  ledger.take(group(1, false, [result(1, 1), result(2, 1)]));
  step();
  step();
  const visible = (slot) => drawn.has(slot);
  ledger.take(group(2, true, [result(1, 2), result(2, 2)]));
  step();
  assert.equal(ledger.halfShown(visible), 0);
  // What must never happen: a group changes one of the two chunks alone.
  ledger.take(group(3, true, [result(1, 3)]));
  ledger.queue.reverse();
  step();
  assert.equal(ledger.halfShown(visible), 1);
});

test('a held tool edits at once, then every 120 ms, until it stops', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const sent = [];
  const tool = new EditTool((id, brush) => sent.push([id, brush.operation]));
  tool.start('dig', 0);
  assert.deepEqual(sent, [[1, 1]]);
  t.mock.timers.tick(119);
  assert.equal(sent.length, 1);
  t.mock.timers.tick(1);
  assert.equal(sent.length, 2);
  tool.start('build', 0); // the other button takes over
  assert.deepEqual(sent.at(-1), [3, 2]);
  t.mock.timers.tick(240);
  assert.equal(sent.length, 5);
  tool.stop();
  t.mock.timers.tick(1000);
  assert.equal(sent.length, 5);
  assert.equal(tool.working, false);
});

test('a tool takes the next shape, and a held one draws on', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const sent = [];
  const tool = new EditTool((id, brush) => sent.push([brush.shape, brush.joined]));
  for (let i = 0; i < 4; i++) {
    tool.start('dig', 0);
    if (i === 2) t.mock.timers.tick(120);
    tool.stop();
    tool.nextShape();
  }
  assert.deepEqual(sent, [[1, false], [2, false], [3, false], [3, true], [1, false]]);
});

test('a tool that paints sends the material, and still builds', () => {
  const sent = [];
  const tool = new EditTool((id, brush) => sent.push([brush.operation, brush.material]));
  for (const [operation, material] of [['dig', 0], ['dig', 2], ['build', 2]]) {
    if (material) tool.paintWith(material);
    tool.start(operation, 0);
    tool.stop();
  }
  tool.painting = false;
  tool.start('dig', 0);
  tool.stop();
  assert.deepEqual(sent, [[1, 0], [3, 2], [2, 0], [1, 0]]);
});
