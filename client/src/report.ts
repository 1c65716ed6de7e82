// window.terrane: what the page knows about itself, for tests and for people who look into it.
import type { ChunkMesher } from './gpu/chunks';
import type { Input } from './input/input';
import type { EditTool } from './input/tool';
import type { Viewer } from './input/viewer';
import type { StartUp } from './startup';
import type { Loop } from './view/loop';
import type { People } from './view/people';
import type { Recovery } from './view/reopen';
import type { Stage } from './view/stage';
import type { Terrain } from './view/terrain';
import type { Eye, Hit, SessionState, Status } from './world/protocol';
import { MESHERS } from './world/protocol.gen';

export interface Terrane {
  /** Set once there is ground on the screen. */
  started: boolean;
  backend: 'webgpu' | 'webgl2';
  software: boolean;
  depth: { reversed: boolean; float: boolean; near: number };
  state: SessionState;
  world: string;
  hash: string;
  head: number;
  status: Status | null;
  loaded: number;
  waiting: number;
  triangles: number;
  vertices: number;
  pages: number;
  gpuBytes: number;
  edits: { acked: number; pending: number; refused: number };
  groupSwaps: number;
  editSwaps: number;
  /** How many chunks the last of them changed. */
  lastEditChunks: number;
  halfShown: number;
  frames: number;
  /** Milliseconds that our part of the latest frames took. */
  frameMs: number[];
  firstTerrainMs: number;
  /** When the picture with the first terrain was finished by the GPU. */
  firstTerrainDrawnMs: number;
  allLoadedMs: number;
  editToShownMs: number[];
  longestUploadMs: number;
  /** Tasks of ours over 16 ms since start-up. */
  longTasks: { what: string; ms: number; at: number }[];
  eye: Eye;
  aim: Hit | null;
  /** Chunks that the GPU has meshed, with ?builder=gpu. */
  gpuMeshed: number;
  captured: boolean;
  working: boolean;
  radius: number;
  orbit: boolean;
  wireframe: boolean;
  mesher: string;
  people: number;
  restored: number;
}

declare global {
  interface Window {
    terrane: Readonly<Terrane>;
  }
}

/** Parts are what a report is about. */
export interface Parts {
  readonly stage: Stage;
  readonly terrain: Terrain;
  readonly people: People;
  readonly viewer: Viewer;
  readonly tool: EditTool;
  readonly input: Input;
  readonly loop: Loop;
  readonly recovery: Recovery;
  readonly startUp: StartUp;
  readonly chunkMesher: ChunkMesher | null;
  readonly status: Status | null;
  readonly hit: Hit | null;
}

/** Returns an object that looks everything up when it is asked. */
export function report(p: Parts): Terrane {
  const look: { [K in keyof Terrane]: () => Terrane[K] } = {
    started: () => p.loop.clock.started,
    backend: () => p.stage.backend,
    software: () => p.stage.software,
    depth: () => p.stage.depth(),
    state: () => p.status?.state ?? 'offline',
    world: () => p.status?.world ?? '',
    hash: () => p.status?.hash ?? '',
    head: () => p.status?.head ?? 0,
    status: () => p.status,
    loaded: () => p.status?.loaded ?? 0,
    waiting: () => (p.status?.waiting ?? 0) + p.terrain.waiting,
    triangles: () => p.terrain.triangles,
    vertices: () => p.terrain.vertices,
    pages: () => p.terrain.pageCount,
    gpuBytes: () => p.terrain.bytes,
    edits: () => ({ acked: p.status?.acked ?? 0, pending: p.status?.pending ?? 0, refused: p.status?.refused ?? 0 }),
    groupSwaps: () => p.terrain.swaps,
    editSwaps: () => p.terrain.editSwaps,
    lastEditChunks: () => p.terrain.lastEditChunks,
    halfShown: () => p.terrain.halfShown,
    frames: () => p.loop.clock.frames,
    frameMs: () => p.loop.clock.frameMs,
    firstTerrainMs: () => p.startUp.firstTerrainMs,
    firstTerrainDrawnMs: () => p.startUp.firstTerrainDrawnMs,
    allLoadedMs: () => p.startUp.allLoadedMs,
    editToShownMs: () => p.tool.shownMs,
    longestUploadMs: () => p.terrain.longestUploadMs,
    longTasks: () => p.loop.clock.longTasks,
    eye: () => p.viewer.eye,
    aim: () => p.hit,
    gpuMeshed: () => p.chunkMesher?.meshed ?? 0,
    captured: () => p.input.captured,
    working: () => p.tool.working,
    radius: () => p.tool.radius,
    orbit: () => p.viewer.orbiting,
    wireframe: () => p.terrain.wireframe,
    mesher: () => (p.status && MESHERS[p.status.mesher]) ?? '',
    people: () => p.people.count,
    restored: () => p.recovery.restored,
  };
  const report = {};
  for (const [name, get] of Object.entries(look)) Object.defineProperty(report, name, { get, enumerable: true });
  return report as Terrane;
}
