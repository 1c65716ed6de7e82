// The GPU's work, on a software GPU: held to the processor's sample by sample and triangle by triangle.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aimed, capture, client, edit, launch, loaded, open, PATIENCE_MS, report, same, Server, until } from './lib.mjs';

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

/** Counts what the page asks back from the GPU, by whether a frame is running. */
const countReadBacks = () => {
  const counts = { inFrames: 0, between: 0, frames: 0 };
  let inFrame = false;
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    frame((now) => {
      inFrame = true;
      counts.frames++;
      try {
        callback(now);
      } finally {
        inFrame = false;
      }
    });
  const count = () => (inFrame ? counts.inFrames++ : counts.between++);
  const map = GPUBuffer.prototype.mapAsync;
  GPUBuffer.prototype.mapAsync = function (...args) {
    count();
    return map.apply(this, args);
  };
  const copy = GPUCommandEncoder.prototype.copyBufferToBuffer;
  GPUCommandEncoder.prototype.copyBufferToBuffer = function (...args) {
    const to = args.find((a, i) => i > 0 && a instanceof GPUBuffer);
    if (to && to.usage & GPUBufferUsage.MAP_READ) count();
    return copy.apply(this, args);
  };
  window.readBacks = counts;
};

const frames = (page, n) => until(page, `${n} frames are drawn`, (to) => window.terraneDemo?.frames >= to, n);

/** Waits until what is shown has been counted: the counts come late. */
async function counted(page, edits) {
  await page.evaluate((list) => {
    window.terraneDemo.setEdits(list);
    window.counts = window.readBacks.between;
    window.drawn = window.terraneDemo.frames;
  }, edits);
  await until(page, 'it is drawn and counted', () => window.terraneDemo.frames > window.drawn && window.readBacks.between >= window.counts + 8 && window.terraneDemo.overflow === '');
}

test('the animated island: every frame is meshed, and nothing is read back for it', async (t) => {
  const { page, errors } = await openDemo(t, { demo: 'animated' }, { init: countReadBacks });
  await frames(page, 8);
  await until(page, 'triangles are counted', () => window.terraneDemo.triangles > 0);
  const r = await page.evaluate(() => ({ ...window.readBacks, makes: window.terraneDemo.makes, triangles: window.terraneDemo.triangles, ms: window.terraneDemo.readout.ms }));
  assert.equal(r.makes, 'gpu');
  assert.equal(r.inFrames, 0, 'something was read back in a frame');
  assert.ok(r.between > 0, 'the late counter counts');
  assert.ok(r.triangles > 20_000, `${r.triangles} triangles`);
  t.diagnostic(`${r.triangles} triangles; ${JSON.stringify(r.ms)}`);

  // A wireframe, while it runs.
  const before = await page.evaluate(() => window.terraneDemo.frames);
  await page.keyboard.press('l');
  await frames(page, before + 3);
  assert.equal(await page.evaluate(() => window.terraneDemo.wireframe), true);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'animated-wireframe.png') });
  await page.keyboard.press('l');

  // A surface that has grown and shrunk leaves nothing behind.
  await page.evaluate(() => window.terraneDemo.setTime(3));
  const one = [{ operation: 'build', at: [0, 12, 0], radius: 6, blend: 3 }];
  const many = Array.from({ length: 24 }, (_, i) => ({ operation: 'build', at: [(i % 6) * 20 - 50, 20, Math.floor(i / 6) * 28 - 42], radius: 8, blend: 2 }));
  await counted(page, one);
  const small = { picture: await page.screenshot(), triangles: await page.evaluate(() => window.terraneDemo.triangles) };
  await counted(page, many);
  const large = { picture: await page.screenshot(), triangles: await page.evaluate(() => window.terraneDemo.triangles) };
  await counted(page, one);
  const again = { picture: await page.screenshot(), triangles: await page.evaluate(() => window.terraneDemo.triangles) };
  assert.ok(large.triangles > small.triangles + 3000, `${large.triangles} triangles after ${small.triangles}`);
  assert.equal(again.triangles, small.triangles);
  const differ = (a, b) => samePicture(page, a.picture, b.picture);
  assert.ok((await differ(small, large)) > 500, 'the large surface is another picture');
  assert.equal(await differ(small, again), 0, 'pixels of the large surface are left');

  // Too little room is told, and made.
  await page.evaluate(() => window.terraneDemo.shrink(1000));
  await page.locator('.panel .bad', { hasText: /^Of [\d,]+ triangles 1,000 had room; now there is more$/ }).waitFor();
  await counted(page, one);
  const whole = { picture: await page.screenshot() };
  assert.equal(await differ(small, whole), 0, 'it is whole again');
  assert.equal((await page.evaluate(() => window.readBacks)).inFrames, 0);
  assert.deepEqual(errors, []);
});

