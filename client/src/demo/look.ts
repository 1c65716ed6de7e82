// The materials of the demos' surfaces: grass on top, layered rock below, and a glow where an edit is at work; or,
// for volumes, one warm material.
import { DoubleSide, LineBasicNodeMaterial, MeshStandardNodeMaterial, Vector4, type Node } from 'three/webgpu';
import { color, float, mix, normalWorld, positionWorld, sin, smoothstep, uniform, varying, vec3 } from 'three/tsl';
import type { Edit } from '../gpu/edits';

/** Smooth spots, 0 … 1, some meters across. */
function spots(scale: number): Node<'float'> {
  const p = positionWorld.mul(scale);
  const a = sin(p.x.add(sin(p.z.mul(1.7)).mul(1.3))).mul(sin(p.z.mul(0.9).add(sin(p.x.mul(1.3)))));
  return a.mul(sin(p.y.mul(1.1).add(p.x))).mul(0.5).add(0.5);
}

export class GroundLook extends MeshStandardNodeMaterial {
  /** Place and radius of each edit that glows; a radius of 0 is none. */
  private readonly glowing = Array.from({ length: MAX_GLOWING }, () => uniform(new Vector4()));

  constructor() {
    super();
    const up = normalWorld.y;
    const patch = varying(spots(0.16), 'vPatch');
    const fine = varying(spots(0.7), 'vFine');
    const layers = sin(positionWorld.y.mul(1.15).add(patch.mul(3.5))).mul(0.5).add(0.5);
    const grass = mix(color(0x86a344), color(0x3c7a3a), smoothstep(0.2, 0.8, patch.mul(0.7).add(fine.mul(0.3))));
    const rock = mix(mix(color(0x5d4f63), color(0x8f7f86), layers), color(0xb08e70), fine.mul(0.25));
    const flat = smoothstep(0.5, 0.75, up.add(fine.sub(0.5).mul(0.18))).mul(smoothstep(-8, -3, positionWorld.y));
    this.colorNode = mix(rock, grass, flat);
    let glow: Node<'float'> = float(0);
    for (const edit of this.glowing) {
      const far = positionWorld.sub(vec3(edit.xyz)).length().sub(edit.w);
      glow = glow.max(smoothstep(3.2, 0, far.abs()).mul(edit.w.greaterThan(0).select(1, 0)));
    }
    this.emissiveNode = color(0xf97316).mul(varying(glow, 'vGlow').pow(2).mul(0.55));
    this.roughnessNode = float(0.95);
    this.metalnessNode = float(0);
    this.side = DoubleSide;
  }

  glow(edits: Edit[]): void {
    this.glowing.forEach((u, i) => {
      const e = edits[i];
      if (e) u.value.set(...e.at, e.radius);
      else u.value.set(0, 0, 0, 0);
    });
  }
}

/** Edits beyond these do not glow. */
const MAX_GLOWING = 10;

export function volumeLook(): MeshStandardNodeMaterial {
  const m = new MeshStandardNodeMaterial({ roughness: 0.55, metalness: 0.05, side: DoubleSide });
  const up = normalWorld.y.mul(0.5).add(0.5);
  m.colorNode = mix(color(0xc05621), color(0xfde4c8), up);
  return m;
}

export function lineLook(): LineBasicNodeMaterial {
  const m = new LineBasicNodeMaterial();
  m.colorNode = mix(color(0x7c5cff), color(0xffd8a8), normalWorld.y.mul(0.5).add(0.5));
  return m;
}
