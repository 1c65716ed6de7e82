// The parts of the GPU's work that need no GPU: files of volumes, comparison of meshes, moving edits.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compile } from './lib.mjs';

const { out, remove } = compile('demo/volumefile', 'demo/compare', 'demo/random', 'gpu/edits', 'demo/motion', 'gpu/device', 'world/protocol.gen');
after(remove);
const load = (name) => createRequire(import.meta.url)(join(out, `${name}.js`));
const { readVolume, asBytes, builtIn, BUILT_IN } = load('demo/volumefile');
const { Triangles, difference, setHash } = load('demo/compare');
const { Random, randomGrid } = load('demo/random');
const { editWords, editBytes } = load('gpu/edits');
const { editsAt, MOTION } = load('demo/motion');
const { tooSmall } = load('gpu/device');
const { MAX_REACH, MIN_RADIUS } = load('world/protocol.gen');

const HEADER = 'NRRD0005\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nencoding: raw\n\n';
const file = (text, body = new Uint8Array(24).map((_, i) => i)) => new Uint8Array(Buffer.concat([Buffer.from(text), Buffer.from(body.buffer, body.byteOffset, body.byteLength)]));
const edited = (from, to) => HEADER.replace(from, to);

test('NRRD files', async () => {
  const v = await readVolume('a.nrrd', file(HEADER));
  assert.deepEqual([v.size, v.kind, v.low, v.high, v.spacing], [[2, 3, 4], 'u8', 0, 23, [1, 1, 1]]);
  assert.equal(v.data[23], 23);
  const gz = await readVolume('a.nrrd', file(edited('raw', 'gzip'), gzipSync(new Uint8Array(24).fill(9))));
  assert.equal(gz.data[5], 9);
  const big = await readVolume('a.nrrd', file(edited('type: uint8', 'type: short\nendian: big\nspacings: 1 2 NaN\nspace directions: (0,0,3) (2,0,0) (0,1,0)'), Uint8Array.from({ length: 48 }, (_, i) => (i % 2 === 0 ? 255 : 254))));
  assert.deepEqual([big.kind, big.low, big.spacing], ['f32', -2, [3, 2, 1]]);
  const floats = new Float32Array(24).map((_, i) => i);
  floats.set([NaN, Infinity, -Infinity]);
  const odd = await readVolume('a.nrrd', file(edited('uint8', 'float\nendian: little'), new Uint8Array(floats.buffer)));
  assert.deepEqual([...odd.data.slice(0, 4)], [3, 23, 3, 3], 'what is no number is air, infinity the highest');
});

test('NRRD files that are refused', async () => {
  const cases = [
    [edited('sizes: 2 3 4', 'sizes: 2 3'), /size is 2×3/],
    [edited('sizes: 2 3 4', 'sizes: 1 3 4'), /want three numbers from 2 to/],
    [edited('sizes: 2 3 4', 'sizes: 2 3 -4'), /want three numbers/],
    [edited('sizes: 2 3 4', 'sizes: 2 3 4.5'), /want three numbers/],
    [edited('sizes: 2 3 4', 'sizes: 2048 2048 2048'), /too many/],
    [edited('sizes: 2 3 4', 'sizes: 2 3 5'), /need 30 bytes, it has 24/],
    [edited('dimension: 3', 'dimension: 4'), /4 dimensions, want 3/],
    [edited('uint8', 'block'), /type block/],
    [edited('uint8', 'short'), /little or big endian/],
    [edited('raw', 'bzip2'), /encoding bzip2/],
    [edited('encoding', 'data file: x.raw\nencoding'), /another file/],
    [edited('encoding', 'byte skip: -1\nencoding'), /byte skip is not read/],
    [HEADER.trimEnd(), /no end/],
    [edited('raw', 'gzip'), /gzip data is damaged/],
  ];
  for (const [header, said] of cases) await assert.rejects(readVolume('a.nrrd', file(header)), said, header);
});

test('an NRRD file cut anywhere is refused or whole', async () => {
  const whole = file(edited('raw', 'gzip'), gzipSync(Uint8Array.from({ length: 24 }, (_, i) => i)));
  for (let n = 0; n < whole.length; n++) {
    await readVolume('a.nrrd', whole.slice(0, n)).then(
      (v) => assert.equal(v.data.length, v.size[0] * v.size[1] * v.size[2]), // 'NRRD' cut off may make a cube of bytes
      (error) => assert.ok(error.message.length > 10),
    );
  }
});

test('a gzip file that would fill the memory is read as far as it counts', async () => {
  const bomb = gzipSync(new Uint8Array(2 ** 24));
  const v = await readVolume('a.nrrd', file(edited('raw', 'gzip'), bomb));
  assert.equal(v.data.length, 24);
});

