// Opens a stage, and opens it again after the graphics card was lost.
import { probe, type Backend, type Graphics } from './probe';
import type { Stage } from './stage';

/** How often a lost graphics card is asked for again. */
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

/**
 * Gives a stage that has lost the graphics card for the nth time a new renderer, and reports whether it could.
 * WebGL2 takes over if WebGPU is lost again and again.
 */
export async function reopenStage(stage: Stage, renderer: Backend | null, losses: number): Promise<boolean> {
  for (let i = 0; i < TRIES; i++) {
    await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** i));
    const graphics = await probe(i < 2 && losses < 3 ? renderer : 'webgl2');
    if ('missing' in graphics) continue;
    try {
      await stage.open(graphics);
      return true;
    } catch (error) {
      console.warn('the renderer could not be made again', error);
    }
  }
  return false;
}
