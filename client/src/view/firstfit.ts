/**
 * Hands out ranges of a fixed number of units: the first gap that is large enough, lowest first. Nothing is
 * ever moved, so what was uploaded stays where it is.
 */
export class FirstFit {
  /** Gaps in ascending order, never touching each other: start and end, end excluded. */
  private readonly gaps: { start: number; end: number }[];
  private freeUnits: number;

  constructor(readonly size: number) {
    this.gaps = size > 0 ? [{ start: 0, end: size }] : [];
    this.freeUnits = size;
  }

  get free(): number {
    return this.freeUnits;
  }

  /** Returns the start of a range of n units, or −1 if no gap is large enough. */
  take(n: number): number {
    const i = this.gaps.findIndex((gap) => gap.end - gap.start >= n);
    const gap = this.gaps[i];
    if (!gap) return -1;
    const start = gap.start;
    gap.start += n;
    if (gap.start === gap.end) this.gaps.splice(i, 1);
    this.freeUnits -= n;
    return start;
  }

  /** Gives a range back that take returned. */
  give(start: number, n: number): void {
    const end = start + n;
    let i = this.gaps.findIndex((gap) => gap.start >= end);
    if (i < 0) i = this.gaps.length;
    const before = this.gaps[i - 1];
    const after = this.gaps[i];
    if (before && before.end > start) throw new Error('a range was given back twice');
    const joinsBefore = before?.end === start;
    const joinsAfter = after?.start === end;
    if (joinsBefore && joinsAfter) {
      before.end = after.end;
      this.gaps.splice(i, 1);
    } else if (joinsBefore) before.end = end;
    else if (joinsAfter) after.start = start;
    else this.gaps.splice(i, 0, { start, end });
    this.freeUnits += n;
  }
}
