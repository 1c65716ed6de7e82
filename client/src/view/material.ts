// What the ground looks like: of the materials of the world, or in a world without, grass where it was grown, soil
// under it, rock further down, on steep faces and on whatever people build. Everything is computed from what a
// vertex carries, so two chunks that share a vertex agree on its color, and from positions that stay what they are
// when the origin moves.
import {
  Color, MeshLambertNodeMaterial, MeshStandardNodeMaterial, SRGBColorSpace, Vector3, Vector4, type NodeBuilder, type Node,
} from 'three/webgpu';
import {
  attribute, color, Fn, float, mix, normalWorld, positionLocal, positionView, smoothstep, step, uint, uniform, uniformArray,
  varying, vec3, vec4,
} from 'three/tsl';
import { CHUNK_METERS } from '../world/protocol.gen';
import type { ChunkPage } from './page';

/** The position of a vertex of a page relative to the floating origin (see page.ts). */
function pagePosition() {
  const offset = uniform(new Vector3()).onObjectUpdate(({ object }, self) => {
    self.value.copy((object as unknown as ChunkPage).offset);
  });
  const chunk = attribute<'vec4'>('chunk', 'vec4').xyz.mul(127).round();
  return attribute<'vec3'>('position', 'vec3').add(chunk.mul(CHUNK_METERS).add(offset));
}

/** A number in 0 … 1 for each lattice point, the same on every machine. */
const lattice = Fn(([x, y, z]: [Node<'int'>, Node<'int'>, Node<'int'>]) => {
  // The pattern repeats every 256 cells, which divides the step by which the origin moves.
  const wrap = (v: Node<'int'>) => uint(v.bitAnd(255));
  const h = wrap(x).mul(0x9e3779b1).add(wrap(y).mul(0x85ebca77)).add(wrap(z).mul(0xc2b2ae3d)).toVar();
  h.assign(h.bitXor(h.shiftRight(15)).mul(0x2c1b3c6d));
  h.assign(h.bitXor(h.shiftRight(12)).mul(0x297a2d39));
  return float(h.shiftRight(8)).div(16777216);
});

/** Smooth noise in 0 … 1 with one value to a meter times scale. */
const noise = Fn(([p]: [Node<'vec3'>]) => {
  const cell = p.floor().toVar();
  const f = p.sub(cell).toVar();
  const t = f.mul(f).mul(f.mul(-2).add(3)).toVar();
  const [x, y, z] = [cell.x.toInt().toVar(), cell.y.toInt().toVar(), cell.z.toInt().toVar()];
  const edge = (dy: number, dz: number) => mix(lattice(x, y.add(dy), z.add(dz)), lattice(x.add(1), y.add(dy), z.add(dz)), t.x);
  return mix(mix(edge(0, 0), edge(1, 0), t.y), mix(edge(0, 1), edge(1, 1), t.y), t.z);
});

const grassDry = color('#77913f');
const grassFresh = color('#3f7d3c');
const soilDark = color('#544234');
const soilLight = color('#7f664c');
const rockDark = color('#57525c');
const rockLight = color('#8d8791');

/** Meters from the eye over which the finest pattern fades: further away it would only flicker. */
const FINEST_NEAR = 12;
const FINEST_FAR = 45;

/** Surface is a material that ground is drawn with. */
export type Surface = MeshLambertNodeMaterial | MeshStandardNodeMaterial;

/** Patterns at the place that is drawn, each from 0 to 1. */
interface Patterns {
  /** Over some 16 m. */
  broad: Node<'float'>;
  /** In level layers some 2 m thick. */
  layers: Node<'float'>;
  /** Over some 2 m, and a quarter of one near the eye. */
  fine: Node<'float'>;
  /** Over some meter; with detail only. */
  grain: Node<'float'>;
}

/** The part of fresh grass's light that dry grass reflects: red, green, blue. */
const DRY = vec3(1.6, 1.15, 1);

/**
 * With detail the patterns are computed for every pixel. Otherwise, for software renderers, once a vertex:
 * vertices are about a meter apart.
 */
