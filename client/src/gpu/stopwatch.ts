// Times passes on the GPU, where it can. The numbers stay there until someone asks for them, which is
// never a frame.
import { readBuffer } from './shader';
import { Usage } from './usage';

export class Stopwatch {
  private readonly set: GPUQuerySet | null;
  private readonly times: GPUBuffer | null;
  private readonly names: string[] = [];
  private taken: string[] = [];

  constructor(private readonly device: GPUDevice, timestamps: boolean, private readonly most = 16) {
    this.set = timestamps ? device.createQuerySet({ type: 'timestamp', count: 2 * most }) : null;
    this.times = timestamps
      ? device.createBuffer({ label: 'times', size: 16 * most, usage: Usage.QUERY_RESOLVE | Usage.COPY_SRC })
      : null;
  }

  /** Begins the list of passes of a frame. */
  start(): void {
    this.names.length = 0;
  }

  /** Begins a pass that is timed. */
  pass(encoder: GPUCommandEncoder, name: string): GPUComputePassEncoder {
    const i = this.names.length;
    if (!this.set || i >= this.most) return encoder.beginComputePass({ label: name });
    this.names.push(name);
    return encoder.beginComputePass({
      label: name,
      timestampWrites: { querySet: this.set, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 },
    });
  }

  /** Ends the list. */
  stop(encoder: GPUCommandEncoder): void {
    if (!this.set || !this.times || this.names.length === 0) return;
    encoder.resolveQuerySet(this.set, 0, 2 * this.names.length, this.times, 0);
    this.taken = [...this.names];
  }

  /** Milliseconds of each pass of the latest frame that has one; nothing where there are no timestamps. */
  async read(): Promise<Record<string, number>> {
    if (!this.times || this.taken.length === 0) return {};
    const names = this.taken;
    const t = new BigUint64Array(await readBuffer(this.device, this.times, 16 * names.length));
    const ms: Record<string, number> = {};
    names.forEach((name, i) => (ms[name] = (ms[name] ?? 0) + Number(t[2 * i + 1]! - t[2 * i]!) / 1e6));
    return ms;
  }

  destroy(): void {
    this.set?.destroy();
    this.times?.destroy();
  }
}
