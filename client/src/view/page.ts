// A page holds the meshes of many chunks in one set of vertex buffers, drawn with one multi-draw on WebGL2 and
// a short loop of draws on WebGPU.
//
// It is three's BatchedMesh as far as drawing goes. Space is handed out by our own first fit, and each vertex
// carries the number of its chunk within the page instead of looking a matrix up: so the position of a vertex
// relative to the floating origin is (32·chunk + page offset) + local, the first sum exact and the second
// rounded once, the same bits for a vertex that two chunks share, whichever pages they lie in. A page has no
// textures, and all pages share one set of shaders.
//
// The draw lists that BatchedMesh hands its renderer are not public: their names are declared below and hold
// for the pinned version of three.
import { BatchedMesh, BufferAttribute, type Camera, type DataTexture, Frustum, type Material, Matrix4, Sphere, Vector3 } from 'three/webgpu';
import { CHUNK_METERS } from '../world/protocol.gen';
import { FirstFit } from './firstfit';
import type { ChunkMesh } from '../world/mesh';

/** 65,535 stays unused: WebGPU takes it for the end of a strip. */
export const PAGE_VERTICES = 65_532;
/** Terrain has about six indices a vertex; the rest is room for meshes with more. */
export const PAGE_INDICES = 6 * PAGE_VERTICES;
/** Chunk numbers within a page are signed bytes. */
const MAX_CHUNK_OFFSET = 127;
/** Ranges start at multiples of this, as a buffer write needs on WebGPU. */
const ALIGN = 4;
/** Chunks that a page can draw: one draw each. */
const MAX_SLOTS = 1024;

/** Slot is a chunk's place in a page. */
export interface Slot {
  page: ChunkPage;
  vertexStart: number;
  vertexRoom: number;
  vertices: number;
  indexStart: number;
  indexRoom: number;
  indices: number;
  /** The chunk's number on each axis. */
  x: number;
  y: number;
  z: number;
  visible: boolean;
}

/** DrawLists is what three's renderers read of a BatchedMesh when they draw it. */
interface DrawLists {
  _multiDrawStarts: Int32Array;
  _multiDrawCounts: Int32Array;
  _multiDrawCount: number;
  _mergedDrawStarts: Int32Array;
  _mergedDrawCounts: Int32Array;
  _mergedDrawInstanceCounts: Int32Array;
  _mergedDrawCount: number;
  _multiDrawBytesPerElement: number;
  _matricesTexture: DataTexture;
}

const frustum = new Frustum();
const matrix = new Matrix4();
const sphere = new Sphere(new Vector3(), (Math.sqrt(3) / 2) * (CHUNK_METERS + 2));
const align = (n: number) => Math.ceil(n / ALIGN) * ALIGN;

/** Stands for the matrices that no page has: one for all, so that three shares their shaders. */
let sharedMatrices: DataTexture | undefined;

export class ChunkPage extends BatchedMesh {
  /** The chunk that the others are counted from. */
  readonly anchor: Vector3;
  /** Meters from the floating origin to the anchor's low corner: whole numbers, exact in float32. */
  readonly offset = new Vector3();
  readonly slots = new Set<Slot>();
  private readonly vertexSpace: FirstFit;
  private readonly indexSpace: FirstFit;
  private readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly chunks: BufferAttribute;
  private readonly depths: BufferAttribute;
  /** In worlds with materials. */
  private readonly materials: BufferAttribute | null;
  private readonly indexes: BufferAttribute;

  constructor(material: Material, painted: boolean, anchor: Vector3, vertices = PAGE_VERTICES, indices = PAGE_INDICES) {
    super(MAX_SLOTS, vertices, indices, material);
    const lists = this as unknown as DrawLists;
    if (sharedMatrices) lists._matricesTexture = sharedMatrices;
    else sharedMatrices = lists._matricesTexture;
    this.anchor = anchor.clone();
    this.frustumCulled = false; // chunk by chunk, below
    this.matrixAutoUpdate = false;
    this.vertexSpace = new FirstFit(vertices);
    this.indexSpace = new FirstFit(indices);
    this.positions = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.normals = new BufferAttribute(new Int8Array(4 * vertices), 4, true);
    this.chunks = new BufferAttribute(new Int8Array(4 * vertices), 4, true);
    this.depths = new BufferAttribute(new Float32Array(vertices), 1);
    this.materials = painted ? new BufferAttribute(new Uint8Array(4 * vertices), 4, true) : null;
    this.indexes = new BufferAttribute(vertices < 65536 ? new Uint16Array(indices) : new Uint32Array(indices), 1);
    this.geometry.setAttribute('position', this.positions);
    this.geometry.setAttribute('normal', this.normals);
    this.geometry.setAttribute('chunk', this.chunks);
    this.geometry.setAttribute('depth', this.depths);
    if (this.materials) this.geometry.setAttribute('materials', this.materials);
    this.geometry.setIndex(this.indexes);
  }