function patterns(detail: boolean): Patterns {
  const at = detail ? varying(positionLocal, 'vPlace') : positionLocal;
  const once = (value: Node<'float'>, name: string) => (detail ? value.toVar() : varying(value, name));
  const broad = once(noise(at.div(16)), 'vBroad');
  const middle = once(noise(at.div(2)), 'vMiddle');
  const layers = once(noise(at.div(vec3(32, 2, 32))), 'vLayers');
  let fine: Node<'float'> = middle;
  if (detail) {
    const near = smoothstep(FINEST_FAR, FINEST_NEAR, positionView.z.negate());
    fine = mix(middle, noise(at.mul(4)), near.mul(0.5)).toVar();
  }
  return { broad, layers, fine, grain: detail ? noise(at.mul(1.1).add(0.37)).toVar() : middle };
}

/** Has a material place the vertices of a page, which is a BatchedMesh without the matrices that three would look up. */
function placed<T extends Surface>(material: T): T {
  const place = pagePosition();
  material.setupPosition = (_builder: NodeBuilder) => {
    positionLocal.assign(vec3(place));
    return positionLocal;
  };
  return material;
}

/** Ground of a world without materials: grass where it was grown, soil under it, rock further down. */
export function groundMaterial(detail: boolean): Surface {
  const material = placed(new MeshLambertNodeMaterial());
  const { broad, layers, fine } = patterns(detail);
  const depth = varying(attribute<'float'>('depth', 'float'), 'vDepth');
  const up = normalWorld.y;

  const uneven = fine.sub(0.5);
  const grass = mix(grassDry, grassFresh, smoothstep(0.2, 0.65, broad.mul(0.7).add(fine.mul(0.3))));
  const soil = mix(soilDark, soilLight, broad.mul(0.5).add(fine.mul(0.5)));
  const rock = mix(rockDark, rockLight, smoothstep(0.15, 0.85, layers.mul(0.6).add(fine.mul(0.25)).add(broad.mul(0.15))));

  const below = depth.add(uneven.mul(0.8)); // meters, with an uneven edge
  const steepSoil = smoothstep(0.84, 0.74, up.add(broad.sub(0.5).mul(0.12)).add(uneven.mul(0.08)));
  const steepRock = smoothstep(0.68, 0.56, up.add(layers.sub(0.5).mul(0.16)));
  const underGrass = smoothstep(0.55, 0.95, below);
  const underSoil = smoothstep(3.4, 4.6, below);
  const built = smoothstep(-0.7, -1.1, below);
  const ground = mix(mix(grass, soil, underGrass.max(steepSoil)), rock, underSoil.max(steepRock).max(built));
  material.colorNode = ground.mul(fine.mul(0.2).add(0.9));
  return material;
}

/**
 * Ground of a world with materials, from a palette of four bytes each (see world/protocol.ts). A vertex mixes the two
 * that it carries, and what lies between vertices is mixed from theirs; the patterns make it uneven, in a manner
 * that is guessed from the colors: greens dry here and there, gray stone lies in layers, what is bright is smooth.
 * Roughness is shown with detail only: what it takes to shine is dear to a software renderer.
 */
export function paintedMaterial(palette: Uint8Array, detail: boolean): Surface {
  const material = placed(detail ? new MeshStandardNodeMaterial() : new MeshLambertNodeMaterial());
  const looks: Vector4[] = [];
  const manners: Vector4[] = [];
  for (let i = 0; i < palette.length; i += 4) {
    const [r, g, b, roughness] = [...palette.subarray(i, i + 4)].map((v) => v / 255) as [number, number, number, number];
    const linear = new Color().setRGB(r, g, b, SRGBColorSpace);
    looks.push(new Vector4(linear.r, linear.g, linear.b, roughness));
    const { dries, layered, contrast } = mannerOf(r, g, b);
    manners.push(new Vector4(dries, layered, contrast, 0));
  }
  const found = patterns(detail);
  const { look, manner } = detail && looks.length <= SHARP ? sharp(looks, manners, found) : smooth(looks, manners);
  const { broad, layers, fine } = found;
  const loose = broad.mul(0.5).add(fine.mul(0.5));
  const stony = smoothstep(0.15, 0.85, layers.mul(0.6).add(fine.mul(0.25)).add(broad.mul(0.15)));
  const light = mix(loose, stony, manner.y).sub(0.5).mul(manner.z).add(1);
  const dry = smoothstep(0.65, 0.2, broad.mul(0.7).add(fine.mul(0.3))).mul(manner.x);
  material.colorNode = look.xyz.mul(mix(vec3(1), DRY, dry)).mul(light);
  if ('roughnessNode' in material) material.roughnessNode = look.w;
  return material;
}

