// A shader's functions as compute pipelines. What they bind is read from the text itself, so that no list of
// bindings stands beside it.
import { COMPUTE_STAGE, MAP_READ_MODE, Usage } from './usage';

const BINDING = /@binding\((\d+)\) var<(uniform|storage, read_write|storage, read)>/g;
const TYPES: Record<string, GPUBufferBindingType> = {
  uniform: 'uniform',
  'storage, read': 'read-only-storage',
  'storage, read_write': 'storage',
};

/** Buffers by the number that shaders bind them to. */
export type Buffers = Record<number, GPUBuffer>;

export class Shader {
  private constructor(
    private readonly device: GPUDevice,
    readonly name: string,
    private readonly layout: GPUBindGroupLayout,
    private readonly bindings: number[],
    private readonly pipelines: Map<string, GPUComputePipeline>,
  ) {}

  /** Compiles the functions of a text. An error names the line that is wrong. */
  static async make(device: GPUDevice, name: string, code: string, functions: string[]): Promise<Shader> {
    const entries = [...code.matchAll(BINDING)].map(([, number, kind]) => ({
      binding: Number(number),
      visibility: COMPUTE_STAGE,
      buffer: { type: TYPES[kind!]! },
    }));
    const module = device.createShaderModule({ label: name, code });
    const { messages } = await module.getCompilationInfo();
    const wrong = messages.find((m) => m.type === 'error');
    if (wrong) {
      const line = code.split('\n')[wrong.lineNum - 1] ?? '';
      throw new Error(`the shader ${name} does not compile: line ${wrong.lineNum}: ${wrong.message}: ${line.trim()}`);
    }
    const layout = device.createBindGroupLayout({ label: name, entries });
    const pipelineLayout = device.createPipelineLayout({ label: name, bindGroupLayouts: [layout] });
    const made = functions.map(async (entryPoint): Promise<[string, GPUComputePipeline]> => {
      const pipeline = await device.createComputePipelineAsync({ label: entryPoint, layout: pipelineLayout, compute: { module, entryPoint } });
      return [entryPoint, pipeline];
    });
    return new Shader(device, name, layout, entries.map((e) => e.binding), new Map(await Promise.all(made)));
  }

  /** Binds buffers, of which there may be more than the shader reads. */
  bind(buffers: Buffers): GPUBindGroup {
    const entries = this.bindings.map((binding) => {
      const buffer = buffers[binding];
      if (!buffer) throw new Error(`the shader ${this.name} lacks the buffer ${binding}`);
      return { binding, resource: { buffer } };
    });
    return this.device.createBindGroup({ label: this.name, layout: this.layout, entries });
  }

  /** Encodes a run of one function in so many workgroups: a number of them, or a box. */
  run(pass: GPUComputePassEncoder, name: string, group: GPUBindGroup, workgroups: number | [number, number, number]): void {
    pass.setPipeline(this.pipelines.get(name)!);
    pass.setBindGroup(0, group);
    if (typeof workgroups !== 'number') {
      pass.dispatchWorkgroups(...workgroups);
      return;
    }
    // More than fit on one axis make rows: see thread() in batch.wgsl.
    const rows = Math.ceil(workgroups / MAX_GROUPS);
    pass.dispatchWorkgroups(Math.ceil(workgroups / rows), rows);
  }
}

const MAX_GROUPS = 65535;

/** Workgroups of 64 threads for so many threads. */
export const groupsOf = (threads: number) => Math.max(1, Math.ceil(threads / 64));

/** A buffer with at least the given size, filled with data if there is any. */
export function makeBuffer(device: GPUDevice, label: string, bytes: number, usage: number, data?: ArrayBufferView<ArrayBuffer>): GPUBuffer {
  const size = Math.max(16, Math.ceil(Math.max(bytes, data?.byteLength ?? 0) / 4) * 4);
  const buffer = device.createBuffer({ label, size, usage: usage | Usage.COPY_DST });
  if (data && data.byteLength > 0) device.queue.writeBuffer(buffer, 0, padded(data));
  return buffer;
}

/** Bytes up to a multiple of four, as the queue wants them. */
function padded(data: ArrayBufferView<ArrayBuffer>): ArrayBufferView<ArrayBuffer> {
  if (data.byteLength % 4 === 0) return data;
  const copy = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
  copy.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return copy;
}

/** Reads a buffer back. Never part of a frame: tests and the late counter do. */
export async function readBuffer(device: GPUDevice, from: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  const to = device.createBuffer({ label: 'read back', size: bytes, usage: Usage.MAP_READ | Usage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(from, 0, to, 0, bytes);
  device.queue.submit([encoder.finish()]);
  try {
    await to.mapAsync(MAP_READ_MODE);
    return to.getMappedRange().slice(0);
  } finally {
    to.destroy();
  }
}
