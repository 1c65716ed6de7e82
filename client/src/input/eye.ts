// The place and direction of the viewer, and how they change. Pure: no screen, no clock.
import type { Eye, Sight } from '../world/protocol';

/** Meters above the ground where a viewer starts. */
const START_HEIGHT = 20;
/** Meters a second. */
export const SPEED = 16;
export const FAST = 4;
export const MAX_PITCH = (89 / 180) * Math.PI;
/** A world ends here, in meters from its middle. */
const LIMIT = 2 ** 30 - 4096;

export function startAbove(ground: number): Eye {
  return { x: 0, y: ground + START_HEIGHT, z: 0, yaw: 0, pitch: -0.35 };
}

/** The ray through the middle of the screen. */
export function sightOf(eye: Eye): Sight {
  const { x, y, z, yaw, pitch } = eye;
  const level = Math.cos(pitch);
  return { x, y, z, dx: -Math.sin(yaw) * level, dy: Math.sin(pitch), dz: -Math.cos(yaw) * level };
}

/** Turns by angles; the pitch stops short of straight up and down. */
export function turn(eye: Eye, left: number, up: number): Eye {
  const yaw = Math.atan2(Math.sin(eye.yaw + left), Math.cos(eye.yaw + left));
  return { ...eye, yaw, pitch: Math.max(-MAX_PITCH, Math.min(MAX_PITCH, eye.pitch + up)) };
}

/** MoveIntent is how the viewer is asked to move along each axis, in −1 … 1. */
export interface MoveIntent {
  forward: number;
  right: number;
  up: number;
  fast: boolean;
}

/** Flies for some seconds: forward is where one looks, up is up. */
export function fly(eye: Eye, intent: MoveIntent, seconds: number): Eye {
  const { dx, dy, dz } = sightOf(eye);
  const [rx, rz] = [Math.cos(eye.yaw), -Math.sin(eye.yaw)];
  let x = intent.forward * dx + intent.right * rx;
  let y = intent.forward * dy + intent.up;
  let z = intent.forward * dz + intent.right * rz;
  const length = Math.hypot(x, y, z);
  if (length === 0) return eye;
  const step = (SPEED * (intent.fast ? FAST : 1) * seconds * Math.min(length, 1)) / length;
  const within = (v: number) => Math.max(-LIMIT, Math.min(LIMIT, v));
  return { ...eye, x: within(eye.x + x * step), y: within(eye.y + y * step), z: within(eye.z + z * step) };
}

/** A view from a distance round a point: alpha goes round, beta is measured from straight above. */
export interface Orbit {
  x: number;
  y: number;
  z: number;
  alpha: number;
  beta: number;
  radius: number;
}

export const ORBIT = { alpha: 2.2, beta: 1.1, radius: 60, minRadius: 10, maxRadius: 120 } as const;

export function orbitRound(x: number, y: number, z: number): Orbit {
  return { x, y, z, alpha: ORBIT.alpha, beta: ORBIT.beta, radius: ORBIT.radius };
}

export function turnOrbit(orbit: Orbit, alpha: number, beta: number): Orbit {
  return { ...orbit, alpha: orbit.alpha + alpha, beta: Math.max(0.05, Math.min(Math.PI - 0.05, orbit.beta + beta)) };
}

export function zoomOrbit(orbit: Orbit, factor: number): Orbit {
  return { ...orbit, radius: Math.max(ORBIT.minRadius, Math.min(ORBIT.maxRadius, orbit.radius * factor)) };
}

/** The eye of an orbit, looking at its point. */
export function orbitEye(o: Orbit): Eye {
  const level = Math.sin(o.beta);
  return {
    x: o.x + o.radius * Math.cos(o.alpha) * level,
    y: o.y + o.radius * Math.cos(o.beta),
    z: o.z + o.radius * Math.sin(o.alpha) * level,
    yaw: Math.atan2(Math.cos(o.alpha), Math.sin(o.alpha)),
    pitch: o.beta - Math.PI / 2,
  };
}

/** The tool's sizes: radius in meters. */
export const SIZE = { min: 1.5, max: 8, step: 0.5, start: 3 } as const;

export function resize(radius: number, steps: number): number {
  return Math.max(SIZE.min, Math.min(SIZE.max, radius + steps * SIZE.step));
}
