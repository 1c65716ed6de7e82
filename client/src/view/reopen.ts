// Opens a stage, and opens it again after the GPU was lost.
import { fatal, type Hud } from './hud';
import type { Loop } from './loop';
import { probe, type Backend, type Graphics } from './probe';
import type { Stage } from './stage';

/** How often a lost GPU is asked for again. */
const TRIES = 5;

/** Opens a stage, with WebGL2 if WebGPU promised more than it holds. */
export async function openStage(stage: Stage, graphics: Graphics): Promise<void> {
  try {
    await stage.open(graphics);
  } catch (error) {
    if (graphics.backend !== 'webgpu') throw error;
    const second = await probe('webgl2');
    if ('missing' in second) throw error;
    await stage.open({ ...second, reason: String(error) });
  }
}

/** Recovery stops the frames when the GPU is lost, and goes on with a new renderer. */
export class Recovery {
  restored = 0;
  private losses = 0;

  /** advice is shown if the GPU cannot be had again. */
  constructor(
    private readonly stage: Stage, private readonly loop: Loop, private readonly hud: Hud,
    private readonly renderer: Backend | null, private readonly advice: string,
  ) {}

  async recover(reason: string): Promise<void> {
    if (!this.loop.drawing) return;
    this.loop.drawing = false;
    this.losses++;
    this.hud.notice('The GPU was lost. Trying to get it back…');
    if (!(await this.reopen())) {
      fatal('The GPU was lost', [reason], this.advice);
      return;
    }
    this.restored++;
    this.loop.drawing = true;
    this.loop.redraw();
  }

  /** Gives the stage a new renderer, and reports whether it could. WebGL2 takes over if WebGPU is lost again and again. */
  private async reopen(): Promise<boolean> {
    for (let i = 0; i < TRIES; i++) {
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** i));
      const graphics = await probe(i < 2 && this.losses < 3 ? this.renderer : 'webgl2');
      if ('missing' in graphics) continue;
      try {
        await this.stage.open(graphics);
        return true;
      } catch (error) {
        console.warn('the renderer could not be made again', error);
      }
    }
    return false;
  }
}
