// Some grids of one size that are worked on together: the uniform that every pass reads, and where the grids lie.
import { BatchWord, GridWord } from '../world/protocol.gen';
import { makeBuffer } from './shader';
import { Usage } from './usage';

/** Shape is what does not change while a batch lives. */
export interface Shape {
  /** Samples along each axis, the margin included. */
  samples: [number, number, number];
  /** Samples before the first cell, and after the last: 1 lets neighbors agree on normals, 0 is for volumes. */
  margin: 0 | 1;
  grids: number;
  /** Size of a cell. */
  scale: [number, number, number];
}

/** GridPlace is a grid's first sample in the world, and the place where the corner of its first cell is drawn. */
export interface GridPlace {
  first: [number, number, number];
  origin: [number, number, number];
}

export const cube = (side: number): [number, number, number] => [side, side, side];

const BATCH_BYTES = 4 * BatchWord.Count;
const GRID_BYTES = 4 * GridWord.Count;

export class Batch {
  readonly cells: [number, number, number];
  readonly rowWords: number;
  /** Words of signs of all grids. */
  readonly words: number;
  readonly sampleCount: number;
  readonly columns: number;
  readonly uniform: GPUBuffer;
  readonly grids: GPUBuffer;

  iso = 0;
  edits = 0;
  step = 1;
  maxVertices = 0;
  maxTriangles = 0;
  lines = false;

  private readonly data = new ArrayBuffer(BATCH_BYTES);

  constructor(private readonly device: GPUDevice, readonly shape: Shape) {
    const [nx, ny, nz] = shape.samples;
    const edge = 2 * shape.margin + 1;
    this.cells = [nx - edge, ny - edge, nz - edge];
    if (Math.min(...this.cells) < 1) throw new Error(`grids of ${nx}×${ny}×${nz} samples have no cells`);
    this.rowWords = Math.ceil(nx / 32);
    this.words = this.rowWords * ny * nz * shape.grids;
    this.sampleCount = nx * ny * nz * shape.grids;
    this.columns = nx * nz * shape.grids;
    this.uniform = makeBuffer(device, 'batch', BATCH_BYTES, Usage.UNIFORM);
    this.grids = makeBuffer(device, 'grids', GRID_BYTES * shape.grids, Usage.STORAGE);
  }

  place(places: GridPlace[]): void {
    const data = new ArrayBuffer(GRID_BYTES * places.length);
    places.forEach(({ first, origin }, i) => {
      new Int32Array(data, GRID_BYTES * i + 4 * GridWord.First, 3).set(first);
      new Float32Array(data, GRID_BYTES * i + 4 * GridWord.Origin, 3).set(origin);
    });
    this.device.queue.writeBuffer(this.grids, 0, data);
  }

  /** Tells the passes what has changed. */
  write(): void {
    const u = new Uint32Array(this.data);
    const f = new Float32Array(this.data);
    const { samples, grids, margin, scale } = this.shape;
    const least = Math.min(...scale);
    u.set(samples, BatchWord.Samples);
    u.set(this.cells, BatchWord.Cells);
    f.set(scale, BatchWord.Scale);
    f.set(scale.map((s) => least / s), BatchWord.Weight);
    f[BatchWord.Iso] = this.iso;
    u[BatchWord.Grids] = grids;
    u[BatchWord.Margin] = margin;
    u[BatchWord.RowWords] = this.rowWords;
    u[BatchWord.Words] = this.words;
    u[BatchWord.MaxVertices] = this.maxVertices;
    u[BatchWord.MaxTriangles] = this.maxTriangles;
    u[BatchWord.Lines] = Number(this.lines);
    u[BatchWord.Step] = this.step;
    u[BatchWord.Edits] = this.edits;
    u[BatchWord.Columns] = this.columns;
    this.device.queue.writeBuffer(this.uniform, 0, this.data);
  }

  destroy(): void {
    this.uniform.destroy();
    this.grids.destroy();
  }
}