/** Blend is what is known of each material, mixed: color and roughness, and manner (dries, layered, contrast). */
interface Blend {
  look: Node<'vec4'>;
  manner: Node<'vec4'>;
}

/** Reads a vertex's attribute: the numbers of two materials and the weight of the second. */
function carried() {
  const bytes = attribute<'vec4'>('materials', 'vec4');
  return { solid: bytes.x.mul(255).round(), air: bytes.y.mul(255).round(), weight: bytes.z };
}

/** Mixes the materials at each vertex, and linearly between vertices. */
function smooth(looks: Vector4[], manners: Vector4[]): Blend {
  const { solid, air, weight } = carried();
  const blend = (values: Vector4[], name: string) => {
    const list = uniformArray<'vec4'>(values, 'vec4');
    return varying(mix(list.element(solid.toInt()), list.element(air.toInt()), weight) as Node<'vec4'>, name);
  };
  return { look: blend(looks, 'vLook'), manner: blend(manners, 'vManner') };
}

/** Materials whose shares go from the vertices to the pixels, where patterns decide which is seen. */
const SHARP = 8;
/** Where two materials meet, how far patterns move the edge, in shares, and how wide it is near and far. */
const EDGE_MOVES = 1.3;
const EDGE_NEAR = 0.35;
const EDGE_FAR = 0.8;
const EDGE_FAR_FROM = 30;
const EDGE_FAR_TO = 160;

/** Mixes the shares of the materials between vertices and lets them meet at uneven edges. */
function sharp(looks: Vector4[], manners: Vector4[], { fine, grain }: Patterns): Blend {
  const { solid, air, weight } = carried();
  const far = smoothstep(EDGE_FAR_FROM, EDGE_FAR_TO, positionView.z.negate());
  const width = mix(float(EDGE_NEAR), float(EDGE_FAR), far).toVar();
  const [one, other] = [fine.sub(0.5).mul(EDGE_MOVES).toVar(), grain.sub(0.5).mul(EDGE_MOVES).toVar()];
  const scores: Node<'vec4'>[] = [];
  for (let first = 0; first < looks.length; first += 4) {
    const numbers = vec4(first, first + 1, first + 2, first + 3);
    const share = (number: Node<'float'>) => numbers.sub(number).abs().oneMinus().max(0);
    const shares = varying(mix(share(solid), share(air), weight) as Node<'vec4'>, `vShares${first}`).toVar();
    // Each material is moved by another mix of the two patterns.
    const turn = (f: (angle: number) => number) => {
      const at = (i: number) => f(((first + i) * 2 * Math.PI) / looks.length);
      return vec4(at(0), at(1), at(2), at(3));
    };
    const moved = shares.add(turn(Math.cos).mul(one)).add(turn(Math.sin).mul(other));
    scores.push(moved.sub(step(shares, vec4(0.01)).mul(100)).toVar());
  }
  const best = scores.map((s) => s.x.max(s.y).max(s.z.max(s.w))).reduce((a, b) => a.max(b)).sub(width).toVar();
  const shown = scores.map((s) => s.sub(best).max(0).toVar());
  const sum = shown.map((s) => s.x.add(s.y).add(s.z.add(s.w))).reduce((a, b) => a.add(b));
  const blend = (values: Vector4[]) => {
    const list = uniformArray<'vec4'>(values, 'vec4');
    const parts = values.map((_, i) => list.element(i).mul(shown[i >> 2]![(['x', 'y', 'z', 'w'] as const)[i & 3]!]) as Node<'vec4'>);
    return parts.reduce((a, b) => a.add(b)).div(sum).toVar();
  };
  return { look: blend(looks), manner: blend(manners) };
}

/** Returns how unevenly a color is drawn: how far it dries, whether it lies in layers, and how far light and dark are apart. */
function mannerOf(r: number, g: number, b: number): { dries: number; layered: number; contrast: number } {
  const most = Math.max(r, g, b);
  const saturation = most > 0 ? 1 - Math.min(r, g, b) / most : 0;
  if (g === most && saturation > 0.25) return { dries: Math.min((g - r) / g / 0.4, 1), layered: 0, contrast: 0.4 };
  if (most > 0.8) return { dries: 0, layered: 0, contrast: 0.1 };
  if (saturation < 0.25) return { dries: 0, layered: 1, contrast: 0.85 };
  return { dries: 0, layered: 0.2, contrast: 0.6 };
}
