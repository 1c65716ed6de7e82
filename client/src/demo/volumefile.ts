// Reads volumes: NRRD (raw or gzip) and raw files, whose layout follows from their name or their size. Every
// number of a file is checked before memory is taken for it. Pure, but for decompression by the browser.

export type VolumeKind = 'u8' | 'u16' | 'f32';

export interface Volume {
  name: string;
  size: [number, number, number];
  /** Distance between samples along each axis, in any unit. */
  spacing: [number, number, number];
  kind: VolumeKind;
  data: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
  low: number;
  high: number;
}

/** Layout is the order and type of samples in a file. */
interface Layout {
  type: keyof typeof TYPES;
  little: boolean;
  size: [number, number, number];
  spacing: [number, number, number];
}

const TYPES = {
  uint8: { bytes: 1, get: (v: DataView, at: number) => v.getUint8(at) },
  int8: { bytes: 1, get: (v: DataView, at: number) => v.getInt8(at) },
  uint16: { bytes: 2, get: (v: DataView, at: number, little: boolean) => v.getUint16(at, little) },
  int16: { bytes: 2, get: (v: DataView, at: number, little: boolean) => v.getInt16(at, little) },
  uint32: { bytes: 4, get: (v: DataView, at: number, little: boolean) => v.getUint32(at, little) },
  int32: { bytes: 4, get: (v: DataView, at: number, little: boolean) => v.getInt32(at, little) },
  float: { bytes: 4, get: (v: DataView, at: number, little: boolean) => v.getFloat32(at, little) },
  double: { bytes: 8, get: (v: DataView, at: number, little: boolean) => v.getFloat64(at, little) },
} as const;

/** The types by their names in NRRD files and in the names of raw files. */
const TYPE_NAMES: Record<string, keyof typeof TYPES> = {
  'signed char': 'int8', int8: 'int8', int8_t: 'int8', uchar: 'uint8', 'unsigned char': 'uint8', uint8: 'uint8', uint8_t: 'uint8',
  short: 'int16', 'short int': 'int16', 'signed short': 'int16', 'signed short int': 'int16', int16: 'int16', int16_t: 'int16',
  ushort: 'uint16', 'unsigned short': 'uint16', 'unsigned short int': 'uint16', uint16: 'uint16', uint16_t: 'uint16',
  int: 'int32', 'signed int': 'int32', int32: 'int32', int32_t: 'int32', uint: 'uint32', 'unsigned int': 'uint32', uint32: 'uint32', uint32_t: 'uint32',
  float: 'float', float32: 'float', double: 'double', float64: 'double',
};

export const MAX_SIDE = 2048;
/** Samples of 1024³: more fit in no browser's memory. */
export const MAX_SAMPLES = 2 ** 30;
const MAX_HEADER = 65536;

/** Reads a file by its content and name. What is packed by gzip is unpacked once: some files unpack to themselves. */
export async function readVolume(name: string, file: Uint8Array<ArrayBuffer>): Promise<Volume> {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return startsWith(file, 'NRRD') ? readNrrd(name, file) : readRaw(name, file);
  const inner = name.replace(/\.gz$/i, '');
  const named = rawLayout(inner);
  const unpacked = await inflate(file, named ? bytesOf(named) : MAX_SAMPLES);
  return startsWith(unpacked, 'NRRD') ? readNrrd(inner, unpacked) : readRaw(inner, unpacked);
}

function readRaw(name: string, file: Uint8Array<ArrayBuffer>): Volume {
  const layout = rawLayout(name) ?? guessLayout(file.byteLength);
  if (!layout) {
    throw new Error(`${name} has ${file.byteLength} bytes and does not say what it is: name it like bones_256x256x128_uint8.raw, or use NRRD`);
  }
  return makeVolume(name, layout, file);
}

function startsWith(file: Uint8Array, text: string): boolean {
  return file.length >= text.length && [...text].every((c, i) => file[i] === c.charCodeAt(0));
}

async function readNrrd(name: string, file: Uint8Array<ArrayBuffer>): Promise<Volume> {
  const { fields, end } = nrrdHeader(file);
  const layout = nrrdLayout(fields);
  const encoding = fields.get('encoding');
  const body = file.subarray(end);
  if (encoding === 'raw') return makeVolume(name, layout, body);
  if (encoding === 'gzip' || encoding === 'gz') return makeVolume(name, layout, await inflate(body, bytesOf(layout)));
  throw new Error(`the encoding ${encoding ?? 'missing'} cannot be read here: want raw or gzip`);
}

