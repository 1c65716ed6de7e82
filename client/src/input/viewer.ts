// The viewer: an eye that flies, or an orbit round a point.
import type { Eye } from '../world/protocol';
import { fly, orbitEye, orbitRound, startAbove, turn, turnOrbit, zoomOrbit, type MoveIntent, type Orbit } from './eye';

export class Viewer {
  eye: Eye;
  /** The place is known: from the address, or from the height of the ground. */
  placed = false;
  private orbit: Orbit | null = null;

  constructor(eye: Eye | null) {
    this.eye = eye ?? startAbove(0);
  }

  get orbiting(): boolean {
    return this.orbit !== null;
  }

  /** Takes its first place once there is one, and reports whether it did. */
  place(start: Eye | null): boolean {
    if (this.placed || !start) return false;
    this.placed = true;
    this.eye = start;
    return true;
  }

  look(left: number, up: number): void {
    if (this.orbit) this.orbit = turnOrbit(this.orbit, -left, up);
    else this.eye = turn(this.eye, left, up);
  }

  /** Makes an orbit wider by a factor. */
  zoom(factor: number): void {
    if (this.orbit) this.orbit = zoomOrbit(this.orbit, factor);
  }

  /** Moves for some seconds, and reports whether the eye is elsewhere or looks elsewhere. */
  move(intent: MoveIntent, seconds: number): boolean {
    const before = this.eye;
    this.eye = this.orbit ? orbitEye(this.orbit) : fly(this.eye, intent, seconds);
    const { x, y, z, yaw, pitch } = this.eye;
    return x !== before.x || y !== before.y || z !== before.z || yaw !== before.yaw || pitch !== before.pitch;
  }

  /** Goes into orbit round a point, or flies again. */
  toggleOrbit({ x, y, z }: { x: number; y: number; z: number }): void {
    this.orbit = this.orbit ? null : orbitRound(x, y, z);
  }
}
