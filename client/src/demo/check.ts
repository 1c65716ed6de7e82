// The equality suite: holds what this GPU computes to what the processor does, field by field and
// triangle by triangle. ?demo=check shows it, and the browser tests run it on a software GPU.
import { cube, type GridPlace } from '../gpu/batch';
import { difference, Triangles } from './compare';
import type { Edit } from '../gpu/edits';
import type { CpuMesh, Files } from '../gpu/engine';
import type { GridMesh, Lab } from './lab';
import { Random, randomGrid } from './random';

export interface Result {
  name: string;
  ok: boolean;
  /** What was compared, or what is wrong. */
  detail: string;
  ms: number;
}

/** A graph to be checked besides the templates. */
export interface Sample {
  name: string;
  graph: Uint8Array;
  files?: Files;
  /** Whether its field has jumps, at which a sample may fall on either side. */
  jumps?: boolean;
}

const CELLS = 17;
const SIDE = CELLS + 3;
const CUBE = SIDE ** 3;

/** Samples may differ by this share of the field's range, and in sign where the density is below the second. */
const VALUE_SHARE = 1e-5;
const SIGN_SHARE = 1e-4;
/** Of a field with jumps so many samples may lie at one. */
const JUMP_SHARE = 1e-3;

export async function check(lab: Lab, graphs: Sample[], report: (result: Result) => void, grids = 2048): Promise<Result[]> {
  const results: Result[] = [];
  const one = async (name: string, task: () => Promise<string>) => {
    const start = performance.now();
    let result: Result;
    try {
      result = { name, ok: true, detail: await task(), ms: 0 };
    } catch (error) {
      result = { name, ok: false, detail: error instanceof Error ? error.message : String(error), ms: 0 };
    }
    result.ms = Math.round(performance.now() - start);
    results.push(result);
    report(result);
  };
  await one('random grids', () => randomGrids(lab, grids));
  await one('all cases at all borders', () => allCases(lab));
  await one('appended triangles', () => appended(lab));
  await one('too little room', () => tooLittleRoom(lab));
  await one('volumes of bytes, words and floats', () => volumes(lab));
  for (const [name, seed] of [['hills', 1], ['shape', 0], ['flat', 0]] as const) {
    await one(`${name}: field`, async () => checkField(lab, { name, graph: await lab.engine.template(name, seed) }, 0));
  }
  await one('hills, caves and edits: meshes', () => hills(lab));
  await one('neighbors meet', () => neighbors(lab));
  for (const [i, graph] of graphs.entries()) await one(`graph ${graph.name}`, () => checkField(lab, graph, i));
  return results;
}

const gridOf = (m: GridMesh) => new Triangles(m.positions, 4, m.indices);
const cpuOf = (m: CpuMesh) => new Triangles(m.positions, 3, m.indices);
const n = (v: number) => v.toLocaleString('en-US');

/** Returns the first triangle of each grid. */
function starts(m: GridMesh, grids: number): number[] {
  const first = new Array<number>(grids + 1).fill(-1);
  for (let t = m.triangles - 1; t >= 0; t--) first[m.grids[m.indices[3 * t]!]!] = t;
  first[grids] = m.triangles;
  for (let g = grids - 1; g >= 0; g--) if (first[g]! < 0) first[g] = first[g + 1]!;
  return first;
}

/** Compares the meshes of grids with the processor's, grid by grid. */
async function compareGrids(lab: Lab, samples: Float32Array<ArrayBuffer>, cells: number, name: string): Promise<GridMesh> {
  const size = (cells + 3) ** 3;
  const grids = samples.length / size;
  const got = await lab.mesh({ samples: cube(cells + 3), margin: 1, grids, scale: cube(1) }, samples);
  const first = starts(got, grids);
  const all = gridOf(got);
  const meshOf = (g: number) => lab.meshCpu(samples.subarray(g * size, (g + 1) * size), cells);
  let vertices = 0;
  let next = meshOf(0);
  for (let g = 0; g < grids; g++) {
    const want = await next;
    if (g + 1 < grids) next = meshOf(g + 1); // while this one is compared
    const wrong = difference(all, cpuOf(want), first[g], first[g + 1]);
    if (wrong) throw new Error(`${name} ${g}: ${wrong}`);
    const off = compareNormals(got, want, vertices);
    if (off) throw new Error(`${name} ${g}: ${off}`);
    vertices += want.positions.length / 3;
  }
  if (vertices !== got.vertices) throw new Error(`${got.vertices} vertices, want ${vertices}`);
  return got;
}

