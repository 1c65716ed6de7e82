// Other people: a capsule with a name over it, gliding to where it was last heard of.
import {
  CanvasTexture, CapsuleGeometry, Color, Group, Mesh, MeshLambertNodeMaterial, SRGBColorSpace, Sprite, SpriteNodeMaterial, Vector3,
} from 'three/webgpu';
import type { Person } from './protocol';

/** Meters: a person's eye is this far above the middle of the capsule. */
const EYE = 0.55;
/** How much of the way to the last known place is left after a second. */
const GLIDE = 0.0005;

interface Avatar {
  person: Person;
  at: Vector3;
  node: Group;
}

export class People {
  readonly node = new Group();
  private readonly avatars = new Map<number, Avatar>();
  private readonly body = new CapsuleGeometry(0.45, 1.1, 6, 14);
  private readonly nose = new CapsuleGeometry(0.12, 0.35, 4, 8);

  get count(): number {
    return this.avatars.size;
  }

  update(moved: Person[], gone: number[]): void {
    for (const id of gone) this.remove(id);
    for (const person of moved) {
      const known = this.avatars.get(person.id);
      if (known && known.person.name === person.name) known.person = person;
      else {
        this.remove(person.id);
        this.avatars.set(person.id, this.make(person));
      }
    }
  }

  /** Moves everyone for some seconds. Returns whether anyone moved. */
  glide(seconds: number, origin: Vector3): boolean {
    let moved = false;
    const rest = Math.pow(GLIDE, seconds);
    for (const { person, at, node } of this.avatars.values()) {
      const before = node.position.clone();
      at.set(person.x + (at.x - person.x) * rest, person.y + (at.y - person.y) * rest, person.z + (at.z - person.z) * rest);
      node.position.copy(at).sub(origin);
      node.position.y -= EYE;
      if (node.rotation.y !== person.yaw || before.distanceToSquared(node.position) > 1e-6) moved = true;
      node.rotation.y = person.yaw;
    }
    return moved;
  }

  private make(person: Person): Avatar {
    const node = new Group();
    const material = new MeshLambertNodeMaterial({ color: new Color().setHSL(((person.id * 0.618034) % 1 + 1) % 1, 0.62, 0.58) });
    const nose = new Mesh(this.nose, material);
    nose.rotation.x = Math.PI / 2;
    nose.position.set(0, EYE, -0.5);
    node.add(new Mesh(this.body, material), nose, nameplate(person.name || 'someone'));
    this.node.add(node);
    return { person, at: new Vector3(person.x, person.y, person.z), node };
  }

  private remove(id: number): void {
    const avatar = this.avatars.get(id);
    if (!avatar) return;
    this.avatars.delete(id);
    this.node.remove(avatar.node);
    for (const part of avatar.node.children as (Mesh | Sprite)[]) {
      const material = part.material as MeshLambertNodeMaterial | SpriteNodeMaterial;
      material.map?.dispose();
      material.dispose();
    }
  }
}

function nameplate(name: string): Sprite {
  const canvas = Object.assign(document.createElement('canvas'), { width: 512, height: 96 });
  const pen = canvas.getContext('2d')!;
  pen.font = '600 46px system-ui, "DejaVu Sans", sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const width = Math.min(pen.measureText(name).width + 44, 512);
  pen.fillStyle = 'rgb(26 9 54 / 0.7)';
  pen.beginPath();
  pen.roundRect((512 - width) / 2, 8, width, 80, 24);
  pen.fill();
  pen.fillStyle = '#f3ecff';
  pen.fillText(name, 256, 50, 480);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const plate = new Sprite(new SpriteNodeMaterial({ map, depthWrite: false, transparent: true }));
  plate.scale.set(3.2, 0.6, 1);
  plate.position.y = 1.75;
  return plate;
}
