// Makes the pictures of the documentation, 1280×720: hills, a dug cave, a built tower, the Alps.
//
//	node test/shots.mjs OUT [NAME…]      HEIGHTMAP=N47E009.hgt for the Alps
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { aimed, capture, launch, loaded, open, report, Server, settled, until } from './lib.mjs';

const [out = 'shots', ...wanted] = process.argv.slice(2);
const backend = process.env.BACKEND ?? 'webgl2';
const size = { width: 1280, height: 720 };
const heightmap = process.env.HEIGHTMAP;

/** Holds a button until n more edits are durable. */
async function hold(page, button, n) {
  const { edits } = await report(page);
  await page.mouse.down({ button });
  await until(page, `${n} edits are durable`, (to) => window.terrane.edits.acked >= to, edits.acked + n);
  await page.mouse.up({ button });
  await settled(page);
}

const scenes = {
  hills: { query: { radius: '7', look: '35,-14', pos: '0,46,0' } },
  overhang: { query: { radius: '5', look: '200,-12', pos: '30,34,20' } },
  cave: {
    query: { radius: '4', pos: '8,28,12', look: '60,-28' },
    async play(page) {
      await aimed(page);
      await capture(page);
      for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -100);
      await hold(page, 'left', 14);
    },
  },
  alps: { args: heightmap && ['--heightmap', heightmap, '--scale', '0.1'], query: { radius: '10', look: '-40,-12' } },
};

mkdirSync(out, { recursive: true });
for (const [name, { args = [], query, play }] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (name === 'alps' && !heightmap) continue;
  const server = await new Server(args).start();
  const cleanup = [];
  const t = { after: (f) => cleanup.push(f) };
  const browser = await launch(t, backend);
  const { page, errors } = await open(t, server, backend, { browser, query: { quality: 'high', ...query }, size });
  await loaded(page);
  await play?.(page);
  await settled(page);
  await page.waitForTimeout(600); // the cover fades
  await page.screenshot({ path: join(out, `${name}.png`) });
  const r = await report(page);
  console.log(name, `${r.loaded} chunks, ${r.triangles} triangles, all after ${Math.round(r.allLoadedMs)} ms`, r.eye, errors);
  for (const f of cleanup) await f();
  await server.stop();
}
