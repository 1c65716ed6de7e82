// Measures what a person waits for, on both backends, with view radius 2 on the default hills: the first terrain
// after opening the page, an edit from the click to the rebuilt meshes, tasks that hold the page up. Figures are
// worth something only on an idle machine.
//
//	node test/measure.mjs [RUNS]
import { availableParallelism, loadavg } from 'node:os';
import { aimed, capture, edit, launch, loaded, median, open, report, Server, until } from './lib.mjs';

const runs = Number(process.argv[2] ?? 3);
const EDITS = 21;
const ms = (numbers) => `${median(numbers).toFixed(0)} ms (${numbers.map((n) => n.toFixed(0)).join(' ')})`;

console.log(`${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`);
for (const backend of ['webgl2', 'webgpu']) {
  const first = [];
  const drawn = [];
  const all = [];
  const long = [];
  let edits = [];
  let marks;
  let frames = [];
  for (let i = 0; i < runs; i++) {
    const cleanup = [];
    const t = { after: (f) => cleanup.unshift(f) };
    const server = await new Server().start();
    t.after(() => server.stop());
    const browser = await launch(t, backend);
    const { page } = await open(t, server, backend, { browser, query: { look: '0,-50' } });
    await loaded(page);
    await until(page, 'the cover is gone', () => window.terrane.allLoadedMs > 0);
    marks = await page.evaluate(() => performance.getEntriesByType('mark').map((m) => `${m.name} ${Math.round(m.startTime)}`));
    await aimed(page);
    await capture(page);
    for (let e = 0; e < EDITS; e++) await edit(page, e % 2 === 0 ? 'left' : 'right');
    await page.keyboard.down('w');
    await page.waitForTimeout(2000); // how it moves is what is measured
    await page.keyboard.up('w');
    const r = await report(page);
    first.push(r.firstTerrainMs);
    drawn.push(r.firstTerrainDrawnMs);
    all.push(r.allLoadedMs);
    edits = edits.concat(r.editToShownMs);
    long.push(...r.longTasks);
    frames = frames.concat(r.frameMs);
    for (const f of cleanup) await f();
  }
  console.log(`\n${backend}, ${runs} runs`);
  console.log(`  first terrain handed over  ${ms(first)}`);
  console.log(`  first terrain drawn        ${ms(drawn)}`);
  console.log(`  all terrain loaded         ${ms(all)}`);
  console.log(`  click to meshes            median ${median(edits).toFixed(1)} ms, worst ${Math.max(...edits).toFixed(0)} ms of ${edits.length}`);
  console.log(`  our part of a frame        median ${median(frames).toFixed(2)} ms, worst ${Math.max(...frames).toFixed(1)} ms`);
  console.log(`  tasks over 16 ms           ${long.length} ${JSON.stringify(long.slice(0, 12))}`);
  console.log(`  ${marks.join(', ')}`);
}
