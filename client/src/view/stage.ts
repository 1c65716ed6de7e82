// The stage: renderer, camera, sky, light and the translucent ball of the tool. When the GPU is lost,
// everything but the renderer is kept and a new renderer takes over.
import {
  Color, DirectionalLight, Group, HemisphereLight, Mesh, MeshBasicNodeMaterial, PerspectiveCamera, Scene, SphereGeometry, WebGPURenderer,
  type Object3D,
} from 'three/webgpu';
import { color, fog, positionView, smoothstep, uniform } from 'three/tsl';
import type { Backend, Graphics } from './probe';
import type { Eye, Hit } from '../world/protocol';
import { CHUNK_METERS } from '../world/protocol.gen';

const SKY = 0x2a1150;
/** Meters. With reversed depth in floats the near plane costs nothing; without it precision is bought with it. */
const NEAR = 0.1;
const NEAR_WITHOUT_REVERSED_DEPTH = 0.5;
const FIELD_OF_VIEW = 70;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, 2000);
  /** What stands in the world, relative to the floating origin. */
  readonly world = new Group();
  readonly ball: Mesh;
  /** The ball is shown once its shaders are made. */
  private ballReady = false;
  /** Meters over which the ground fades into the sky, so that one does not see where it ends. */
  private readonly fadeFrom = uniform(1);
  private readonly fadeTo = uniform(2);
  private renderer!: WebGPURenderer;
  private graphics!: Graphics;

  constructor(private readonly parent: HTMLElement, private readonly high: boolean, private readonly lost: (reason: string) => void) {
    this.scene.background = new Color(SKY);
    this.scene.fogNode = fog(color(SKY), smoothstep(this.fadeFrom, this.fadeTo, positionView.length()));
    // The intensities are for light that is not divided by π, as three's is.
    const sun = new DirectionalLight(0xffd8a8, 1.1 * Math.PI);
    sun.position.set(-0.5, 0.65, 0.55);
    this.scene.add(sun, new HemisphereLight(0xc4b5fd, 0x3b1676, 0.6 * Math.PI), this.world);
    const material = new MeshBasicNodeMaterial({ color: 0xf97316, transparent: true, opacity: 0.3, depthWrite: false });
    this.ball = new Mesh(new SphereGeometry(1, 56, 36), material);
    this.ball.visible = false;
    this.ball.renderOrder = 1;
    this.scene.add(this.ball);
  }

  get backend(): Backend {
    return this.graphics.backend;
  }

  get drawsWith(): Graphics {
    return this.graphics;
  }

  get software(): boolean {
    return this.graphics.software;
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Makes a renderer. It throws if the browser does not give what the probe promised. */
  async open(graphics: Graphics): Promise<void> {
    const renderer = new WebGPURenderer({
      antialias: this.high,
      reversedDepthBuffer: true,
      powerPreference: 'high-performance',
      forceWebGL: graphics.backend === 'webgl2',
      ...(graphics.device ? { device: graphics.device } : {}),
    });
    const lost = (info: { message: string }) => {
      if (this.renderer === renderer) this.lost(info.message || 'the GPU was reset');
    };
    renderer.onDeviceLost = lost;
    await renderer.init();
    const isWebGPU = (renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend === true;
    if (isWebGPU !== (graphics.backend === 'webgpu')) {
      renderer.dispose();
      throw new Error('the renderer did not take the backend that was asked for');
    }
    // Chrome says "destroyed", which three takes for our own doing, when the process of the GPU has died.
    void graphics.device?.lost.then((info) => info.reason === 'destroyed' && lost(info));
    const old = this.renderer as WebGPURenderer | undefined;
    this.renderer = renderer;
    this.graphics = graphics;
    old?.domElement.remove();
    this.parent.prepend(renderer.domElement);
    this.camera.near = renderer.reversedDepthBuffer ? NEAR : NEAR_WITHOUT_REVERSED_DEPTH;
    this.resize();
  }

  /** Makes the shaders of what is in the scene. */
  async compile(): Promise<void> {
    await this.renderer.compileAsync(this.scene, this.camera);
  }

  /** Makes the shaders of what comes into the scene later, the ball among it. */
  async warm(coming: Object3D): Promise<void> {
    const samples = new Group().add(new Mesh(this.ball.geometry, this.ball.material), coming);
    samples.traverse((sample) => (sample.frustumCulled = false)); // what is out of sight or hidden is left out
    await this.renderer.compileAsync(samples, this.camera, this.scene);
    this.ballReady = true;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.high ? Math.min(devicePixelRatio, 2) : 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  setViewRadius(chunks: number): void {
    // The viewer may stand at a corner of the middle chunk: then the ground ends a chunk nearer on one side.
    const end = Math.max(chunks - 1, 1.5) * CHUNK_METERS;
    this.fadeFrom.value = end * 0.5;
    this.fadeTo.value = end;
    this.camera.far = end * 2 + 500;
    this.camera.updateProjectionMatrix();
  }

  look(eye: Eye, origin: { x: number; y: number; z: number }): void {
    this.camera.position.set(eye.x - origin.x, eye.y - origin.y, eye.z - origin.z);
    this.camera.rotation.set(eye.pitch, eye.yaw, 0, 'YXZ');
  }

  aim(hit: Hit | null, radius: number, origin: { x: number; y: number; z: number }): void {
    this.ball.visible = hit !== null && this.ballReady;
    if (!hit) return;
    this.ball.position.set(hit.x - origin.x, hit.y - origin.y, hit.z - origin.z);
    this.ball.scale.setScalar(radius);
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** Resolves when the GPU has drawn what it was given. */
  async finished(): Promise<void> {
    if (this.graphics.device) {
      await this.graphics.device.queue.onSubmittedWorkDone();
      return;
    }
    const gl = this.canvas.getContext('webgl2');
    const sync = gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!gl || !sync) return;
    gl.flush();
    while (gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.UNSIGNALED) await new Promise((resolve) => setTimeout(resolve, 4));
    gl.deleteSync(sync);
  }

  /** How depth is kept, for the tests: reversed and in floats, or else with the near plane moved away. */
  depth(): { reversed: boolean; float: boolean; near: number } {
    const { reversedDepthBuffer: reversed } = this.renderer;
    return { reversed, float: reversed && this.camera.reversedDepth, near: this.camera.near };
  }
}
