// A world with materials shows their colors, on both backends, with fine patterns and without.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, loaded, open, Server } from './lib.mjs';
import { pixels } from './pixels.mjs';

let server;
before(async () => (server = await new Server().start()));
after(() => server.stop());

/** Materials of the hills. */
const MEADOW = [0x46, 0x80, 0x3b];
const DRY_GRASS = [0x64, 0x89, 0x3e];
/** Patterns and slopes make ground lighter and darker than level ground without them. */
const TOLERANCE = 40;

const linear = (v) => (v <= 10.31 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const sRGB = (l) => 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * Math.min(l, 1) ** (1 / 2.4) - 0.055);

/** What level ground of a color looks like under the light of stage.ts. */
function lit(color) {
  const [sun, sky] = [[0xff, 0xd8, 0xa8], [0xc4, 0xb5, 0xfd]];
  const up = 0.65 / Math.hypot(0.5, 0.65, 0.55);
  return color.map((c, k) => sRGB(linear(c) * (1.1 * up * linear(sun[k]) + 0.6 * linear(sky[k]))));
}

/** The mean color of a part of the page beside the crosshair and the ball of the tool. */
async function mean(page) {
  const p = await pixels(page, { x: 380, y: 60, width: 140, height: 60 });
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
    const browser = await launch(t, backend);
    for (const [what, color, pos] of [['meadow', MEADOW, '72,47,90'], ['dry grass', DRY_GRASS, '174,8,-228']]) {
      const { page, errors } = await open(t, server, backend, { browser, query: { pos, look: '0,-89', quality } });
      await loaded(page);
      near(await mean(page), lit(color), what);
      assert.deepEqual(errors, []);
      await page.close();
    }
  });
}
