// What the ground looks like: grass where it was grown, soil under it, rock further down, on steep faces and
// on whatever people build. Everything is computed from what a vertex carries, so two chunks that share a
// vertex agree on its color, and from positions that stay what they are when the origin moves.
import { MeshLambertNodeMaterial, Vector3, type NodeBuilder, type Node } from 'three/webgpu';
import { attribute, color, Fn, float, mix, normalWorld, positionLocal, positionView, smoothstep, uint, uniform, varying, vec3 } from 'three/tsl';
import { CHUNK_METERS, type ChunkPage } from './page';

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

export class GroundMaterial extends MeshLambertNodeMaterial {
  private readonly place = pagePosition();

  /**
   * In detail the pattern is computed for every pixel. Otherwise, for software renderers, once a vertex:
   * vertices are about a meter apart.
   */
  constructor(detail: boolean) {
    super();
    const at = detail ? varying(positionLocal, 'vPlace') : positionLocal;
    const once = (value: Node<'float'>, name: string) => (detail ? value.toVar() : varying(value, name));
    const broad = once(noise(at.div(16)), 'vBroad');
    const middle = once(noise(at.div(2)), 'vMiddle');
    const layers = once(noise(at.div(vec3(32, 2, 32))), 'vLayers'); // rock lies in layers
    let fine: Node<'float'> = middle;
    if (detail) {
      const near = smoothstep(FINEST_FAR, FINEST_NEAR, positionView.z.negate());
      fine = mix(middle, noise(at.mul(4)), near.mul(0.5)).toVar();
    }
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
    this.colorNode = ground.mul(fine.mul(0.2).add(0.9));
  }

  /** A page is a BatchedMesh without the matrices that three would look up here. */
  override setupPosition(_builder: NodeBuilder) {
    positionLocal.assign(vec3(this.place));
    return positionLocal;
  }
}