/** Compares normals of a grid whose vertices begin at a number, where no two vertices are in one place. */
function compareNormals(got: GridMesh, want: CpuMesh, at: number): string {
  const count = want.positions.length / 3;
  const key = (p: Float32Array, i: number) => `${Math.round(p[i]! * 1000)} ${Math.round(p[i + 1]! * 1000)} ${Math.round(p[i + 2]! * 1000)}`;
  if (count > 300) return ''; // of large grids the triangles are enough
  const places = new Map<string, number>();
  for (let i = 0; i < count; i++) places.set(key(want.positions, 3 * i), places.has(key(want.positions, 3 * i)) ? -1 : i);
  for (let i = 0; i < count; i++) {
    const j = places.get(key(got.positions, 4 * (at + i)));
    if (j === undefined || j < 0) continue;
    for (let k = 0; k < 3; k++) {
      const far = Math.abs(got.normals[4 * (at + i) + k]! - 127 * want.normals[3 * j + k]!);
      if (far > 1.5) return `the normal of vertex ${i} is ${far.toFixed(1)}/127 off`;
    }
  }
  return '';
}

async function randomGrids(lab: Lab, grids: number): Promise<string> {
  const r = new Random(5);
  const at = 256; // at a time: 8 MB of samples
  let triangles = 0;
  for (let done = 0; done < grids; done += at) {
    const samples = new Float32Array(CUBE * at);
    for (let g = 0; g < at; g++) {
      // Grids whose every sign is random have ten times the triangles of the others; one in 16 will do.
      const kind = (done + g) % 16 === 0 ? 0 : 1 + ((done + g) % 3);
      randomGrid(samples.subarray(g * CUBE, (g + 1) * CUBE), SIDE, kind, r);
    }
    triangles += (await compareGrids(lab, samples, CELLS, 'random grid')).triangles;
  }
  return `${n(grids)} grids of ${CELLS}³ cells, ${n(triangles)} triangles`;
}

/** Every case in cells at corners, on edges, on faces and inside of a grid. */
async function allCases(lab: Lab): Promise<string> {
  const r = new Random(7);
  const samples = new Float32Array(CUBE * 256).map(() => -r.between(0.1, 1));
  const places = [1, 9, CELLS]; // the first cell, one inside and the last, counted with the margin
  for (let c = 0; c < 256; c++) {
    for (const z of places) for (const y of places) for (const x of places) {
      for (let k = 0; k < 8; k++) {
        const i = ((z + (k >> 2)) * SIDE + y + ((k >> 1) & 1)) * SIDE + x + (k & 1);
        if ((c >> k) & 1) samples[c * CUBE + i] = r.between(0.1, 1);
      }
    }
  }
  const { triangles } = await compareGrids(lab, samples, CELLS, 'case');
  return `256 cases at 27 places, ${n(triangles)} triangles`;
}

async function appended(lab: Lab): Promise<string> {
  const r = new Random(11);
  const samples = new Float32Array(CUBE * 16);
  for (let g = 0; g < 16; g++) randomGrid(samples.subarray(g * CUBE, (g + 1) * CUBE), SIDE, g, r);
  const shape = { samples: cube(SIDE), margin: 1, grids: 16, scale: cube(1) } as const;
  const indexed = await lab.mesh(shape, samples);
  const soup = await lab.append(shape, samples, 200_000);
  // Grids lie over each other: they are taken apart by the number that vertices carry.
  for (let g = 0; g < 16; g++) {
    const of = (m: GridMesh) => {
      const mine = Array.from({ length: m.triangles }, (_, t) => t).filter((t) => m.grids[m.indices[3 * t]!] === g);
      return new Triangles(m.positions, 4, mine.flatMap((t) => [m.indices[3 * t]!, m.indices[3 * t + 1]!, m.indices[3 * t + 2]!]));
    };
    const wrong = difference(of(soup), of(indexed));
    if (wrong) throw new Error(`grid ${g}: ${wrong}`);
  }
  return `${n(soup.triangles)} triangles, ${n(soup.vertices)} vertices in place of ${n(indexed.vertices)}`;
}