/** The fields of an NRRD header and where it ends. */
function nrrdHeader(file: Uint8Array): { fields: Map<string, string>; end: number } {
  const head = new TextDecoder('latin1').decode(file.subarray(0, MAX_HEADER));
  const found = /\r?\n\r?\n/.exec(head);
  if (!found) throw new Error('the NRRD header has no end within its first 64 kB');
  const fields = new Map<string, string>();
  for (const line of head.slice(0, found.index).split(/\r?\n/).slice(1)) {
    const field = /^([^:#]+):=?\s*(.*)$/.exec(line);
    if (field) fields.set(field[1]!.trim().toLowerCase(), field[2]!.trim());
  }
  for (const other of ['data file', 'datafile']) if (fields.has(other)) throw new Error('the samples lie in another file: want one that holds them');
  for (const skip of ['line skip', 'lineskip', 'byte skip', 'byteskip']) {
    if (Number(fields.get(skip) ?? 0) !== 0) throw new Error(`${skip} is not read here`);
  }
  return { fields, end: found.index + found[0].length };
}

function nrrdLayout(fields: Map<string, string>): Layout {
  const text = (fields.get('type') ?? '').toLowerCase();
  const type = TYPE_NAMES[text];
  if (!type) throw new Error(`samples of type ${text || 'missing'} cannot be read`);
  if (fields.get('dimension') !== '3') throw new Error(`it has ${fields.get('dimension') ?? 'no'} dimensions, want 3`);
  const size = numbers(fields.get('sizes') ?? '');
  checkSize(size);
  const endian = fields.get('endian');
  if (TYPES[type].bytes > 1 && endian !== 'little' && endian !== 'big') throw new Error('it does not say whether its numbers are little or big endian');
  return { type, little: endian !== 'big', size, spacing: nrrdSpacing(fields) };
}

function nrrdSpacing(fields: Map<string, string>): [number, number, number] {
  const plain = numbers(fields.get('spacings') ?? '');
  const axes = [...(fields.get('space directions') ?? '').matchAll(/\(([^)]*)\)/g)].map((m) => Math.hypot(...m[1]!.split(',').map(Number)));
  for (const list of [plain, axes]) if (list.length === 3 && list.every((v) => v > 1e-9 && v < 1e9)) return list as [number, number, number];
  return [1, 1, 1];
}

function numbers(text: string): number[] {
  return text.split(/\s+/).filter(Boolean).map(Number);
}

function checkSize(size: number[]): asserts size is [number, number, number] {
  if (size.length !== 3 || !size.every((n) => Number.isInteger(n) && n >= 2 && n <= MAX_SIDE)) {
    throw new Error(`its size is ${size.join('×') || 'missing'}, want three numbers from 2 to ${MAX_SIDE}`);
  }
  if (size[0]! * size[1]! * size[2]! > MAX_SAMPLES) throw new Error(`its ${size.join('×')} samples are too many, at most ${MAX_SAMPLES} are read`);
}

const bytesOf = (l: Layout) => l.size[0] * l.size[1] * l.size[2] * TYPES[l.type].bytes;

/** Reads a layout from a raw file's name, such as bones_256x256x128_uint8.raw. */
function rawLayout(name: string): Layout | null {
  const size = /(\d+)x(\d+)x(\d+)/i.exec(name);
  if (!size) return null;
  const list = size.slice(1, 4).map(Number);
  checkSize(list);
  const type = Object.keys(TYPE_NAMES).filter((t) => name.toLowerCase().includes(t)).sort((a, b) => b.length - a.length)[0];
  return { type: TYPE_NAMES[type ?? 'uint8']!, little: !/big|_be\b/i.test(name), size: list, spacing: [1, 1, 1] };
}

/** A cube of bytes, words or floats whose size a file's is. */
function guessLayout(bytes: number): Layout | null {
  for (const type of ['uint8', 'uint16', 'float'] as const) {
    const side = Math.round(Math.cbrt(bytes / TYPES[type].bytes));
    if (side >= 2 && side <= 1024 && side ** 3 * TYPES[type].bytes === bytes) return { type, little: true, size: [side, side, side], spacing: [1, 1, 1] };
  }
  return null;
}

/** Makes a volume of samples that are there in full; there may be more bytes, but not fewer. */
function makeVolume(name: string, layout: Layout, body: Uint8Array<ArrayBuffer>): Volume {
  const need = bytesOf(layout);
  if (body.byteLength < need) throw new Error(`its ${layout.size.join('×')} samples need ${need} bytes, it has ${body.byteLength}`);
  const { kind, data } = samplesOf(layout, body);
  let [low, high] = [Infinity, -Infinity];
  for (const v of data) {
    if (v < low && v > -Infinity) low = v;
    if (v > high && v < Infinity) high = v;
  }
  if (low > high) throw new Error('it holds no finite number');
  if (kind === 'f32') for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i]!)) data[i] = data[i] === Infinity ? high : low; // NaN is air
  return { name, size: layout.size, spacing: layout.spacing, kind, data, low, high };
}