/** How many pixels beside the panel differ between two pictures of a page. */
function samePicture(page, a, b) {
  return page.evaluate(async ([x, y]) => {
    const pixels = async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const left = document.querySelector('.panel').getBoundingClientRect().right; // its numbers change
      return context.getImageData(left, 0, image.width - left, image.height).data;
    };
    const [p, q] = [await pixels(x), await pixels(y)];
    let n = 0;
    for (let i = 0; i < p.length; i += 4) if (p[i] !== q[i] || p[i + 1] !== q[i + 1] || p[i + 2] !== q[i + 2]) n++;
    return n;
  }, [a.toString('base64'), b.toString('base64')]);
}

/** Ways in which the GPU is of no use, and what the page says of each. */
const withoutCard = {
  'WebGPU is absent': [() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }), /does not have WebGPU/],
  'a limit is too small': [
    () => Object.defineProperty(GPUSupportedLimits.prototype, 'maxStorageBuffersPerShaderStage', { get: () => 4 }),
    /maxStorageBuffersPerShaderStage is 4; 8 is needed/,
  ],
  'a shader does not compile': [
    () => {
      const make = GPUDevice.prototype.createShaderModule;
      GPUDevice.prototype.createShaderModule = function (d) {
        return make.call(this, d.label === 'count' ? { ...d, code: `${d.code}\nfn broken() { let x: u32 = 1.5; }` } : d);
      };
    },
    /the shader count does not compile: line \d+/,
  ],
};

for (const [name, [init, said]] of Object.entries(withoutCard)) {
  test(`the animated island where ${name}: workers, and the reason`, async (t) => {
    const { page, errors } = await openDemo(t, { demo: 'animated' }, { init });
    await until(page, 'workers make it', () => window.terraneDemo?.makes === 'workers' && window.terraneDemo.triangles > 20_000 && window.terraneDemo.frames > 1);
    assert.match(await page.locator('.panel').innerText(), said);
    assert.deepEqual(errors.filter((e) => !e.includes('broken') && !e.includes('WGSL') && !e.includes('fallback')), []);
  });
}

test('the animated island after the GPU was lost: workers', async (t) => {
  const { page, errors } = await openDemo(t, { demo: 'animated' }, {
    init: () => {
      const request = GPUAdapter.prototype.requestDevice;
      GPUAdapter.prototype.requestDevice = async function (...args) {
        return (window.device = await request.apply(this, args));
      };
    },
  });
  await frames(page, 2);
  await page.keyboard.press('l');
  await page.evaluate(() => window.device.destroy());
  await until(page, 'workers go on', () => window.terraneDemo.makes === 'workers' && window.terraneDemo.triangles > 20_000);
  assert.match(await page.locator('.panel').innerText(), /the GPU was lost/);
  assert.equal(await page.evaluate(() => window.terraneDemo.wireframe), true, 'it is still a wireframe');
  assert.equal(await page.locator('canvas').count(), 1);
  assert.deepEqual(errors.filter((e) => !/lost|destroyed/i.test(e)), []);
});

