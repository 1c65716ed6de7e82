// Makers of a demo's surface: on the GPU, or in workers where there is none.
import type { Gpu } from '../gpu/device';
import { Stopwatch } from '../gpu/stopwatch';
import type { Surface } from '../gpu/surface';
import { DrawnSurface, type SurfaceNode } from './drawn';
import { lineLook } from './look';
import { overflowOf, readLate, type Readout } from './readout';
import type { View } from './view';

/** Maker makes a surface from what a demo gives it. */
export interface Maker<Input> {
  readonly surface: SurfaceNode;
  /** Begins a frame. */
  frame(input: Input): void;
  /** Reports on the work so far, never in a frame. */
  late(readout: Readout): Promise<void>;
  /** What is not drawn for want of room, in words. */
  readonly overflow: string;
  /** Bytes on the GPU. */
  readonly bytes: number;
  readonly triangles: number;
  dispose(): void;
}

interface Destroyable {
  destroy(): void;
}

/** GpuMaker encodes the passes of a frame and hands three.js the buffers that they write. */
export abstract class GpuMaker<Input> implements Maker<Input> {
  readonly surface: DrawnSurface;
  private readonly watch: Stopwatch;

  /** parts are destroyed with the mesh; all of the surface lies within radius of the origin. */
  constructor(
    private readonly gpu: Gpu, view: View, protected readonly mesh: Surface, private readonly parts: Destroyable[],
    look: ConstructorParameters<typeof DrawnSurface>[2], radius: number,
  ) {
    this.watch = new Stopwatch(gpu.device, gpu.timestamps);
    this.surface = new DrawnSurface(view.renderer, mesh, look, lineLook(), radius);
    view.scene.add(this.surface.node);
  }

  /** Encodes what comes before the mesh. */
  protected abstract encode(encoder: GPUCommandEncoder, watch: Stopwatch, input: Input): void;

  /** Bytes of the samples and what makes them. */
  protected abstract readonly sampleBytes: number;

  frame(input: Input): void {
    const encoder = this.gpu.device.createCommandEncoder();
    this.watch.start();
    this.encode(encoder, this.watch, input);
    this.mesh.encode(encoder, this.watch);
    this.watch.stop(encoder);
    this.gpu.device.queue.submit([encoder.finish()]);
    this.surface.sync();
  }

  late(readout: Readout): Promise<void> {
    return readLate(readout, this.watch, this.mesh);
  }

  get overflow(): string {
    return overflowOf(this.mesh);
  }

  get bytes(): number {
    return this.mesh.bytes + this.sampleBytes;
  }

  get triangles(): number {
    return this.mesh.needed.triangles;
  }

  dispose(): void {
    this.surface.dispose();
    for (const part of [this.mesh, ...this.parts, this.watch]) part.destroy();
  }
}
