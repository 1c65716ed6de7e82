// A field and edits as samples on the GPU. The field is computed once where grids are placed, its parts
// that do not depend on y once a column; edits are laid over it anew as often as they change.
import type { Batch } from '../gpu/batch';
import { editWords, type Edit } from '../gpu/edits';
import type { Program } from '../gpu/engine';
import { groupsOf, makeBuffer, Shader, type Buffers } from '../gpu/shader';
import type { Stopwatch } from '../gpu/stopwatch';
import { Usage } from '../gpu/usage';
import { EditWord } from '../world/protocol.gen';

export interface GroundShaders {
  field: Shader;
  edits: Shader;
}

export async function makeGround(device: GPUDevice, texts: Record<string, string>, program: Program): Promise<GroundShaders> {
  const [field, edits] = await Promise.all([
    Shader.make(device, 'field', program.code, ['columns', 'fill']),
    Shader.make(device, 'edits', texts['edits f32']!, ['find_edits', 'apply']),
  ]);
  return { field, edits };
}

/** Samples of a tile that edits are laid over at once (edits.wgsl). */
const TILE = [8, 4, 4] as const;

export class Ground {
  /** The field without edits. */
  readonly field: GPUBuffer;
  /** With them. */
  readonly samples: GPUBuffer;
  private readonly buffers: GPUBuffer[];
  private readonly fieldGroup: GPUBindGroup;
  private readonly list: GPUBuffer;
  private readonly editGroup: GPUBindGroup;
  /** Tiles of all grids, along z those of one grid after the other. */
  private readonly tiles: [number, number, number];

  constructor(
    private readonly device: GPUDevice, private readonly shaders: GroundShaders, private readonly batch: Batch, program: Program,
    private readonly maxEdits = 64,
  ) {
    const storage = Usage.STORAGE | Usage.COPY_SRC;
    this.field = makeBuffer(device, 'field', 4 * batch.sampleCount, storage);
    this.samples = makeBuffer(device, 'samples', 4 * batch.sampleCount, storage);
    const numbers = makeBuffer(device, 'numbers', 0, storage, program.numbers);
    const rasters = makeBuffer(device, 'rasters', 0, storage, program.rasters);
    const columns = makeBuffer(device, 'columns', 4 * batch.columns * program.columns, storage);
    this.list = makeBuffer(device, 'edits', 4 * EditWord.Count * maxEdits, storage);
    const [nx, ny, nz] = batch.shape.samples.map((n, axis) => Math.ceil(n / TILE[axis]!)) as [number, number, number];
    this.tiles = [nx, ny, nz * batch.shape.grids];
    const reached = makeBuffer(device, 'reached', 4 * this.tileCount * Math.ceil(maxEdits / 32), storage);
    this.buffers = [reached, this.field, this.samples, numbers, rasters, columns, this.list];
    const common: Buffers = { 0: batch.uniform, 1: batch.grids };
    this.fieldGroup = shaders.field.bind({ ...common, 2: numbers, 3: rasters, 4: columns, 5: this.field });
    this.editGroup = shaders.edits.bind({ ...common, 2: this.list, 3: this.field, 4: reached, 5: this.samples });
  }

  private get tileCount(): number {
    return this.tiles[0] * this.tiles[1] * this.tiles[2];
  }

  get bytes(): number {
    return this.buffers.reduce((sum, buffer) => sum + buffer.size, 0);
  }

  /** Encodes the evaluation of the field, after grids were placed. */
  encodeField(encoder: GPUCommandEncoder, watch: Stopwatch): void {
    this.batch.write();
    for (const [name, threads] of [['columns', this.batch.columns], ['fill', this.batch.sampleCount]] as const) {
      const pass = watch.pass(encoder, name);
      this.shaders.field.run(pass, name, this.fieldGroup, groupsOf(threads));
      pass.end();
    }
  }

  /** Encodes the field with edits into the samples. */
  encodeEdits(encoder: GPUCommandEncoder, watch: Stopwatch, edits: Edit[]): void {
    if (edits.length > this.maxEdits) throw new Error(`${edits.length} edits, at most ${this.maxEdits}`);
    if (edits.length > 0) this.device.queue.writeBuffer(this.list, 0, editWords(edits));
    this.batch.edits = edits.length;
    this.batch.write();
    const pass = watch.pass(encoder, 'edits');
    this.shaders.edits.run(pass, 'find_edits', this.editGroup, groupsOf(this.tileCount));
    this.shaders.edits.run(pass, 'apply', this.editGroup, this.tiles);
    pass.end();
  }

  destroy(): void {
    for (const buffer of this.buffers) buffer.destroy();
  }
}
