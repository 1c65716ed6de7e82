// The settings in the page's address, for people's bookmarks and for tests:
//
//   radius=2            view radius in chunks; without it what the server suggests
//   pos=12.5,40,-3      the eye, in meters
//   look=90,-12         where it looks: degrees to the left of −z, degrees up
//   mesher=nets         marching, nets or blocks
//   renderer=webgl2     webgpu or webgl2; without it the better one that works
//   quality=high        high or low: smoothed edges and fine patterns; without it by who draws
//   name=Ada            what others see over your head
//   builder=gpu         the GPU meshes the ground (marching cubes) from the builders' samples
//   view=rough          in place of the world the rough heightmap, or view=smooth: its smooth predecessor
//   demo=animated       in place of the world work on the GPU: animated, volume, check or bench (demo/demo.ts)
import type { Backend } from './view/probe';
import { Every } from './view/loop';
import type { Eye, Heightmap } from './world/protocol';
import { HEIGHTMAPS, MESHERS } from './world/protocol.gen';

export interface Params {
  radius: number;
  eye: Eye | null;
  mesher: number;
  renderer: Backend | null;
  /** null leaves it to what the graphics can do. */
  high: boolean | null;
  name: string;
  /** The GPU makes the meshes. */
  gpuMeshes: boolean;
  /** The heightmap to show in place of the world. */
  view: Heightmap | null;
}

const MAX_RADIUS = 32;
const MAX_NAME_BYTES = 64;
/** Browsers allow a hundred changes of the address in half a minute. */
const ADDRESS_EVERY_MS = 500;
const DEGREES = 180 / Math.PI;

export function readParams(search: string): Params {
  const query = new URLSearchParams(search);
  const radius = Number(query.get('radius') ?? 0);
  const renderer = query.get('renderer');
  const quality = query.get('quality');
  const mesher = MESHERS.indexOf(query.get('mesher') as never);
  return {
    radius: Number.isInteger(radius) && radius >= 1 ? Math.min(radius, MAX_RADIUS) : 0,
    eye: readEye(numbers(query.get('pos'), 3), numbers(query.get('look'), 2)),
    mesher: Math.max(mesher, 0),
    renderer: renderer === 'webgpu' || renderer === 'webgl2' ? renderer : null,
    high: quality === 'high' ? true : quality === 'low' ? false : null,
    name: shorten(query.get('name') ?? ''),
    gpuMeshes: query.get('builder') === 'gpu',
    view: HEIGHTMAPS.find((name) => name === query.get('view')) ?? null,
  };
}

function readEye(pos: number[] | null, look: number[] | null): Eye | null {
  if (!pos) return null;
  const [yaw, pitch] = look ?? [0, 0];
  return { x: pos[0]!, y: pos[1]!, z: pos[2]!, yaw: yaw! / DEGREES, pitch: Math.max(-89, Math.min(89, pitch!)) / DEGREES };
}

/** Returns the address with another eye; its other settings stay. */
export function addressOf(search: string, eye: Eye): string {
  const query = new URLSearchParams(search);
  const round = (n: number, digits: number) => String(Number(n.toFixed(digits)));
  query.set('pos', [eye.x, eye.y, eye.z].map((n) => round(n, 2)).join(','));
  query.set('look', [eye.yaw, eye.pitch].map((n) => round(n * DEGREES, 1)).join(','));
  return `?${query.toString().replaceAll('%2C', ',')}`;
}

/** AddressBar keeps the eye in the page's address, which bookmarks and reloads read. */
export class AddressBar {
  private readonly due = new Every(ADDRESS_EVERY_MS);
  private address = '';

  show(now: number, eye: Eye): void {
    if (!this.due.due(now)) return;
    const address = addressOf(location.search, eye);
    if (address !== this.address) history.replaceState(null, '', address);
    this.address = address;
  }
}

function numbers(text: string | null, n: number): number[] | null {
  if (text === null) return null;
  const values = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  return values.length === n && values.every((v) => Number.isFinite(v) && Math.abs(v) < 2 ** 30) ? values : null;
}

function shorten(name: string): string {
  while (new TextEncoder().encode(name).length > MAX_NAME_BYTES) name = [...name].slice(0, -1).join('');
  return name;
}
