// Keeps which chunks are shown, and which groups are on their way. Pure: it knows of uploads only that each yields a
// slot, or null for a chunk without a mesh.
import type { ChunkID, ChunkResult, Group } from './protocol';

export interface Hooks<Slot> {
  /** Draws a slot from now on. */
  show(slot: Slot): void;
  /** Draws a slot no more: its place is free. */
  free(slot: Slot): void;
}

interface Chunk<Slot> {
  version: number;
  /** The group that showed it. */
  order: number;
  slot: Slot | null;
}

interface Upload<Slot> {
  group: Group;
  /** Counts groups as they come. */
  order: number;
  /** A slot for each result so far. */
  slots: (Slot | null)[];
}

const keyOf = (c: ChunkID) => `${c.x},${c.y},${c.z},${c.level}`;

export class Ledger<Slot> {
  private readonly chunks = new Map<string, Chunk<Slot>>();
  private readonly queue: Upload<Slot>[] = [];
  /** Groups of several chunks that have not been seen whole yet. */
  private watched: Group[] = [];
  private arrived = 0;

  constructor(private readonly hooks: Hooks<Slot>) {}

  /** Chunks that have a mesh on the screen or are known to have none. */
  get shown(): number {
    return this.chunks.size;
  }

  /** Groups that wait for their uploads. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Takes a group. Somebody waits for an edit, so it overtakes groups that only load; a chunk that it shows is
   * not overwritten by an older group that comes after it.
   */
  take(group: Group): void {
    const upload: Upload<Slot> = { group, order: ++this.arrived, slots: [] };
    if (group.results.length > 1) this.watched.push(group);
    const firstLoad = group.edit ? this.queue.findIndex((u) => !u.group.edit && u.slots.length === 0) : -1;
    if (firstLoad < 0) this.queue.push(upload);
    else this.queue.splice(firstLoad, 0, upload);
  }

  /** Uploads one more result, hidden. If it was the last of its group, shows the group and returns it. */
  step(upload: (result: ChunkResult) => Slot | null): Group | null {
    const first = this.queue[0];
    if (!first) return null;
    const result = first.group.results[first.slots.length];
    if (result) first.slots.push(upload(result));
    if (first.slots.length < first.group.results.length) return null;
    this.queue.shift();
    this.flip(first);
    return first.group;
  }

  /** Shows all of a group at once. */
  private flip({ group, order, slots }: Upload<Slot>): void {
    for (const drop of group.drops) {
      const old = this.chunks.get(keyOf(drop));
      if (!old || old.order > order) continue; // shown anew by a group that overtook this one
      if (old.slot) this.hooks.free(old.slot);
      this.chunks.delete(keyOf(drop));
    }
    group.results.forEach((result, i) => {
      const slot = slots[i] ?? null;
      const key = keyOf(result);
      const old = this.chunks.get(key);
      if (old && old.order > order) {
        if (slot) this.hooks.free(slot);
        return;
      }
      if (old?.slot) this.hooks.free(old.slot);
      this.chunks.set(key, { version: result.version, order, slot });
      if (slot) this.hooks.show(slot);
    });
  }

  /**
   * Counts the groups that a frame shows by halves. Called for every frame, it looks at what is drawn, not at
   * what ought to be.
   */
  halfShown(visible: (slot: Slot) => boolean): number {
    let half = 0;
    this.watched = this.watched.filter((group) => {
      const { before, after } = sides(group, (result) => {
        const chunk = this.chunks.get(keyOf(result));
        return chunk && (!chunk.slot || visible(chunk.slot)) ? chunk.version : null;
      });
      if (before > 0 && after > 0) half++;
      return before > 0;
    });
    return half;
  }
}

/** Counts the chunks of a group that are drawn as they were before it and as they are after it. */
export function sides(group: Group, drawn: (result: ChunkResult) => number | null): { before: number; after: number } {
  const count = { before: 0, after: 0 };
  for (const result of group.results) {
    const version = drawn(result);
    if (version === null) continue; // gone meanwhile
    if (version < result.version) count.before++;
    else count.after++;
  }
  return count;
}