async function tooLittleRoom(lab: Lab): Promise<string> {
  const samples = new Float32Array(CUBE);
  randomGrid(samples, SIDE, 0, new Random(3));
  const shape = { samples: cube(SIDE), margin: 1, grids: 1, scale: cube(1) } as const;
  const whole = await lab.mesh(shape, samples, 0, { vertices: 100_000, triangles: 100_000 });
  const grown = await lab.mesh(shape, samples, 0, { vertices: 10, triangles: 10 });
  const wrong = difference(gridOf(grown), gridOf(whole));
  if (wrong) throw new Error(wrong);
  const again = await lab.mesh(shape, samples, 0, { vertices: 100_000, triangles: 100_000 });
  if (String(again.indices) !== String(whole.indices)) throw new Error('the order of the triangles differs from run to run');
  return `grew from 10 to ${n(grown.triangles)} triangles; the order is the same in each run`;
}

/** A volume without a margin in each form that samples can have. */
async function volumes(lab: Lab): Promise<string> {
  const size = [37, 21, 30] as [number, number, number];
  const samples = new Float32Array(size[0] * size[1] * size[2]);
  let i = 0;
  for (let z = 0; z < size[2]; z++) for (let y = 0; y < size[1]; y++) for (let x = 0; x < size[0]; x++, i++) {
    samples[i] = Math.round(128 + 40 * (Math.sin(x / 4) + Math.cos(y / 3) + Math.sin(z / 5)));
  }
  const iso = 130.5; // no sample lies on it, so nothing is joined
  const want = await lab.engine.volume(samples, size, iso);
  for (const [kind, data] of [['f32', samples], ['u8', Uint8Array.from(samples)], ['u16', Uint16Array.from(samples)]] as const) {
    const got = await lab.mesh({ samples: size, margin: 0, grids: 1, scale: cube(1) }, data, iso, undefined, await lab.passesOf(kind));
    const wrong = difference(gridOf(got), cpuOf(want));
    if (wrong) throw new Error(`${kind}: ${wrong}`);
  }
  return `${size.join('×')} samples, ${n(want.indices.length / 3)} triangles`;
}

/** The places at which fields are compared: round the origin and ten million meters away; at level 0 these are chunks. */
const PLACES: GridPlace[] = ([[-1, -1, -1], [-35, -18, 33], [101, 16, -52], [9_999_994, 16, -9_999_995]] as const).map((first) => ({
  first: [...first], origin: [0, 0, 0],
}));

async function checkField(lab: Lab, sample: Sample, i: number): Promise<string> {
  const level = i % 3 === 2 ? 2 : 0;
  const made = await lab.program(sample.graph, sample.files);
  const edits: Edit[] = i % 2 === 0 ? [] : SOME_EDITS;
  const got = await lab.sample(made, SIDE, PLACES, 1 << level, edits);
  const want = await lab.sampleCpu(SIDE, PLACES, level, edits);
  return compareSamples(got, want, sample.jumps === true);
}

/** Compares samples of all places, each with the range of its own values. */
function compareSamples(got: Float32Array, want: Float32Array, jumps: boolean): string {
  const all = { worst: 0, signs: 0, jumped: 0 };
  for (let at = 0; at < want.length; at += CUBE) {
    const one = comparePlace(got.subarray(at, at + CUBE), want.subarray(at, at + CUBE), jumps);
    all.worst = Math.max(all.worst, one.worst);
    all.signs += one.signs;
    all.jumped += one.jumped;
  }
  if (all.jumped > JUMP_SHARE * want.length) throw new Error(`${all.jumped} of ${want.length} samples lie apart, more than lie at a jump`);
  const jumped = all.jumped > 0 ? `, ${all.jumped} at jumps` : '';
  return `${n(want.length)} samples, at most ${all.worst.toExponential(1)} of the range apart, ${all.signs} signs differ${jumped}`;
}

const SOME_EDITS: Edit[] = [
  { operation: 'dig', at: [3.25, 5.5, 4.75], radius: 5, blend: 0 },
  { operation: 'build', at: [8, 8, 8], radius: 4, blend: 3 },
  { operation: 'dig', at: [-20.5, -3, 48.5], radius: 6, blend: 2 },
  { operation: 'build', at: [10_000_008.5, 18, -9_999_990.25], radius: 6.5, blend: 1.5 },
];

