// The ground that is shown: groups of chunks go in hidden, a few milliseconds a frame, and change the picture
// whole, between two frames.
import { Group as Node, Vector3, type Material } from 'three/webgpu';
import { readMesh, type ChunkMesh } from './mesh';
import { CHUNK_METERS, ChunkPage, PAGE_INDICES, PAGE_VERTICES, type Slot } from './page';
import type { ChunkID, ChunkResult, Group } from './protocol';

/** The most of a frame that uploads may take, and the most of the time where frames are long. */
const BUDGET_MS = 4;
const BUDGET_SHARE = 0.15;
/** The origin is a multiple of this, so that patterns in the ground that repeat within it stay in place. */
export const ORIGIN_STEP = 1024;

interface Chunk extends ChunkID {
  version: number;
  /** The group that showed it. */
  order: number;
  slot: Slot | null;
}

interface Upload {
  group: Group;
  /** Counts groups as they come. */
  order: number;
  /** A place for each result so far; null where there is nothing to draw. */
  slots: (Slot | null)[];
  /** When it came, by performance.now(). */
  since: number;
}

/** Tells of what happened, for the tests and the head-up display. */
export interface TerrainEvents {
  shown(group: Group): void;
}

const keyOf = (c: ChunkID) => `${c.x},${c.y},${c.z},${c.level}`;

export class Terrain {
  readonly node = new Node();
  /** Where the renderer's origin lies in the world, in meters. */
  readonly origin = new Vector3();
  private readonly pages: ChunkPage[] = [];
  private readonly chunks = new Map<string, Chunk>();
  private readonly queue: Upload[] = [];
  /** Groups that may not have been seen whole yet. */
  private watched: Group[] = [];
  private arrived = 0;
  private spentMs = 0;
  private allowanceMs = BUDGET_MS;
  private lastRefill = 0;

  triangles = 0;
  vertices = 0;
  /** Groups that changed the picture. */
  swaps = 0;
  editSwaps = 0;
  /** How many chunks the last group that an edit caused changed. */
  lastEditChunks = 0;
  /** Frames drawn while a group was shown by halves: always 0. */
  halfShown = 0;
  /** The longest that one call spent on uploads. */
  longestUploadMs = 0;

  constructor(private readonly material: Material, private readonly events: TerrainEvents) {
    this.node.matrixAutoUpdate = false;
  }

  /** Chunks that have a mesh on the screen or are known to have none. */
  get shown(): number {
    return this.chunks.size;
  }

  /** Groups that wait for their uploads. */
  get waiting(): number {
    return this.queue.length;
  }

