// The ground that is shown: groups of chunks go in hidden, a few milliseconds a frame, and change the picture
// whole, between two frames.
import { Group as Node, Vector3 } from 'three/webgpu';
import { Ledger } from '../world/ledger';
import { readMesh, type ChunkMesh } from '../world/mesh';
import { CHUNK_METERS } from '../world/protocol.gen';
import { groundMaterial, paintedMaterial, type Surface } from './material';
import { ChunkPage, PAGE_INDICES, PAGE_VERTICES, type Slot } from './page';
import type { ChunkResult, Group } from '../world/protocol';

/** The most of a frame that uploads may take, and the most of the time where frames are long. */
const BUDGET_MS = 4;
const BUDGET_SHARE = 0.15;
/** A page that was hidden has not saved up more than this. */
const LONGEST_FRAME_MS = 250;
/** The origin is a multiple of this, so that patterns in the ground that repeat within it stay in place. */
const ORIGIN_STEP = 1024;

export class Terrain {
  readonly node = new Node();
  /** Where the renderer's origin lies in the world, in meters. */
  readonly origin = new Vector3();
  private readonly pages: ChunkPage[] = [];
  private painted = false;
  private readonly ledger = new Ledger<Slot>({
    show: (slot) => this.count(slot, 1),
    free: (slot) => {
      if (slot.visible) this.count(slot, -1);
      slot.page.discard(slot);
    },
  });
  private spentMs = 0;
  private allowanceMs = BUDGET_MS;
  private lastFrame = 0;

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

  private material: Surface;
  /** Of the material, as text. */
  private palette = '';

  /** shown is called for every group that changed the picture. */
  constructor(private readonly high: boolean, private readonly shown: (group: Group) => void) {
    this.material = groundMaterial(high);
    this.node.matrixAutoUpdate = false;
  }

  get wireframe(): boolean {
    return this.material.wireframe;
  }

  set wireframe(on: boolean) {
    this.material.wireframe = on;
  }

  /** Groups that wait for their uploads. */
  get waiting(): number {
    return this.ledger.waiting;
  }

  get pageCount(): number {
    return this.pages.length;
  }

  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + page.bytes, 0);
  }

  /** Gives the ground that comes from now on the materials of a world, and reports whether they are other ones. */
  paint(palette: Uint8Array): boolean {
    const text = palette.join();
    if (text === this.palette) return false;
    this.palette = text;
    const { wireframe } = this.material;
    this.painted = palette.length > 0;
    this.material = this.painted ? paintedMaterial(palette, this.high) : groundMaterial(this.high);
    this.material.wireframe = wireframe;
    for (const page of this.pages.filter((page) => page.slots.size === 0)) this.remove(page);
    this.prepare();
    return true;
  }

  /** Makes an empty page ahead of the first mesh, so that its shaders can be made meanwhile. */
  prepare(): void {
    if (this.pages.length === 0) this.addPage(new Vector3());
  }

  take(group: Group): void {
    this.ledger.take(group);
  }

  /**
   * Uploads and shows waiting groups within the budget; when a frame begins at least one result, so that it
   * always goes on.
   */
  work(now: number, frame: boolean): void {
    if (frame) this.refill(now);
    if (this.ledger.waiting === 0) return;
    const start = performance.now();
    let must = frame;
    while (this.ledger.waiting > 0 && (must || this.spentMs + performance.now() - start < this.allowanceMs)) {
      must = false;
      const group = this.ledger.step((result) => this.upload(result));
      if (group) this.changed(group);
    }
    const took = performance.now() - start;
    this.spentMs += took;
    this.longestUploadMs = Math.max(this.longestUploadMs, took);
  }

  /** A frame's budget is for the time since the frame before it. */
  private refill(now: number): void {
    this.allowanceMs = Math.max(BUDGET_MS, BUDGET_SHARE * Math.min(now - this.lastFrame, LONGEST_FRAME_MS));
    this.lastFrame = now;
    this.spentMs = 0;
  }

  private upload(result: ChunkResult): Slot | null {
    const mesh = result.mesh && readMesh(result.mesh);
    if (!mesh) return null;
    const { x, y, z } = result;
    for (const page of this.pages) {
      if (page.material !== this.material) continue; // of the world before
      const slot = page.insert(mesh, x, y, z);
      if (slot) return slot;
    }
    const slot = this.addPage(new Vector3(x, y, z), mesh).insert(mesh, x, y, z);
    if (!slot) throw new Error('a new page has no room for a mesh');
    return slot;
  }

  /** A mesh too large for a page gets one of its own size. */
  private addPage(anchor: Vector3, mesh?: ChunkMesh): ChunkPage {
    const large = mesh !== undefined && (mesh.vertices > PAGE_VERTICES || mesh.indices.length > PAGE_INDICES);
    const page = large
      ? new ChunkPage(this.material, this.painted, anchor, Math.ceil(mesh.vertices / 4) * 4, Math.ceil(mesh.indices.length / 4) * 4)
      : new ChunkPage(this.material, this.painted, anchor);
    this.place(page);
    this.pages.push(page);
    this.node.add(page);
    return page;
  }

  private count(slot: Slot, sign: 1 | -1): void {
    slot.visible = sign > 0;
    this.triangles += (sign * slot.indices) / 3;
    this.vertices += sign * slot.vertices;
  }

  private changed(group: Group): void {
    this.swaps++;
    if (group.edit) {
      this.editSwaps++;
      this.lastEditChunks = group.results.length;
    }
    this.dropEmptyPages();
    this.shown(group);
  }

  /** Frees pages that hold nothing, but for one. */
  private dropEmptyPages(): void {
    for (let i = this.pages.length - 1; i > 0; i--) {
      const page = this.pages[i]!;
      if (page.slots.size === 0) this.remove(page);
    }
  }

  private remove(page: ChunkPage): void {
    this.pages.splice(this.pages.indexOf(page), 1);
    this.node.remove(page);
    page.dispose();
  }

  /** Looks at what the frame that comes will draw. */
  checkFrame(): void {
    this.halfShown += this.ledger.halfShown((slot) => slot.visible);
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
