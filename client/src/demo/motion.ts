// The edits of the animated demo as a function of time. Pure.
import type { Edit } from '../gpu/edits';

export interface Motion {
  /** Blend radius in meters. */
  blend: number;
  /** Balls that build and balls that dig. */
  builds: number;
  digs: number;
}

export const MOTION: Motion = { blend: 6, builds: 6, digs: 4 };

/** The edits at a time in seconds: balls that circle over the island and through it, and others that gnaw at it. */
export function editsAt(t: number, { blend, builds, digs }: Motion): Edit[] {
  const list: Edit[] = [];
  for (let i = 0; i < digs; i++) {
    const a = -0.35 * t + (i * 2 * Math.PI) / digs;
    const far = 34 + 9 * Math.sin(0.31 * t + 2 * i);
    list.push({ operation: 'dig', at: [far * Math.cos(a), 4 + 5 * Math.sin(0.5 * t + i), far * Math.sin(a)], radius: 7 + 2 * Math.sin(0.8 * t + 3 * i), blend });
  }
  for (let i = 0; i < builds; i++) {
    const a = 0.5 * t + (i * 2 * Math.PI) / builds;
    const far = 22 + 12 * Math.sin(0.23 * t + 1.7 * i);
    const height = 9 + 9 * Math.sin(0.7 * t + 1.1 * i);
    list.push({ operation: 'build', at: [far * Math.cos(a), height, far * Math.sin(a)], radius: 5.5 + 1.5 * Math.sin(t + 2 * i), blend });
  }
  return list;
}