  get pageCount(): number {
    return this.pages.length;
  }

  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + page.bytes, 0);
  }

  /** Makes an empty page ahead of the first mesh, so that its shaders can be made meanwhile. */
  prepare(): void {
    if (this.pages.length === 0) this.addPage(new Vector3());
  }

  take(group: Group): void {
    if (group.results.length > 1) this.watched.push(group);
    const upload: Upload = { group, order: ++this.arrived, slots: [], since: performance.now() };
    // Somebody waits for an edit. A chunk that it shows is not overwritten by an older group that it overtakes.
    const firstLoad = group.edit ? this.queue.findIndex((u) => !u.group.edit) : -1;
    if (firstLoad < 0) this.queue.push(upload);
    else this.queue.splice(firstLoad, 0, upload);
  }

  /**
   * Uploads and shows waiting groups within the budget; at least one result even if the budget is spent, when
   * a frame begins.
   */
  work(now: number, frame: boolean): void {
    this.refill(now, frame);
    if (this.queue.length === 0) return;
    const start = performance.now();
    let must = frame;
    for (let upload = this.queue[0]; upload; upload = this.queue[0]) {
      if (!must && this.spentMs + performance.now() - start >= this.allowanceMs) break;
      must = false;
      if (!this.step(upload)) continue;
      this.queue.shift();
      this.flip(upload);
    }
    const took = performance.now() - start;
    this.spentMs += took;
    this.longestUploadMs = Math.max(this.longestUploadMs, took);
  }

  /** A frame's budget is for the time since the frame before it. */
  private refill(now: number, frame: boolean): void {
    if (!frame) return;
    this.allowanceMs = Math.max(BUDGET_MS, BUDGET_SHARE * Math.min(now - this.lastRefill, 250));
    this.lastRefill = now;
    this.spentMs = 0;
  }

  /** Uploads one more result of a group, hidden, and reports whether all are there. */
  private step(upload: Upload): boolean {
    const result = upload.group.results[upload.slots.length];
    if (result) upload.slots.push(this.upload(result));
    return upload.slots.length >= upload.group.results.length;
  }

  private upload(result: ChunkResult): Slot | null {
    const mesh = result.mesh && readMesh(result.mesh);
    if (!mesh) return null;
    for (const page of this.pages) {
      const slot = page.insert(mesh, result.x, result.y, result.z);
      if (slot) return slot;
    }
    const slot = this.addPage(new Vector3(result.x, result.y, result.z), mesh).insert(mesh, result.x, result.y, result.z);
    if (!slot) throw new Error('a new page has no room for a mesh');
    return slot;
  }

  /** A mesh too large for a page gets one of its own size. */
  private addPage(anchor: Vector3, mesh?: ChunkMesh): ChunkPage {
    const large = mesh !== undefined && (mesh.vertices > PAGE_VERTICES || mesh.indices.length > PAGE_INDICES);
    const page = large
      ? new ChunkPage(this.material, anchor, Math.ceil(mesh.vertices / 4) * 4, Math.ceil(mesh.indices.length / 4) * 4)
      : new ChunkPage(this.material, anchor);
    this.place(page);
    this.pages.push(page);
    this.node.add(page);
    return page;
  }

  /** Shows all of a group at once. */
  private flip(upload: Upload): void {
    const { group, order, slots } = upload;
    for (const drop of group.drops) {
      const old = this.chunks.get(keyOf(drop));
      if (!old || old.order > order) continue; // taken up again by a group that overtook this one
      this.release(old.slot);
      this.chunks.delete(keyOf(drop));
    }
    group.results.forEach((result, i) => {
      const slot = slots[i] ?? null;
      const key = keyOf(result);
      const old = this.chunks.get(key);
      if (old && old.order > order) {
        slot?.page.discard(slot);
        return;
      }
      this.release(old?.slot ?? null);
      const { x, y, z, level, version } = result;
      this.chunks.set(key, { x, y, z, level, version, order, slot });
      if (!slot) return;
      slot.visible = true;
      this.triangles += slot.indices / 3;
      this.vertices += slot.vertices;
    });
    this.swaps++;
    if (group.edit) {
      this.editSwaps++;
      this.lastEditChunks = group.results.length;
    }
    this.dropEmptyPages();
    this.events.shown(group);
  }

  private release(slot: Slot | null): void {
    if (!slot) return;
    this.triangles -= slot.indices / 3;
    this.vertices -= slot.vertices;
    slot.page.discard(slot);
  }

  /** Frees pages that hold nothing, but for one. */
  private dropEmptyPages(): void {
    for (let i = this.pages.length - 1; i > 0; i--) {
      const page = this.pages[i]!;
      if (page.slots.size > 0) continue;
      this.pages.splice(i, 1);
      this.node.remove(page);
      page.dispose();
    }
  }

  /**
   * Counts a frame that shows a group by halves: some of its chunks as they are after it, some as they were
   * before. Called for every frame, it looks at what is drawn, not at what ought to be.
   */
  checkFrame(): void {
    this.watched = this.watched.filter((group) => {
      let before = 0;
      let after = 0;
      for (const result of group.results) {
        const chunk = this.chunks.get(keyOf(result));
        if (!chunk || (chunk.slot && !chunk.slot.visible)) continue; // gone meanwhile
        if (chunk.version < result.version) before++;
        else after++;
      }
      if (before > 0 && after > 0) this.halfShown++;
      return before > 0;
    });
  }

  /** Moves the renderer's origin near the eye if the eye has gone far from it. Returns whether it moved. */
  rebase(x: number, y: number, z: number): boolean {
    const o = this.origin;
    if (Math.hypot(x - o.x, y - o.y, z - o.z) < ORIGIN_STEP) return false;
    const near = (v: number) => Math.round(v / ORIGIN_STEP) * ORIGIN_STEP;
    this.origin.set(near(x), near(y), near(z));
    for (const page of this.pages) this.place(page);
    return true;
  }

  private place(page: ChunkPage): void {
    page.offset.copy(page.anchor).multiplyScalar(CHUNK_METERS).sub(this.origin);
  }
}