  /** Bytes on the GPU. */
  get bytes(): number {
    const attributes = [this.positions, this.normals, this.chunks, this.depths, this.materials, this.indexes];
    return attributes.reduce((sum, a) => sum + (a?.array.byteLength ?? 0), 0);
  }

  /** Copies a mesh in, hidden, or returns null if there is no room for it. */
  insert(mesh: ChunkMesh, x: number, y: number, z: number): Slot | null {
    const [dx, dy, dz] = [x - this.anchor.x, y - this.anchor.y, z - this.anchor.z];
    if (Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) > MAX_CHUNK_OFFSET || this.slots.size >= MAX_SLOTS) return null;
    const vertexRoom = align(mesh.vertices);
    const indexRoom = align(mesh.indices.length);
    const vertexStart = this.vertexSpace.take(vertexRoom);
    if (vertexStart < 0) return null;
    const indexStart = this.indexSpace.take(indexRoom);
    if (indexStart < 0) {
      this.vertexSpace.give(vertexStart, vertexRoom);
      return null;
    }
    const slot: Slot = {
      page: this, vertexStart, vertexRoom, vertices: mesh.vertices,
      indexStart, indexRoom, indices: mesh.indices.length, x, y, z, visible: false,
    };
    this.slots.add(slot);
    this.write(slot, mesh, (dx & 255) | ((dy & 255) << 8) | ((dz & 255) << 16));
    return slot;
  }

  private write(slot: Slot, mesh: ChunkMesh, chunk: number): void {
    const v = slot.vertexStart;
    const n = slot.vertexRoom;
    this.positions.array.set(mesh.positions, 3 * v);
    this.normals.array.set(mesh.normals, 4 * v);
    new Int32Array(this.chunks.array.buffer).fill(chunk, v, v + n);
    this.depths.array.set(mesh.depths, v);
    const to = this.indexes.array;
    const from = mesh.indices;
    for (let i = 0, o = slot.indexStart; i < from.length; i++, o++) to[o] = from[i]! + v;
    this.changed(this.positions, 3 * v, 3 * n);
    this.changed(this.normals, 4 * v, 4 * n);
    this.changed(this.chunks, 4 * v, 4 * n);
    this.changed(this.depths, v, n);
    if (this.materials && mesh.materials) {
      this.materials.array.set(mesh.materials, 4 * v);
      this.changed(this.materials, 4 * v, 4 * n);
    }
    this.changed(this.indexes, slot.indexStart, slot.indexRoom);
  }

  private changed(attribute: BufferAttribute, start: number, count: number): void {
    attribute.addUpdateRange(start, count);
    attribute.needsUpdate = true;
  }

  /** Frees a chunk's place. What is drawn changes with the next frame. */
  discard(slot: Slot): void {
    slot.visible = false;
    this.slots.delete(slot);
    this.vertexSpace.give(slot.vertexStart, slot.vertexRoom);
    this.indexSpace.give(slot.indexStart, slot.indexRoom);
  }

  /** Lists what is in sight, nearest first, just before the page is drawn. */
  override onBeforeRender(_renderer: unknown, _scene: unknown, camera: Camera, _geometry: unknown, material: Material): void {
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
    const eye = camera.matrixWorld.elements;
    const seen: { slot: Slot; far: number }[] = [];
    for (const slot of this.slots) {
      if (!slot.visible) continue;
      const half = CHUNK_METERS / 2;
      sphere.center.set(slot.x - this.anchor.x, slot.y - this.anchor.y, slot.z - this.anchor.z);
      sphere.center.multiplyScalar(CHUNK_METERS).add(this.offset).addScalar(half);
      if (!frustum.intersectsSphere(sphere)) continue;
      const c = sphere.center;
      seen.push({ slot, far: (c.x - eye[12]!) ** 2 + (c.y - eye[13]!) ** 2 + (c.z - eye[14]!) ** 2 });
    }
    seen.sort((a, b) => a.far - b.far);
    this.list(seen, (material as { wireframe?: boolean }).wireframe === true);
  }

  private list(seen: { slot: Slot }[], wireframe: boolean): void {
    const lists = this as unknown as DrawLists;
    const bytes = this.indexes.array.BYTES_PER_ELEMENT;
    const lines = wireframe ? 2 : 1; // three draws three edges of two indices for every triangle
    seen.forEach(({ slot }, i) => {
      const start = slot.indexStart * bytes * lines;
      const count = slot.indices * lines;
      lists._multiDrawStarts[i] = lists._mergedDrawStarts[i] = start;
      lists._multiDrawCounts[i] = lists._mergedDrawCounts[i] = count;
      lists._mergedDrawInstanceCounts[i] = 1;
    });
    lists._multiDrawCount = lists._mergedDrawCount = seen.length;
    lists._multiDrawBytesPerElement = bytes;
  }
}
