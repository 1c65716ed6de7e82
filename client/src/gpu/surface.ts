// Marching cubes on the GPU: samples go in, what is drawn comes out, in buffers that never leave the GPU.
// The passes are those of package gpu; their order and their places follow from the samples alone.
//
// The buffers that are drawn have room for so much. What a surface needs is counted on the GPU and read by the
// page late, between frames (count); until the room has grown, less is drawn, and the page shows a message.
import { DrawnWord } from '../world/protocol.gen';
import type { Batch } from './batch';
import { groupsOf, makeBuffer, readBuffer, Shader, type Buffers } from './shader';
import { Stopwatch } from './stopwatch';
import { Usage } from './usage';

export type SampleKind = 'f32' | 'u8' | 'u16';

export interface Counts {
  vertices: number;
  triangles: number;
  /** Extractions so far. */
  frame: number;
}

/** Room is the number of vertices and triangles that buffers hold. */
export interface Room {
  vertices: number;
  triangles: number;
}

/**
 * EDGE_WORD is the word of a vertex in positions that holds the edge it lies on: 3 × the edge's first sample in all grids'
 * samples + its axis (shaders/solve.wgsl).
 */
export const EDGE_WORD = 3;

/** Passes are the shaders of all passes over samples of a kind. */
export interface Passes {
  signs: Shader;
  count: Shader;
  scan: Shader;
  vertices: Shader;
  triangles: Shader;
  append: Shader;
  table: GPUBuffer;
}

const FUNCTIONS = {
  signs: ['pack_signs'],
  count: ['count_words'],
  scan: ['scan_words', 'scan_blocks'],
  vertices: ['write_vertices'],
  triangles: ['write_triangles'],
  append: ['append_triangles', 'finish_append'],
} as const;

export async function makePasses(
  device: GPUDevice, texts: Record<string, string>, table: Uint32Array<ArrayBuffer>, kind: SampleKind = 'f32',
): Promise<Passes> {
  const names = Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[];
  const made = await Promise.all(names.map((name) => Shader.make(device, name, texts[`${name} ${kind}`]!, [...FUNCTIONS[name]])));
  const shaders = Object.fromEntries(names.map((name, i) => [name, made[i]!])) as Record<keyof typeof FUNCTIONS, Shader>;
  return { ...shaders, table: makeBuffer(device, 'table', 0, Usage.STORAGE, table) };
}

const DRAWN_BYTES = 4 * DrawnWord.Count;
/** The offsets of the draws' arguments in the buffer drawn, in bytes. */
export const TRIANGLES_AT = 4 * DrawnWord.Triangles;
export const EDGES_AT = 4 * DrawnWord.Edges;

const DRAW = Usage.STORAGE | Usage.COPY_SRC;
/** Room grows to what is needed and a quarter more, so that a growing surface does not ask for it each time. */
const SPARE = 1.25;
const BLOCK_WORDS = 4096;

export class Surface {
  /** What is drawn. room says how much fits; they change with it. */
  positions!: GPUBuffer;
  normals!: GPUBuffer;
  indices!: GPUBuffer;
  /** The triangles' edges, for a wireframe: made when they are first wanted. */
  edges: GPUBuffer | null = null;
  /** The arguments of the indirect draws. */
  readonly drawn: GPUBuffer;
  room: Room = { vertices: 0, triangles: 0 };
  /** Counts up when the buffers that are drawn are other ones. */
  generation = 0;
  /** What was needed when the page last looked. */
  needed: Counts = { vertices: 0, triangles: 0, frame: 0 };

  private readonly signs: GPUBuffer;
  private readonly words: GPUBuffer;
  private readonly blocks: GPUBuffer;
  private groups: Record<'signs' | 'count' | 'scan' | 'vertices' | 'triangles' | 'edges', GPUBindGroup> | null = null;
  private counting: Promise<boolean> | null = null;
  private destroyed = false;