/** Compares samples by the share of the range that they lie apart. */
function comparePlace(got: Float32Array, want: Float32Array, jumps: boolean): { worst: number; signs: number; jumped: number } {
  const range = rangeOf(want);
  let [worst, at, signs, jumped] = [0, 0, 0, 0];
  for (let i = 0; i < want.length; i++) {
    const share = Math.abs(got[i]! - want[i]!) / range;
    if (jumps && !(share <= VALUE_SHARE)) {
      jumped++;
      continue;
    }
    if (!(share <= worst)) [worst, at] = [share, i]; // NaN too
    if (got[i]! > 0 === want[i]! > 0) continue;
    signs++;
    if (Math.abs(want[i]!) >= SIGN_SHARE * range) throw new Error(`sample ${i} is ${got[i]}, want ${want[i]}: another sign`);
  }
  if (!(worst <= VALUE_SHARE)) throw new Error(`sample ${at} is ${got[at]}, want ${want[at]}: ${worst.toExponential(1)} of the range ${range} apart`);
  return { worst, signs, jumped };
}

/** From the lowest value to the highest, and from 0 to the largest of either sign. */
function rangeOf(values: Float32Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return Math.max(high - low, Math.abs(low), Math.abs(high), 1e-30);
}

/** Meshes of the hills with caves and edits, from the GPU's own samples. */
async function hills(lab: Lab): Promise<string> {
  const made = await lab.program(await lab.engine.template('hills', 1));
  const ground = await groundHeights(lab);
  const places: GridPlace[] = ground.map(({ x, z, y }) => ({ first: [x, Math.floor(y) - 9, z], origin: [0, 0, 0] }));
  const edits: Edit[] = ground.map(({ x, y, z }, i) => ({
    operation: i % 2 === 0 ? 'dig' : 'build', at: [x + 8.5, y, z + 9.25], radius: 4 + (i % 3), blend: i % 3,
  }));
  const samples = await lab.sample(made, SIDE, places, 1, edits);
  const { triangles } = await compareGrids(lab, samples, CELLS, 'hills');
  return `${places.length} grids, ${n(triangles)} triangles`;
}

/** Places on the surface of the hills: the highest solid sample of the first column of some large chunks. */
async function groundHeights(lab: Lab): Promise<{ x: number; y: number; z: number }[]> {
  const list: { x: number; y: number; z: number }[] = [];
  const cells = 93;
  for (let i = 0; i < 12; i++) {
    const [x, z] = [cells * (i - 6) - 1, cells * (3 - i) - 1];
    const samples = await lab.engine.fill(x, -1, z, cells + 3);
    let y = cells + 2;
    while (y > 0 && !(samples[y * (cells + 3)]! > 0)) y--;
    list.push({ x, y: y - 1, z });
  }
  return list;
}

/** Two chunks side by side have the same vertices and normals on the plane between them, bit for bit. */
async function neighbors(lab: Lab): Promise<string> {
  const made = await lab.program(await lab.engine.template('hills', 1));
  const [ground] = await groundHeights(lab);
  const { x, y, z } = ground!;
  let shared = 0;
  for (const axis of [0, 1, 2]) {
    const first: [number, number, number] = [x, Math.floor(y) - (axis === 1 ? CELLS + 1 : 9), z];
    const next: [number, number, number] = [...first];
    next[axis]! += CELLS;
    const shape = { samples: cube(SIDE), margin: 1, grids: 1, scale: cube(1) } as const;
    const borders: Set<string>[] = [];
    for (const [place, plane] of [[first, CELLS], [next, 0]] as const) {
      const samples = await lab.sample(made, SIDE, [{ first: place, origin: [0, 0, 0] }], 1, []);
      borders.push(border(await lab.mesh(shape, samples), axis, plane));
    }
    const [a, b] = borders as [Set<string>, Set<string>];
    if (a.size !== b.size || [...a].some((v) => !b.has(v))) throw new Error(`chunks that meet along ${'xyz'[axis]} differ on the plane between them`);
    shared += a.size;
  }
  if (shared === 0) throw new Error('no vertex lies between the chunks');
  return `${n(shared)} vertices on three planes, bit for bit`;
}

/** The vertices on a plane, by the bits of their place on it and of their normals. */
function border(m: GridMesh, axis: number, plane: number): Set<string> {
  const list = new Set<string>();
  for (let v = 0; v < m.vertices; v++) {
    const p = m.positions.subarray(4 * v, 4 * v + 3);
    if (p[axis] === plane) list.add(`${p.filter((_, i) => i !== axis).join()} ${m.normals.subarray(4 * v, 4 * v + 3).join()}`);
  }
  return list;
}