function samplesOf(layout: Layout, body: Uint8Array<ArrayBuffer>): Pick<Volume, 'kind' | 'data'> {
  const { bytes, get } = TYPES[layout.type];
  const count = bytesOf(layout) / bytes;
  if (layout.type === 'uint8') return { kind: 'u8', data: body.slice(0, count) };
  const view = new DataView(body.buffer, body.byteOffset, count * bytes);
  const data = layout.type === 'uint16' ? new Uint16Array(count) : new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = get(view, i * bytes, layout.little);
  return data instanceof Uint16Array ? { kind: 'u16', data } : { kind: 'f32', data };
}

/** Decompresses at most so many bytes; more, or fewer than there should be, are reported later. */
async function inflate(file: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let r = await reader.read(); !r.done && length < most; r = await reader.read()) {
      parts.push(r.value);
      length += r.value.byteLength;
    }
  } catch {
    throw new Error('its gzip data is damaged');
  }
  void reader.cancel().catch(() => {});
  const out = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const part of parts) {
    out.set(part.subarray(0, out.length - at), at);
    at += Math.min(part.length, out.length - at);
  }
  return out;
}

/** The same volume in bytes, where its own samples have no room. */
export function asBytes(v: Volume): Volume {
  if (v.kind === 'u8') return v;
  const data = new Uint8Array(v.data.length);
  const scale = v.high > v.low ? 255 / (v.high - v.low) : 0;
  for (let i = 0; i < data.length; i++) data[i] = Math.round((v.data[i]! - v.low) * scale);
  return { ...v, kind: 'u8', data, low: 0, high: 255 };
}

/** Volumes that need no file. */
export const BUILT_IN = ['gyroid', 'sphere', 'blobs'] as const;

export function builtIn(name: (typeof BUILT_IN)[number], side: number): Volume {
  const data = new Uint16Array(side ** 3);
  const at = Array.from({ length: side }, (_, i) => (i / (side - 1)) * 2 - 1); // −1 … 1
  const value = FIELDS[name](at);
  for (let z = 0, i = 0; z < side; z++) for (let y = 0; y < side; y++) for (let x = 0; x < side; x++, i++) {
    data[i] = Math.max(0, Math.min(65535, Math.round(32768 + 16384 * value(x, y, z))));
  }
  return { name: `${name} ${side}³`, size: [side, side, side], spacing: [1, 1, 1], kind: 'u16', data, low: 0, high: 65535 };
}

type Field = (x: number, y: number, z: number) => number;

const FIELDS: Record<(typeof BUILT_IN)[number], (at: number[]) => Field> = {
  gyroid: (at) => {
    const s = at.map((v) => Math.sin(v * 4 * Math.PI));
    const c = at.map((v) => Math.cos(v * 4 * Math.PI));
    const q = at.map((v) => v * v);
    return (x, y, z) => {
      const wall = 0.5 - Math.abs(s[x]! * c[y]! + s[y]! * c[z]! + s[z]! * c[x]!);
      const ball = 8 * (0.9 - Math.sqrt(q[x]! + q[y]! + q[z]!)); // cut out of it, with rounded rims, it has an outside
      const h = Math.max(0.5 - Math.abs(wall - ball), 0);
      return Math.min(wall, ball) - (h * h) / 2;
    };
  },
  sphere: (at) => {
    const q = at.map((v) => v * v);
    return (x, y, z) => 2 * (0.8 - Math.sqrt(q[x]! + q[y]! + q[z]!));
  },
  blobs: (at) => {
    const balls = [[0.3, 0.2, -0.3, 0.2], [-0.35, 0.1, 0.2, 0.24], [0.1, -0.4, 0.3, 0.18], [-0.1, 0.45, 0.1, 0.16], [0.4, -0.2, 0.35, 0.14]];
    const part = balls.map((b) => [0, 1, 2].map((axis) => at.map((v) => (v - b[axis]!) ** 2)));
    return (x, y, z) => {
      let sum = -1;
      for (let k = 0; k < balls.length; k++) sum += (balls[k]![3]! ** 2 * 2) / (part[k]![0]![x]! + part[k]![1]![y]! + part[k]![2]![z]! + 0.02);
      return sum;
    };
  },
};
