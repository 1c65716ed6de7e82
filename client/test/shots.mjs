// Makes the pictures of the documentation, 1280×720: hills, a dug cave, other people, the Alps,
// the heightmaps.
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

/** Waits for the view of a heightmap. */
async function heights(page) {
  await until(page, 'the heightmap is drawn', () => window.terrane?.started);
  await page.locator('#cover').waitFor({ state: 'hidden' });
}

const alps = heightmap ? ['--heightmap', heightmap, '--scale', '0.1'] : null;
const scenes = {
  hills: { query: { radius: '9', pos: '205,44,4', look: '-118,-12' } },
  meadow: { query: { radius: '9', pos: '0,46,0', look: '150,-12' } },
  cave: {
    query: { radius: '5', look: '60,-35' }, // from the start, 20 m above the ground
    async play(page) {
      await aimed(page);
      const { eye } = await report(page);
      await capture(page);
      for (let i = 0; i < 2; i++) await page.mouse.wheel(0, -100);
      await hold(page, 'left', 8);
      await page.keyboard.down('s'); // a step back shows the mouth
      await until(page, 'it is back', (y) => window.terrane.eye.y > y + 4, eye.y);
      await page.keyboard.up('s');
    },
  },
  alps: { args: alps, query: { radius: '12', pos: '-1881,150,4120', look: '30,-8' } },
  valley: { args: alps, query: { radius: '12', pos: '263,130,3508', look: '-150,-10' } },
  rough: { query: { view: 'rough' }, ready: heights },
  smooth: { query: { view: 'smooth' }, ready: heights },
  people: {
    query: { radius: '5', pos: '0,39,0', look: '0,-15' },
    async play(page, t, server) {
      for (const [name, pos, look] of [['Ada', '-4,36,-13', '-160,0'], ['Grace', '5,35,-18', '130,-10']]) {
        const other = await open(t, server, backend, { browser: page.context().browser(), query: { name, pos, look, radius: '1' } });
        await until(other.page, 'it is there', () => window.terrane.state === 'live');
      }
      await page.bringToFront();
      await until(page, 'the others are there', () => window.terrane.people === 2);
      await page.waitForTimeout(2000); // they glide to their places
    },
  },
};

mkdirSync(out, { recursive: true });
for (const [name, { args = [], query, play, ready }] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!args) continue; // without a heightmap
  const server = await new Server(args).start();
  const cleanup = [];
  const t = { after: (f) => cleanup.push(f) };
  const browser = await launch(t, backend);
  const { page, errors } = await open(t, server, backend, { browser, query: { quality: 'high', ...query }, size });
  if (ready) await ready(page);
  else {
    await loaded(page);
    await play?.(page, t, server);
    await settled(page);
    await page.locator('#cover').waitFor({ state: 'hidden' });
  }
  await page.screenshot({ path: join(out, `${name}.png`) });
  const r = await report(page);
  console.log(name, ready ? `${r.triangles} triangles` : `${r.loaded} chunks, ${r.triangles} triangles, all after ${Math.round(r.allLoadedMs)} ms`, r.eye ?? '', errors);
  for (const f of cleanup) await f();
  await server.stop();
}
