// The picture of the demos: a renderer, light, and a camera that goes round a point by mouse, touch and keyboard.
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { ACESFilmicToneMapping, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGPURenderer } from 'three/webgpu';
import { color, mix, normalWorldGeometry, smoothstep } from 'three/tsl';

const FIELD_OF_VIEW = 45;
/** Radians that an arrow key turns, and the part by which + and − zoom. */
const KEY_TURN = 0.08;
const KEY_ZOOM = 0.92;

export interface Backend {
  /** The GPU that computes as well; without it WebGL2 draws. */
  device: GPUDevice | null;
  software: boolean;
}

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.5, 4000);
  private readonly controls: OrbitControls;
  private readonly listeners = new AbortController();
  /** Something was moved or resized: the picture is old. */
  stale = true;

  private constructor(readonly renderer: WebGPURenderer, private readonly parent: HTMLElement, private readonly software: boolean, distance: number) {
    // A sky that is dark above and glows where it meets the ground below.
    const up = normalWorldGeometry.y;
    this.scene.backgroundNode = mix(color(0x4a2560), color(0x0e0524), smoothstep(-0.3, 0.35, up));
    this.scene.background = new Color(0x2a1150);
    const sun = new DirectionalLight(0xffd8a8, 3.4);
    sun.position.set(-0.5, 0.75, 0.55);
    const rim = new DirectionalLight(0x8b7bff, 0.8);
    rim.position.set(0.7, -0.2, -0.6);
    this.scene.add(sun, rim, new HemisphereLight(0xd9ccff, 0x4a2440, 1.6));
    this.controls = new OrbitControls(this.camera, renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.enablePan = false;
    this.controls.minDistance = distance / 6;
    this.controls.maxDistance = distance * 4;
    this.controls.addEventListener('change', () => (this.stale = true));
    this.camera.position.set(0.62, 0.36, 0.7).normalize().multiplyScalar(distance);
    this.controls.update();
    const { signal } = this.listeners;
    addEventListener('resize', () => this.resize(), { signal });
    addEventListener('keydown', (e) => this.key(e), { signal });
    this.resize();
  }

  /** Opens a picture that looks at the origin from a distance. It throws if the browser does not give what it promised. */
  static async open(parent: HTMLElement, { device, software }: Backend, distance: number): Promise<View> {
    const renderer = new WebGPURenderer({ antialias: !software, forceWebGL: !device, ...(device ? { device } : {}) });
    await renderer.init();
    const isWebGPU = (renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend === true;
    if (isWebGPU !== (device !== null)) {
      renderer.dispose();
      throw new Error('the renderer did not take the backend that was asked for');
    }
    renderer.toneMapping = ACESFilmicToneMapping;
    parent.prepend(renderer.domElement);
    return new View(renderer, parent, software, distance);
  }

  /** Turns the camera round its point. */
  turn(left: number, up: number): void {
    const from = this.camera.position.clone().sub(this.controls.target);
    const axis = new Vector3().crossVectors(from, this.camera.up).normalize();
    const tilted = from.clone().applyAxisAngle(axis, -up);
    if (Math.abs(tilted.clone().normalize().y) < 0.98) from.copy(tilted);
    from.applyAxisAngle(this.camera.up, left);
    this.camera.position.copy(this.controls.target).add(from);
    this.controls.update();
    this.stale = true;
  }

  zoom(factor: number): void {
    const from = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    from.clampLength(this.controls.minDistance, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(from);
    this.controls.update();
    this.stale = true;
  }

  render(): void {
    this.stale = false;
    this.renderer.render(this.scene, this.camera);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement) return;
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-KEY_TURN, 0], ArrowRight: [KEY_TURN, 0], ArrowUp: [0, KEY_TURN], ArrowDown: [0, -KEY_TURN],
    };
    const turn = turns[e.key];
    if (turn) {
      e.preventDefault();
      this.turn(...turn);
    } else if (e.key === '+' || e.key === '=') this.zoom(KEY_ZOOM);
    else if (e.key === '-') this.zoom(1 / KEY_ZOOM);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // On upright screens what matters is how far one sees to the sides.
    this.camera.fov = FIELD_OF_VIEW * (width < height ? Math.min(height / width, 2) : 1);
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }

  dispose(): void {
    this.listeners.abort();
    this.controls.dispose();
    this.renderer.domElement.remove();
    this.renderer.dispose();
  }
}
