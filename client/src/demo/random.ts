// Random samples that are the same in every run. Pure.

/** Numbers in [0, 1) from a seed (Vigna's xorshift, 32 bits). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761 + 1) >>> 0 || 1;
  }

  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
}

/** Fills a grid with one of several kinds of samples, of which each makes other cases. */
export function randomGrid(out: Float32Array, side: number, kind: number, r: Random): void {
  switch (kind % 4) {
    case 0: // every sign by itself: all cases
      for (let i = 0; i < out.length; i++) out[i] = r.between(-1, 1);
      break;
    case 1: // few solid samples
      for (let i = 0; i < out.length; i++) out[i] = r.next() < 0.05 ? r.next() : -r.next();
      break;
    case 2: // balls that touch and overlap
      balls(out, side, r);
      break;
    default: // a plane with waves, some samples exactly at the surface
      waves(out, side, r);
  }
}

function balls(out: Float32Array, side: number, r: Random): void {
  const list = Array.from({ length: 4 }, () => [r.between(0, side), r.between(0, side), r.between(0, side), r.between(1, side / 3)]);
  each(side, (i, x, y, z) => (out[i] = Math.max(...list.map(([a, b, c, d]) => d! - Math.hypot(x - a!, y - b!, z - c!)))));
}

function waves(out: Float32Array, side: number, r: Random): void {
  const [a, b, c, d] = [r.between(-1, 1), r.between(-1, 1), r.between(0.2, 1), r.between(0, side)];
  each(side, (i, x, y, z) => (out[i] = Math.round(16 * (d - y + 2 * Math.sin(c * x) + a * x + b * z)) / 16));
}

export function each(side: number, f: (i: number, x: number, y: number, z: number) => void): void {
  for (let z = 0, i = 0; z < side; z++) for (let y = 0; y < side; y++) for (let x = 0; x < side; x++, i++) f(i, x, y, z);
}