/** A ball in a cube of so many samples a side, as an NRRD file. */
function ballFile(side, type, gzip) {
  const make = { uint8: Uint8Array, uint16: Uint16Array, float: Float32Array }[type];
  const middle = (side - 1) / 2;
  const samples = make.from({ length: side ** 3 }, (_, i) => {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
    return Math.max(0, Math.round(200 - 12 * Math.hypot(x - middle, y - middle, z - middle)));
  });
  const header = `NRRD0004\n# a ball\ntype: ${type}\ndimension: 3\nsizes: ${side} ${side} ${side}\nendian: little\nspacings: 1 1 2\nencoding: ${gzip ? 'gzip' : 'raw'}\n\n`;
  const body = Buffer.from(samples.buffer);
  return Buffer.concat([Buffer.from(header), gzip ? gzipSync(body) : body]);
}

/** Keeps count of the buffers that live on the GPU. */
const countBuffers = () => {
  const live = new Set();
  window.liveBuffers = live;
  const make = GPUDevice.prototype.createBuffer;
  GPUDevice.prototype.createBuffer = function (...args) {
    const buffer = make.apply(this, args);
    live.add(buffer);
    return buffer;
  };
  const destroy = GPUBuffer.prototype.destroy;
  GPUBuffer.prototype.destroy = function () {
    live.delete(this);
    return destroy.apply(this);
  };
};

test('a volume: levels, files of each kind, and what is wrong with others', async (t) => {
  const { page, errors } = await openDemo(t, { demo: 'volume', size: '64', show: 'sphere' }, { init: `(${countReadBacks})();(${countBuffers})()` });
  const files = {
    'bytes.nrrd': ballFile(40, 'uint8', true), 'words.nrrd': ballFile(40, 'uint16', false), 'floats.nrrd': ballFile(40, 'float', false),
    'cut.nrrd': ballFile(40, 'float', false).subarray(0, 5000), 'none.raw': Buffer.from('no volume'),
    'cube_40x40x40_uint8.raw': ballFile(40, 'uint8', false).subarray(-64000),
  };
  for (const [name, body] of Object.entries(files)) await page.route(`**/${name}`, (route) => route.fulfill({ body, contentType: 'application/octet-stream' }));
  const settle = () => until(page, 'the surface is drawn and counted', () => window.terraneDemo.settled);
  await until(page, 'there is a volume', () => window.terraneDemo?.triangles > 0);
  await settle();
  const sphere = await page.evaluate(() => window.terraneDemo.triangles);
  assert.ok(sphere > 5000, `${sphere} triangles`);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'volume.png') });

  // A higher level is a smaller ball.
  await page.evaluate(() => {
    const slider = document.querySelector('.panel input[type="range"]');
    slider.value = '0.7';
    slider.dispatchEvent(new Event('input'));
  });
  await settle();
  const smaller = await page.evaluate(() => window.terraneDemo.triangles);
  assert.ok(smaller > 500 && smaller < sphere, `${smaller} triangles of ${sphere}`);

  const counts = {};
  const levels = {};
  for (const name of ['bytes.nrrd', 'words.nrrd', 'floats.nrrd', 'cube_40x40x40_uint8.raw']) {
    await page.evaluate((url) => window.terraneDemo.load(url), `/${name}`);
    assert.equal(await page.evaluate(() => window.terraneDemo.error), '', name);
    await settle();
    counts[name] = await page.evaluate(() => window.terraneDemo.triangles);
    assert.match(await page.evaluate(() => window.terraneDemo.title), /40×40×40 samples from 0 to 1\d\d/);
    levels[name] = await page.evaluate(() => [window.terraneDemo.iso, window.terraneDemo.title, window.terraneDemo.makes]);
  }
  const live = () => page.evaluate(() => [...window.liveBuffers].map((b) => b.label.replace(/\d+/g, '')).filter((label) => label !== '').sort());
  const before = await live();
  for (let i = 0; i < 4; i++) {
    await page.evaluate((url) => window.terraneDemo.load(url), '/cube_40x40x40_uint8.raw');
    await settle();
  }
  assert.deepEqual(await live(), before, 'buffers of volumes that are gone are left');
  assert.equal(new Set(Object.values(counts)).size, 1, JSON.stringify({ counts, levels }));
  assert.ok(counts['bytes.nrrd'] > 500);
  for (const [name, said] of [['cut.nrrd', /need 256000 bytes, it has \d+/], ['none.raw', /does not say what it is/], ['nowhere.nrrd', /the server answered 404/]]) {
    await page.evaluate((url) => window.terraneDemo.load(url), `/${name}`);
    assert.match(await page.evaluate(() => window.terraneDemo.error), said);
    assert.match(await page.locator('.panel .bad').first().innerText(), said);
  }
  assert.equal((await page.evaluate(() => window.readBacks)).inFrames, 0);
  assert.deepEqual(errors.filter((e) => !e.includes('404')), []);
});

