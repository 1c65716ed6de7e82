// Runs ?demo=bench and prints its line of JSON: `make bench-gpu`. It uses a software GPU unless GPU=1 says that this
// machine has another; VOLUME names a volume file to be timed as well (an NRRD file, or raw with its size and type in
// its name), SIZE the side of the built-in ones. Anyone may open /?demo=bench in a browser instead.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath, COMMON_FLAGS, FLAGS, Server } from './lib.mjs';

const PATIENCE_MS = 900_000;
const flags = process.env.GPU ? ['--enable-unsafe-webgpu', '--enable-features=Vulkan'] : FLAGS.webgpu;
const server = await new Server(['--template', 'flat']).start();
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...COMMON_FLAGS, ...flags] });
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  const query = new URLSearchParams({ demo: 'bench' });
  if (process.env.SIZE) query.set('size', process.env.SIZE);
  if (process.env.RUNS) query.set('runs', process.env.RUNS);
  if (process.env.VOLUME) {
    const name = basename(process.env.VOLUME);
    await page.route(`**/${name}`, (route) => route.fulfill({ body: readFileSync(process.env.VOLUME), contentType: 'application/octet-stream' }));
    query.set('url', `/${name}`);
  }
  await page.goto(`${server.url}/?${query}`);
  await page.waitForFunction(() => window.terraneDemo || !document.getElementById('message').hidden, undefined, { timeout: PATIENCE_MS, polling: 250 });
  const line = await page.evaluate(() => window.terraneDemo?.line ?? null);
  if (line === null) throw new Error(await page.locator('#message').innerText());
  console.log(line);
} finally {
  await browser.close();
  await server.stop();
}