  constructor(
    private readonly device: GPUDevice, private readonly passes: Passes, readonly batch: Batch, private readonly samples: GPUBuffer,
    room: Room, private readonly maxBytes: number,
  ) {
    const storage = Usage.STORAGE | Usage.COPY_SRC;
    this.signs = makeBuffer(device, 'signs', 4 * batch.words, storage);
    this.words = makeBuffer(device, 'words', 16 * batch.words, storage);
    this.blocks = makeBuffer(device, 'blocks', 8 * Math.ceil(batch.words / BLOCK_WORDS), storage);
    this.drawn = makeBuffer(device, 'drawn', DRAWN_BYTES, storage | Usage.INDIRECT);
    this.grow(room);
  }

  /** Bytes on the GPU. */
  get bytes(): number {
    const all = [this.signs, this.words, this.blocks, this.drawn, this.positions, this.normals, this.indices, this.edges];
    return all.reduce((sum, buffer) => sum + (buffer?.size ?? 0), 0);
  }

  /** What the surface needs and has no room for, null if all of it is drawn. */
  get overflow(): Counts | null {
    const { vertices, triangles } = this.needed;
    return vertices > this.room.vertices || triangles > this.room.triangles ? this.needed : null;
  }

  /** The most that this GPU's buffers can hold. */
  get most(): Room {
    return { vertices: Math.floor(this.maxBytes / 16), triangles: Math.floor(this.maxBytes / (this.batch.lines ? 24 : 12)) };
  }

  /** Whether a wireframe is drawn in place of faces. */
  set lines(on: boolean) {
    if (this.batch.lines === on) return;
    this.batch.lines = on;
    if (on && !this.edges) this.makeEdges();
    this.groups = null;
  }

  /** Encodes all passes. The samples must be there. */
  encode(encoder: GPUCommandEncoder, watch: Stopwatch): void {
    const { batch, passes } = this;
    batch.maxVertices = this.room.vertices;
    batch.maxTriangles = this.room.triangles;
    batch.write();
    this.groups ??= this.bind();
    const g = this.groups;
    const run = (name: string, task: (pass: GPUComputePassEncoder) => void) => {
      const pass = watch.pass(encoder, name);
      task(pass);
      pass.end();
    };
    const all = groupsOf(batch.words);
    run('signs', (pass) => passes.signs.run(pass, 'pack_signs', g.signs, all));
    run('count', (pass) => passes.count.run(pass, 'count_words', g.count, all));
    run('scan', (pass) => {
      passes.scan.run(pass, 'scan_words', g.scan, Math.ceil(batch.words / BLOCK_WORDS));
      passes.scan.run(pass, 'scan_blocks', g.scan, 1);
    });
    run('vertices', (pass) => passes.vertices.run(pass, 'write_vertices', g.vertices, all));
    run('triangles', (pass) => passes.triangles.run(pass, 'write_triangles', batch.lines ? g.edges : g.triangles, all));
  }

  /**
   * Learns what the surface needs, and makes room for it; resolves with whether the buffers changed. It waits for
   * the GPU, so it must not be part of a frame. One count runs at a time.
   */
  count(): Promise<boolean> {
    this.counting ??= this.countOnce().finally(() => (this.counting = null));
    return this.counting;
  }

  private async countOnce(): Promise<boolean> {
    if (this.destroyed) return false; // while the caller waited for the times of its passes
    const w = new Uint32Array(await readBuffer(this.device, this.drawn, DRAWN_BYTES));
    if (this.destroyed) return false;
    this.needed = { vertices: w[DrawnWord.VerticesNeeded]!, triangles: w[DrawnWord.TrianglesNeeded]!, frame: w[DrawnWord.Frame]! };
    const { vertices, triangles } = this.needed;
    if (vertices <= this.room.vertices && triangles <= this.room.triangles) return false;
    const { most } = this;
    const grown = (need: number, has: number, max: number) => (need <= has ? has : Math.min(Math.ceil(need * SPARE), max));
    const room = {
      vertices: grown(vertices, this.room.vertices, most.vertices),
      triangles: grown(triangles, this.room.triangles, most.triangles),
    };
    if (room.vertices === this.room.vertices && room.triangles === this.room.triangles) return false; // as large as it gets
    this.grow(room);
    return true;
  }

