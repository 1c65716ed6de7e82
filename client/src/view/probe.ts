// Finds out what this browser can really draw with. That navigator.gpu is there is not enough: the adapter may be
// missing, asking for it may fail, and so may making a device.

export type Backend = 'webgpu' | 'webgl2';

export interface Graphics {
  backend: Backend;
  /** Set for WebGPU. */
  device?: GPUDevice;
  /** Whether the processor draws, in place of a GPU. */
  software: boolean;
  /** Why it is not WebGPU. */
  reason: string;
}

/** A driver that has hung never answers. */
const PATIENCE_MS = 5000;

/** Returns the best way to draw, or what is missing, in words. */
export async function probe(force: Backend | null): Promise<Graphics | { missing: string[] }> {
  let reason = 'asked for in the address';
  if (force !== 'webgl2') {
    const gpu = await probeWebGPU();
    if (typeof gpu !== 'string') return { backend: 'webgpu', device: gpu.device, software: gpu.software, reason: '' };
    reason = gpu;
  }
  const gl = probeWebGL2();
  if (gl) return { backend: 'webgl2', software: gl.software, reason };
  return { missing: [`WebGPU: ${reason}`, 'WebGL2: the browser gives no context for it'] };
}

async function probeWebGPU(): Promise<{ device: GPUDevice; software: boolean } | string> {
  if (!isSecureContext) return 'browsers offer it only on https and on this computer itself (localhost)';
  const gpu = navigator.gpu as GPU | undefined;
  if (!gpu) return 'this browser does not have it';
  try {
    const adapter = await within(gpu.requestAdapter({ powerPreference: 'high-performance' }), 'finding the GPU');
    if (!adapter) return 'there is no GPU that it can use';
    const device = await within(adapter.requestDevice(), 'opening the GPU');
    const info: Partial<GPUAdapterInfo> = adapter.info ?? {}; // older browsers have none
    const software = info.isFallbackAdapter === true || /swiftshader|llvmpipe|basic render/i.test(`${info.vendor} ${info.description}`);
    return { device, software };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function probeWebGL2(): { software: boolean } | null {
  try {
    const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: false });
    if (!gl) return null;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few contexts at once
    return { software: /swiftshader|llvmpipe|software|basic render/i.test(name) };
  } catch {
    return null;
  }
}

function within<T>(promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} took longer than ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
