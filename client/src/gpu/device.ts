// Opens a GPU for compute. What the passes need is within the limits that every WebGPU has; larger
// buffers are asked for where there are, for volumes.

/** The limits that the passes need: WebGPU's core limits. With lower ones a browser offers "compatibility mode". */
const NEEDED = {
  maxStorageBuffersPerShaderStage: 8,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 2048,
  maxComputeWorkgroupsPerDimension: 65535,
  maxStorageBufferBindingSize: 128 * 1024 * 1024,
} as const;

const PATIENCE_MS = 5000;

export interface Gpu {
  device: GPUDevice;
  name: string;
  /** Whether the processor does the work, in place of a GPU. */
  software: boolean;
  timestamps: boolean;
  /** The largest buffer that a pass can bind, in bytes. */
  maxBytes: number;
}

/** Opens the GPU, or returns why it cannot. */
export async function openGpu(): Promise<Gpu | { missing: string }> {
  if (!isSecureContext) return { missing: 'browsers offer WebGPU only on https and on this computer itself (localhost)' };
  const gpu = navigator.gpu as GPU | undefined;
  if (!gpu) return { missing: 'this browser does not have WebGPU' };
  try {
    const adapter = await within(gpu.requestAdapter({ powerPreference: 'high-performance' }));
    if (!adapter) return { missing: 'there is no GPU that WebGPU can use' };
    const small = tooSmall(adapter.limits);
    if (small) return { missing: small };
    return await open(adapter);
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns which limit is too small, in words, or an empty string. */
export function tooSmall(limits: Record<keyof typeof NEEDED, number>): string {
  for (const [name, needed] of Object.entries(NEEDED) as [keyof typeof NEEDED, number][]) {
    if (limits[name] < needed) return `this GPU's ${name} is ${limits[name]}; ${needed} is needed`;
  }
  return '';
}

async function open(adapter: GPUAdapter): Promise<Gpu> {
  const timestamps = adapter.features.has('timestamp-query');
  const device = await within(
    adapter.requestDevice({
      requiredFeatures: timestamps ? ['timestamp-query'] : [],
      requiredLimits: {
        maxBufferSize: adapter.limits.maxBufferSize,
        maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
      },
    }),
  );
  const info: Partial<GPUAdapterInfo> = adapter.info ?? {};
  const name = [info.vendor, info.architecture, info.device, info.description].filter(Boolean).join(' ') || 'unknown';
  const software = info.isFallbackAdapter === true || /swiftshader|llvmpipe|basic render/i.test(name);
  return { device, name, software, timestamps, maxBytes: Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize) };
}

function within<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the GPU did not answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