test('a volume where WebGPU is absent: a worker', async (t) => {
  const { page, errors } = await openDemo(t, { demo: 'volume', size: '64', show: 'sphere' }, { init: withoutCard['WebGPU is absent'][0] });
  await until(page, 'a worker has made it', () => window.terraneDemo?.makes === 'workers' && window.terraneDemo.triangles > 5000);
  assert.match(await page.locator('.panel').innerText(), /does not have WebGPU/);
  assert.deepEqual(errors, []);
});

test('a world that the GPU meshes is the same', async (t) => {
  const hills = await new Server().start();
  t.after(() => hills.stop());
  const browser = await launch(t, 'webgpu');
  // One after the other, for people see each other.
  const visit = async (query) => {
    const { page, errors } = await open(t, hills, 'webgpu', { query: { pos: '0,40,0', look: '30,-35', ...query }, browser });
    await loaded(page);
    return { page, errors };
  };
  const picture = async (page) => {
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 600)));
    return page.screenshot({ clip: { x: 0, y: 130, width: 640, height: 230 } }); // without the numbers above
  };
  const plain = await visit({});
  const { triangles, vertices } = await report(plain.page);
  const before = await picture(plain.page);
  await plain.page.close();

  const gpu = await visit({ builder: 'gpu' });
  await until(gpu.page, `it has the ${triangles} triangles of the other page`, (n) => window.terrane.triangles === n, triangles);
  const after = await picture(gpu.page);
  if (process.env.SHOTS) await gpu.page.screenshot({ path: join(process.env.SHOTS, 'world.png') });
  const r = await report(gpu.page);
  assert.ok(r.gpuMeshed > 5, `${r.gpuMeshed} chunks were meshed on the GPU`);
  assert.equal(r.vertices, vertices);
  assert.equal(await differingPixels(gpu.page, before, after), 0, 'something moved');

  // What is dug there is on the server, and everyone else's.
  await aimed(gpu.page);
  await capture(gpu.page);
  await edit(gpu.page);
  await same(hills, gpu.page);
  await until(gpu.page, 'the hole is there', (n) => window.terrane.triangles !== n, triangles);
  const dug = await report(gpu.page);
  assert.equal(dug.halfShown, 0);
  await gpu.page.close();
  const again = await visit({});
  await until(again.page, `it has the ${dug.triangles} triangles`, (n) => window.terrane.triangles === n, dug.triangles);
  assert.deepEqual([...plain.errors, ...gpu.errors, ...again.errors], []);
});

/** How many pixels of two pictures differ by more than rounding of vertices may bring about. */
function differingPixels(page, a, b) {
  return page.evaluate(async ([x, y]) => {
    const pixels = async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [p, q] = [await pixels(x), await pixels(y)];
    let n = 0;
    for (let i = 0; i < p.length; i++) if (Math.abs(p[i] - q[i]) > 8) n++;
    return n;
  }, [a.toString('base64'), b.toString('base64')]);
}
