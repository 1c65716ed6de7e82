// ?demo=check: runs the equality suite on this GPU and shows what it finds.
import { element, fatal } from '../view/hud';
import { check, type Result, type Sample } from './check';
import { openGpu } from '../gpu/device';
import { GpuEngine } from '../gpu/engine';
import { Lab } from './lab';
import { Panel } from './panel';

export async function run(): Promise<void> {
  const gpu = await openGpu();
  if ('missing' in gpu) {
    fatal('The GPU cannot be checked', [gpu.missing], 'Open this page in a browser with WebGPU.');
    return;
  }
  const engine = await GpuEngine.start();
  const lab = await Lab.open(gpu, engine);
  element('cover').hidden = true;
  const panel = new Panel(`Checking ${gpu.name}`, 'page');
  panel.text('Every sample and every triangle that this GPU makes is compared with the processor’s.');
  const list = panel.list();
  const report = { demo: 'check', gpu: gpu.name, software: gpu.software, done: false, results: [] as Result[], run: null as unknown };
  const suite = async (graphs: Sample[], grids?: number) => {
    report.done = false;
    report.results = [];
    await check(lab, graphs, (r) => {
      report.results.push(r);
      list.add(`${r.ok ? '✓' : '✗'} ${r.name}`, `${r.detail} · ${r.ms.toLocaleString('en-US')} ms`, !r.ok);
    }, grids);
    report.done = true;
    const wrong = report.results.filter((r) => !r.ok).length;
    panel.text(wrong === 0 ? 'All equal.' : `${wrong} of ${report.results.length} differ. Please report this, with the name of the GPU.`);
    return report.results;
  };
  report.run = suite;
  Object.defineProperty(window, 'terraneDemo', { value: report });
  if (new URLSearchParams(location.search).get('start') !== 'later') await suite([]);
}