test('a file packed twice is not unpacked for ever, and samples may look like gzip', async () => {
  const twice = new Uint8Array(gzipSync(gzipSync(new Uint8Array(1000))));
  await assert.rejects(readVolume('a.gz', twice), /does not say what it is/);
  await assert.rejects(readVolume('a.gz.gz.gz', twice), /does not say what it is/);
  const v = await readVolume('a_2x2x2_uint8.raw.gz', new Uint8Array(gzipSync(Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0))));
  assert.deepEqual([v.name, v.data[0], v.high], ['a_2x2x2_uint8.raw', 0x1f, 0x8b]);
  const far = await readVolume('a.nrrd', file(edited('encoding', 'spacings: 1e300 1 1e-300\nencoding')));
  assert.deepEqual(far.spacing, [1, 1, 1], 'what no one can draw');
});

test('raw files', async () => {
  const named = await readVolume('bones_2x3x4_uint16.raw', new Uint8Array(48).fill(1));
  assert.deepEqual([named.size, named.kind, named.high], [[2, 3, 4], 'u16', 257]);
  const cube = await readVolume('x.raw', new Uint8Array(4 ** 3));
  assert.deepEqual([cube.size, cube.kind], [[4, 4, 4], 'u8']);
  const gz = await readVolume('x_4x4x4_uint8.raw.gz', new Uint8Array(gzipSync(new Uint8Array(64).fill(7))));
  assert.deepEqual([gz.size, gz.low, gz.name], [[4, 4, 4], 7, 'x_4x4x4_uint8.raw']);
  await assert.rejects(readVolume('x.raw', new Uint8Array(65)), /does not say what it is/);
  await assert.rejects(readVolume('x_4x4x4_uint8.raw', new Uint8Array(63)), /need 64 bytes, it has 63/);
  await assert.rejects(readVolume('x_9999x4x4.raw', new Uint8Array(64)), /want three numbers/);
});

test('built-in volumes, and volumes brought down to bytes', () => {
  for (const name of BUILT_IN) {
    const v = builtIn(name, 16);
    assert.ok(v.data.some((d) => d > 32768) && v.data.some((d) => d < 32768), `${name} has a surface in its middle`);
    const b = asBytes({ ...v, low: 0, high: 65535 });
    assert.deepEqual([b.kind, b.data.length], ['u8', 4096]);
    assert.ok(b.data.every((d, i) => Math.abs(d * 257 - v.data[i]) <= 129));
  }
});

test('sets of triangles', () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const mesh = (indices, p = positions) => new Triangles(p, 3, indices);
  const one = mesh([0, 1, 2, 0, 3, 1]);
  assert.equal(difference(mesh([3, 1, 0, 1, 2, 0]), one), '', 'another order and another start');
  assert.notEqual(difference(mesh([0, 2, 1, 0, 3, 1]), one), '', 'the other way round');
  assert.notEqual(difference(mesh([0, 1, 2, 0, 1, 2]), one), '', 'one twice');
  assert.match(difference(mesh([0, 1, 2]), one), /1 triangles, want 2/);
  const moved = (by) => mesh([0, 1, 2, 0, 3, 1], positions.map((v) => v + by));
  assert.equal(difference(moved(0.00005), one), '');
  assert.notEqual(difference(moved(0.0003), one), '');
  assert.equal(setHash(mesh([0, 1, 2, 0, 3, 1]), 0, 1), setHash(mesh([1, 2, 0])));
});

test('random grids are the same in every run', () => {
  const grid = (seed) => {
    const out = new Float32Array(6 ** 3);
    for (let kind = 0; kind < 4; kind++) randomGrid(out, 6, kind, new Random(seed));
    return out;
  };
  assert.deepEqual(grid(1), grid(1));
  assert.notDeepEqual(grid(1), grid(2));
});

test('edits as words and bytes', () => {
  const list = [{ operation: 'build', at: [-0.5, 2, 3.25], radius: 3, blend: 2 }];
  assert.deepEqual([...editWords(list)], [0x00010201, 0x40400000, 0x40000000, 0xffffffff, 2, 3, 0x3f000000, 0, 0x3e800000, 0, 0, 0]);
  const view = new DataView(editBytes(list).buffer);
  assert.deepEqual([view.byteLength, view.getUint8(0), view.getUint8(1), view.getInt32(12, true), view.getFloat32(24, true)], [36, 1, 2, -1, 0.5]);
  const tiny = editWords([{ ...list[0], at: [-1e-12, 0, 0] }]);
  assert.equal(tiny[6], 0, 'an offset that rounds to 1 is 0');
});

test('moving edits stay within what an edit may be', () => {
  for (let t = 0; t < 200; t += 0.37) {
    for (const e of editsAt(t, { ...MOTION, blend: 12, builds: 20 })) assert.ok(e.radius >= MIN_RADIUS && e.radius + e.blend <= MAX_REACH && e.at.every(Number.isFinite));
  }
});

test('limits that are too small are named', () => {
  const core = {
    maxStorageBuffersPerShaderStage: 8, maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupSizeX: 256,
    maxComputeWorkgroupStorageSize: 16384, maxComputeWorkgroupsPerDimension: 65535, maxStorageBufferBindingSize: 2 ** 27,
  };
  assert.equal(tooSmall(core), '');
  for (const name of Object.keys(core)) assert.match(tooSmall({ ...core, [name]: 1 }), new RegExp(`${name} is 1; \\d+ is needed`));
});
