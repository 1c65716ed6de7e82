// Surfaces as three.js draws them. On the GPU the buffers are those that the passes write: three is handed
// the buffers themselves, draws as much as their indirect arguments say, and never owns them.
import {
  BufferAttribute, BufferGeometry, Group, IndirectStorageBufferAttribute, LineSegments, Mesh, Sphere, Vector3, type LineBasicNodeMaterial, type Material,
  type WebGPURenderer,
} from 'three/webgpu';
import type { CpuMesh } from '../gpu/engine';
import { EDGES_AT, TRIANGLES_AT, type Surface } from '../gpu/surface';

/** BackendData is what three keeps of an attribute's buffer. */
interface BackendData {
  buffer?: GPUBuffer | { destroy(): void };
}

type Backend = { get(attribute: BufferAttribute): BackendData };

/** SurfaceNode shows a surface, as faces or as a wireframe. */
export interface SurfaceNode {
  readonly node: Group;
  wireframe: boolean;
  dispose(): void;
}

/** DrawnSurface shows a surface whose buffers are on the GPU. */
export class DrawnSurface implements SurfaceNode {
  readonly node = new Group();
  private readonly faces: Mesh;
  private readonly lines: LineSegments;
  private generation = -1;
  private lent: BufferAttribute[] = [];

  /** All of the surface lies within radius of the origin. The materials are let go of with the surface. */
  constructor(
    private readonly renderer: WebGPURenderer, private readonly surface: Surface, material: Material, lineMaterial: LineBasicNodeMaterial,
    private readonly radius: number,
  ) {
    // The objects stay and their geometries change: three keeps buffers of its own for each object.
    this.faces = new Mesh(new BufferGeometry(), material);
    this.lines = new LineSegments(new BufferGeometry(), lineMaterial);
    this.lines.visible = false;
    this.node.add(this.faces, this.lines);
  }

  get wireframe(): boolean {
    return this.surface.batch.lines;
  }

  set wireframe(on: boolean) {
    this.surface.lines = on;
  }

  /** Takes the buffers that the surface has now. Call it after an extraction was encoded, before drawing. */
  sync(): void {
    const { surface } = this;
    if (this.generation !== surface.generation) {
      this.release();
      this.generation = surface.generation;
      this.build();
    }
    this.faces.visible = !surface.batch.lines;
    this.lines.visible = surface.batch.lines;
  }

  private build(): void {
    const { surface } = this;
    const { vertices, triangles } = surface.room;
    const position = this.lend(new BufferAttribute(new Float32Array(4), 4), surface.positions, vertices);
    const normal = this.lend(new BufferAttribute(new Int8Array(4), 4, true), surface.normals, vertices);
    const drawn = this.lend(new IndirectStorageBufferAttribute(new Uint32Array(16), 1), surface.drawn, 16);
    const geometry = (indices: GPUBuffer, count: number, at: number) => {
      const g = new BufferGeometry();
      g.setAttribute('position', position);
      g.setAttribute('normal', normal);
      g.setIndex(this.lend(new BufferAttribute(new Uint32Array(1), 1), indices, count));
      g.setIndirect(drawn as IndirectStorageBufferAttribute, at);
      g.boundingSphere = new Sphere(new Vector3(), this.radius);
      return g;
    };
    this.faces.geometry = geometry(surface.indices, 3 * triangles, TRIANGLES_AT);
    if (surface.edges) this.lines.geometry = geometry(surface.edges, 6 * triangles, EDGES_AT);
  }

  /** Lets an attribute stand for a buffer of the surface's. three makes a buffer only where there is none. */
  private lend<T extends BufferAttribute>(attribute: T, buffer: GPUBuffer, count: number): T {
    (this.renderer.backend as unknown as Backend).get(attribute).buffer = buffer;
    Object.assign(attribute, { count });
    this.lent.push(attribute);
    return attribute;
  }

  /** Takes the buffers back before three lets go of its attributes: it would destroy them. */
  private release(): void {
    const backend = this.renderer.backend as unknown as Backend;
    for (const attribute of this.lent) backend.get(attribute).buffer = { destroy: () => {} };
    this.lent = [];
    for (const object of [this.faces, this.lines]) object.geometry.dispose();
  }

  dispose(): void {
    this.release();
    for (const object of [this.faces, this.lines]) (object.material as Material).dispose();
    this.node.removeFromParent();
  }
}

/** CpuSurface shows a surface that workers made, in parts. */
export class CpuSurface implements SurfaceNode {
  readonly node = new Group();
  private on = false;

  constructor(private readonly material: Material) {}

  get wireframe(): boolean {
    return this.on;
  }

  set wireframe(on: boolean) {
    this.on = on;
    (this.material as Material & { wireframe: boolean }).wireframe = on;
  }

  /** Shows meshes in place of those before, each at a place. */
  show(meshes: { mesh: CpuMesh; origin: [number, number, number] }[]): void {
    meshes.forEach(({ mesh, origin }, i) => {
      const g = new BufferGeometry();
      g.setAttribute('position', new BufferAttribute(mesh.positions, 3));
      g.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
      g.setIndex(new BufferAttribute(mesh.indices, 1));
      const object = (this.node.children[i] as Mesh | undefined) ?? new Mesh(undefined, this.material);
      object.geometry.dispose();
      object.geometry = g;
      object.position.set(...origin);
      this.node.add(object);
    });
  }

  dispose(): void {
    for (const object of this.node.children) (object as Mesh).geometry.dispose();
    this.node.clear();
    this.material.dispose();
    this.node.removeFromParent();
  }
}
