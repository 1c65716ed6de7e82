// Compares meshes as sets of triangles, wherever these begin and in whatever order they come. Vertices are equal if
// they are within 1e-4 of a cell. Pure: no screen, no GPU.

/** Positions are rounded to this part of a cell. */
const PARTS = 10_000;

/** A mesh as the comparison reads it. */
export class Triangles {
  /** A number for each vertex's rounded place. */
  readonly hashes: Uint32Array;

  /** Positions are stride numbers apart. */
  constructor(readonly positions: Float32Array, readonly stride: number, readonly indices: ArrayLike<number>) {
    this.hashes = new Uint32Array(Math.floor(positions.length / stride));
    for (let v = 0; v < this.hashes.length; v++) this.hashes[v] = vertexHash(positions, stride * v);
  }
}

/** Mixes a rounded vertex into a number of 32 bits. */
function vertexHash(p: Float32Array, at: number): number {
  let h = 0x9e3779b9;
  for (let i = 0; i < 3; i++) {
    h = Math.imul(h ^ Math.round(p[at + i]! * PARTS), 0x85ebca6b);
    h ^= h >>> 13;
  }
  return Math.imul(h, 0xc2b2ae35) >>> 0;
}

/** A number that depends on a triangle's vertices and the way round them, and not on which comes first. */
function triangleHash(a: number, b: number, c: number): number {
  return (mix(a, b) + mix(b, c) + mix(c, a)) >>> 0;
}

function mix(x: number, y: number): number {
  return Math.imul(Math.imul(x ^ 0x2545f491, 0x9e3779b1) ^ y, 0x85ebca77) >>> 0;
}

/** A sum over the triangles from one to another, the latter excluded: equal for equal sets, whatever their order. */
export function setHash(m: Triangles, from = 0, to = m.indices.length / 3): string {
  let low = 0;
  let high = 0;
  const { hashes, indices } = m;
  for (let t = from; t < to; t++) {
    const v = triangleHash(hashes[indices[3 * t]!]!, hashes[indices[3 * t + 1]!]!, hashes[indices[3 * t + 2]!]!);
    low = (low + v) >>> 0;
    high = (high + Math.imul(v ^ (v >>> 15), 0x2c1b3c6d)) >>> 0;
  }
  return `${to - from}:${low}:${high}`;
}

/**
 * Says how two sets of triangles differ, "" if they do not. Rounding may fall on two sides of a step for vertices
 * that are almost equal; those are compared by their distance.
 */
export function difference(a: Triangles, b: Triangles, aFrom = 0, aTo = a.indices.length / 3): string {
  const nb = b.indices.length / 3;
  if (aTo - aFrom !== nb) return `${aTo - aFrom} triangles, want ${nb}`;
  if (setHash(a, aFrom, aTo) === setHash(b)) return '';
  const corners = (m: Triangles, t: number) =>
    [0, 1, 2].map((k) => [0, 1, 2].map((i) => m.positions[m.stride * m.indices[3 * t + k]! + i]!));
  const cellOf = (c: number[][]) => [0, 1, 2].map((i) => Math.floor((c[0]![i]! + c[1]![i]! + c[2]![i]!) / 3 + 1e-3)).join();
  const left = new Map<string, number[][][]>();
  for (let t = 0; t < nb; t++) {
    const c = corners(b, t);
    const key = cellOf(c);
    const list = left.get(key);
    if (list) list.push(c);
    else left.set(key, [c]);
  }
  for (let t = aFrom; t < aTo; t++) {
    const c = corners(a, t);
    const list = left.get(cellOf(c)) ?? [];
    const at = list.findIndex((other) => same(c, other));
    if (at < 0) return `a triangle at ${c.map((v) => v.map((x) => x.toFixed(4)).join(' ')).join(', ')} is in one only`;
    list.splice(at, 1);
  }
  return '';
}

/** Reports whether two triangles are one, whichever vertex they begin with. */
function same(a: number[][], b: number[][]): boolean {
  const near = (p: number[], q: number[]) => p.every((v, i) => Math.abs(v - q[i]!) <= 1 / PARTS);
  return [0, 1, 2].some((r) => [0, 1, 2].every((k) => near(a[k]!, b[(k + r) % 3]!)));
}
