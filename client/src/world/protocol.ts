// The messages between the page and the workers. Buffers are transferred, never copied. Places are meters
// from the world's origin as float64, angles radians: yaw 0 looks along −z and turns left as it grows, pitch
// looks up as it grows. Numbers and names that Go knows as well are in protocol.gen.ts.
import type { ToolField, HEIGHTMAPS, HitField, MESHERS, OPERATIONS, SHAPES, StatusField } from './protocol.gen';

export type Mesher = (typeof MESHERS)[number];
export type Operation = keyof typeof OPERATIONS;
export type Shape = keyof typeof SHAPES;
export type Heightmap = (typeof HEIGHTMAPS)[number];

/** T, which must have exactly the members N: the names that Go and TypeScript share. */
export type Named<N extends string, T extends Record<N, unknown> & Record<Exclude<keyof T, N>, never>> = T;

export interface Eye {
  x: number;
  y: number;
  z: number;
  yaw: number;
  pitch: number;
}

/** Sight is a ray from an eye through the middle of the screen. */
export interface Sight {
  x: number;
  y: number;
  z: number;
  dx: number;
  dy: number;
  dz: number;
}

export interface StartSession {
  type: 'start';
  module: WebAssembly.Module;
  builders: MessagePort[];
  /** The server, as http://host:port. */
  server: string;
  name: string;
  mesher: number;
  /** In chunks; 0 takes what the server suggests. */
  radius: number;
}

/** A message from the page to the session worker. */
export type ToSession =
  | StartSession
  | { type: 'view'; eye: Eye; sight: Sight }
  | { type: 'strike'; id: number; tool: Tool; sight: Sight }
  | { type: 'mesher'; mesher: number }
  | { type: 'radius'; radius: number }
  | { type: 'ground'; x: number; z: number }
  | { type: 'shown'; group: number };

/**
 * Tool is what an edit does, with which shape: numbers of OPERATIONS and SHAPES, meters, a number in the palette.
 * radius is the tool's size: half the side of a box. A joined stroke goes on from the strike before.
 */
export type Tool = Named<ToolField, {
  operation: number;
  shape: number;
  radius: number;
  smooth: number;
  material: number;
  joined: boolean;
}>;

/** Hit is where a sight meets the ground: its place, the normal there and the distance, in meters. */
export type Hit = Named<HitField, {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  distance: number;
}>;

/** ChunkID is a chunk's number on each axis at a level. */
export interface ChunkID {
  x: number;
  y: number;
  z: number;
  level: number;
}

export interface ChunkResult extends ChunkID {
  version: number;
  /** What builder.Build returned (see mesh.ts); null if there is nothing to draw. */
  mesh: ArrayBuffer | null;
}

/** Group is changes that belong into one frame. */
export interface Group {
  id: number;
  edit: boolean;
  results: ChunkResult[];
  drops: ChunkID[];
}

export interface Person {
  id: number;
  name: string;
  x: number;
  y: number;
  z: number;
  yaw: number;
  pitch: number;
}

export type SessionState = 'offline' | 'connecting' | 'loading' | 'live' | 'reconnecting' | 'refused';

export type Status = Named<StatusField, {
  state: SessionState;
  message: string;
  retryMs: number;
  /** 32 hexadecimal digits that name the world, all 0 before it is known. */
  world: string;
  name: string;
  head: number;
  /** 16 hexadecimal digits. */
  hash: string;
  regions: number;
  syncing: number;
  loaded: number;
  waiting: number;
  building: number;
  unshown: number;
  pending: number;
  acked: number;
  refused: number;
  mesher: number;
  radius: number;
  people: number;
}>;

/**
 * A message from the session worker to the page. A palette has four bytes a material: red, green and blue in sRGB,
 * roughness; it comes before the first group, and is empty for a world without materials.
 */
export type FromSession =
  | { type: 'palette'; palette: Uint8Array }
  | { type: 'group'; group: Group }
  | { type: 'aim'; hit: Hit | null }
  | { type: 'edited'; id: number; counter: number; refusal: string }
  | { type: 'people'; moved: Person[]; gone: number[] }
  | { type: 'status'; status: Status }
  | { type: 'ground'; x: number; z: number; y: number | null }
  | { type: 'failed'; reason: string };

/** StartBuilder is the message from the page to a builder worker. */
export interface StartBuilder {
  type: 'start';
  module: WebAssembly.Module;
  port: MessagePort;
  /** Whether results of marching cubes hold samples, for the page to mesh. */
  samples: boolean;
}

/** A message from a builder worker to the page. */
export type FromBuilder = { type: 'failed'; reason: string };

/** A message to a builder worker through its port, from the session worker, or from the page for a view without a world. */
export type ToBuilder =
  | { type: 'init'; graph: Uint8Array; assets: Record<string, Uint8Array> }
  | { type: 'job'; ticket: number; job: ArrayBuffer }
  | { type: 'heights'; heightmap: number };

/** An answer through that port. */
export type FromBuilderPort =
  | { type: 'built'; ticket: number; result: ArrayBuffer }
  | { type: 'buildFailed'; ticket: number; reason: string }
  | { type: 'heights'; view: ArrayBuffer };
