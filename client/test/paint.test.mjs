// A world with materials shows their colors, on both backends, with fine patterns and without.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { aimed, capture, edit, loaded, open, same, Server, settled } from './lib.mjs';
import { pixels } from './pixels.mjs';

const COLORS = { blue: [0x30, 0x60, 0xc0], rust: [0xb0, 0x50, 0x30], lime: [0x60, 0xc0, 0x40] };
/** Level ground, blue in the west, rust in the east, lime below. */
const hex = (c) => `"#${c.map((v) => v.toString(16).padStart(2, '0')).join('')}"`;
const DOCUMENT = `
terrane: 1
materials: {${Object.entries(COLORS).map(([name, color]) => `${name}: {color: ${hex(color)}, roughness: 1}`).join(', ')}}
density: {below: 0.5}
ground: 0.5
material: {bands: depth, of: [{bands: x, of: [blue, 0, rust]}, 1, lime]}
`;

let server, dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'terrane-paint-'));
  writeFileSync(join(dir, 'paint.yaml'), DOCUMENT);
  server = await new Server(['--document', join(dir, 'paint.yaml')]).start();
});
after(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

/** Patterns make ground lighter and darker. */
const TOLERANCE = 35;

const linear = (v) => (v <= 10.31 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const sRGB = (l) => 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * Math.min(l, 1) ** (1 / 2.4) - 0.055);

/** What level ground of a color looks like under the light of stage.ts. */
function lit(color) {
  const [sun, sky] = [[0xff, 0xd8, 0xa8], [0xc4, 0xb5, 0xfd]];
  const up = 0.65 / Math.hypot(0.5, 0.65, 0.55);
  return color.map((c, k) => sRGB(linear(c) * (1.1 * up * linear(sun[k]) + 0.6 * linear(sky[k]))));
}

/** The mean color of a part of the page. */
async function mean(page, clip) {
  const p = await pixels(page, clip);
  const sum = [0, 0, 0];
  for (let y = 0; y < p.height; y++) {
    for (let x = 0; x < p.width; x++) {
      const { r, g, b } = p.at(x, y);
      [r, g, b].forEach((v, k) => (sum[k] += v));
    }
  }
  return sum.map((v) => v / (p.width * p.height));
}

function near(got, want, what) {
  const text = `${what}: ${got.map(Math.round)}, want about ${want.map(Math.round)}`;
  got.forEach((v, k) => assert.ok(Math.abs(v - want[k]) < TOLERANCE, text));
}

for (const [backend, quality] of [['webgl2', 'high'], ['webgl2', 'low'], ['webgpu', 'high']]) {
  test(`ground has the colors of its materials: ${backend}, quality ${quality}`, async (t) => {
    const { page, errors } = await open(t, server, backend, { query: { pos: '0,9,0', look: '0,-89', quality } });
    await loaded(page);
    near(await mean(page, { x: 180, y: 200, width: 80, height: 60 }), lit(COLORS.blue), 'west');
    near(await mean(page, { x: 380, y: 200, width: 80, height: 60 }), lit(COLORS.rust), 'east');
    assert.deepEqual(errors, []);
  });
}

test('painted ground has the material that was chosen', async (t) => {
  const { page, errors } = await open(t, server, 'webgl2', { query: { pos: '-8,7,30', look: '0,-89', quality: 'low' } });
  await loaded(page);
  await aimed(page);
  await capture(page);
  await page.keyboard.press('3'); // lime
  await edit(page);
  await settled(page);
  const [r, g, b] = await mean(page, { x: 310, y: 170, width: 20, height: 20 });
  assert.ok(g > 0.8 * r && g > 1.2 * b, `the painted ground is ${[r, g, b].map(Math.round)}, want it lime, not blue`);
  await same(server, page);
  assert.deepEqual(errors, []);
});

test('dug ground has the material of its depth', async (t) => {
  const { page, errors } = await open(t, server, 'webgl2', { query: { pos: '8,7,0', look: '0,-89', quality: 'low' } });
  await loaded(page);
  await aimed(page);
  await capture(page);
  for (let i = 0; i < 2; i++) await edit(page);
  await settled(page);
  const [r, g, b] = await mean(page, { x: 310, y: 170, width: 20, height: 20 });
  // The tool's ball lies over it and makes it redder.
  assert.ok(g > 0.8 * r && g > 1.5 * b, `the bottom of the hole is ${[r, g, b].map(Math.round)}, want it lime`);
  assert.deepEqual(errors, []);
});
