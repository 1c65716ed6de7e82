// Other people: a capsule with a nose, gliding to its last known place, and a name over it. All share one
// geometry and one material, so that nobody's coming holds up a frame; the names are plain elements.
import { CapsuleGeometry, Color, Group, Mesh, MeshLambertNodeMaterial, Vector3, type PerspectiveCamera } from 'three/webgpu';
import { uniform } from 'three/tsl';
import type { Person } from '../world/protocol';

/** Meters: a person's eye is this far above the middle of the capsule, and the name above the eye. */
const EYE = 0.55;
const NAME = 1;
/** How much of the way to the last known place is left after a second. */
const GLIDE = 0.0005;
/** Meters beyond which a name is not shown. */
const NAME_REACH = 150;

interface Avatar {
  person: Person;
  at: Vector3;
  node: Group;
  label: HTMLElement;
}

class AvatarMaterial extends MeshLambertNodeMaterial {
  constructor() {
    super();
    this.colorNode = uniform(new Color()).onObjectUpdate(({ object }, self) => {
      self.value.copy((object as unknown as Mesh).userData['color'] as Color);
    });
  }
}

export class People {
  readonly node = new Group();
  private readonly avatars = new Map<number, Avatar>();
  private readonly shape = new CapsuleGeometry(0.45, 1.1, 6, 16);
  private readonly material = new AvatarMaterial();

  constructor(private readonly labels: HTMLElement) {}

  get count(): number {
    return this.avatars.size;
  }

  update(moved: Person[], gone: number[]): void {
    for (const id of gone) this.remove(id);
    for (const person of moved) {
      const known = this.avatars.get(person.id);
      if (known) {
        known.person = person;
        known.label.textContent = nameOf(person);
      } else this.avatars.set(person.id, this.make(person));
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

  /** Puts the names where the camera sees their people, in a view of a size in pixels. */
  label(camera: PerspectiveCamera, width: number, height: number): void {
    for (const { node, label } of this.avatars.values()) {
      const far = node.position.distanceTo(camera.position);
      const p = node.position.clone();
      p.y += EYE + NAME;
      p.applyMatrix4(camera.matrixWorldInverse);
      const seen = p.z < -0.5 && far < NAME_REACH;
      label.hidden = !seen;
      if (!seen) continue;
      p.applyMatrix4(camera.projectionMatrix);
      label.style.transform = `translate(-50%, -100%) translate(${((p.x + 1) / 2) * width}px, ${((1 - p.y) / 2) * height}px)`;
    }
  }

  /** A body to make the shaders of before anyone comes. */
  sample(): Mesh {
    return this.body(new Color(), 1);
  }

  private make(person: Person): Avatar {
    const node = new Group();
    const color = new Color().setHSL((person.id * 0.618034) % 1, 0.62, 0.58);
    const nose = this.body(color, 0.25);
    nose.rotation.x = Math.PI / 2;
    nose.position.set(0, EYE, -0.42);
    node.add(this.body(color, 1), nose);
    this.node.add(node);
    const label = Object.assign(document.createElement('div'), { className: 'name', textContent: nameOf(person), hidden: true });
    this.labels.append(label);
    return { person, at: new Vector3(person.x, person.y, person.z), node, label };
  }

  private body(color: Color, scale: number): Mesh {
    const body = new Mesh(this.shape, this.material);
    body.userData['color'] = color;
    body.scale.setScalar(scale);
    return body;
  }

  private remove(id: number): void {
    const avatar = this.avatars.get(id);
    if (!avatar) return;
    this.avatars.delete(id);
    this.node.remove(avatar.node);
    avatar.label.remove();
  }
}

const nameOf = (person: Person) => person.name || 'someone';