  /** Gives the drawn buffers other sizes. Their contents come with the next extraction. */
  grow(room: Room): void {
    const old = [this.positions, this.normals, this.indices, this.edges];
    this.room = { ...room };
    this.positions = makeBuffer(this.device, 'positions', 16 * room.vertices, DRAW | Usage.VERTEX);
    this.normals = makeBuffer(this.device, 'normals', 4 * room.vertices, DRAW | Usage.VERTEX);
    this.indices = makeBuffer(this.device, 'indices', 12 * room.triangles, DRAW | Usage.INDEX);
    if (this.edges) this.makeEdges();
    this.groups = null;
    this.generation++;
    for (const buffer of old) (buffer as GPUBuffer | null | undefined)?.destroy();
  }

  private makeEdges(): void {
    this.edges = makeBuffer(this.device, 'edges', 24 * this.room.triangles, DRAW | Usage.INDEX);
    this.generation++;
  }

  private bind(): NonNullable<Surface['groups']> {
    const { batch, passes, signs, words, blocks } = this;
    const common: Buffers = { 0: batch.uniform, 1: signs, 2: passes.table, 3: words, 4: blocks };
    return {
      signs: passes.signs.bind({ ...common, 5: this.samples }),
      count: passes.count.bind(common),
      scan: passes.scan.bind({ ...common, 5: this.drawn }),
      vertices: passes.vertices.bind({ ...common, 2: batch.grids, 5: this.samples, 6: this.positions, 7: this.normals }),
      triangles: passes.triangles.bind({ ...common, 5: this.indices }),
      edges: passes.triangles.bind({ ...common, 5: this.edges ?? this.indices }),
    };
  }

  destroy(): void {
    this.destroyed = true;
    for (const buffer of [this.signs, this.words, this.blocks, this.drawn, this.positions, this.normals, this.indices]) buffer.destroy();
    this.edges?.destroy();
  }
}

/**
 * The simpler way, for comparison: every cell takes room from a counter. Its triangles have vertices of their own,
 * and their order depends on timing.
 */
export class Appender {
  readonly positions: GPUBuffer;
  readonly normals: GPUBuffer;
  /** How many triangles there are, then at byte 16 the arguments of an indirect draw. */
  readonly appended: GPUBuffer;
  private readonly group: GPUBindGroup;

  constructor(device: GPUDevice, private readonly passes: Passes, private readonly batch: Batch, samples: GPUBuffer, private readonly triangles: number) {
    this.positions = makeBuffer(device, 'appended positions', 48 * triangles, DRAW | Usage.VERTEX);
    this.normals = makeBuffer(device, 'appended normals', 12 * triangles, DRAW | Usage.VERTEX);
    this.appended = makeBuffer(device, 'appended', 32, DRAW | Usage.INDIRECT);
    this.group = passes.append.bind({
      0: batch.uniform, 1: batch.grids, 2: passes.table, 3: this.appended, 5: samples, 6: this.positions, 7: this.normals,
    });
  }

  encode(encoder: GPUCommandEncoder, watch: Stopwatch): void {
    const { batch, passes } = this;
    batch.maxTriangles = this.triangles;
    batch.write();
    encoder.clearBuffer(this.appended);
    const [x, y, z] = batch.cells;
    const pass = watch.pass(encoder, 'append');
    passes.append.run(pass, 'append_triangles', this.group, groupsOf(x * y * z * batch.shape.grids));
    passes.append.run(pass, 'finish_append', this.group, 1);
    pass.end();
  }

  destroy(): void {
    for (const buffer of [this.positions, this.normals, this.appended]) buffer.destroy();
  }
}
