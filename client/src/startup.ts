// The start of the page, up to the ground being whole: how far it has come, and what the cover shows meanwhile.
import type { Hud } from './view/hud';
import type { Loop } from './view/loop';
import type { People } from './view/people';
import type { Stage } from './view/stage';
import type { Status } from './world/protocol';

export class StartUp {
  /** Milliseconds at which the first ground was handed to the renderer, was drawn, and all of it was there; 0 before. */
  firstTerrainMs = 0;
  firstTerrainDrawnMs = 0;
  allLoadedMs = 0;

  /** chosen: the address names the renderer. */
  constructor(
    private readonly stage: Stage, private readonly loop: Loop, private readonly hud: Hud, private readonly people: People,
    private readonly chosen: boolean,
  ) {}

  /** Notes the first picture with ground, once the GPU has drawn it, and makes what was not needed for it. */
  firstTerrain(): void {
    this.firstTerrainMs = performance.now();
    this.hud.show();
    const { backend, reason } = this.stage.drawsWith;
    if (backend === 'webgl2' && !this.chosen) this.hud.notice(`Drawn with WebGL2 in place of WebGPU: ${reason}.`);
    const drawn = () => {
      this.firstTerrainDrawnMs = performance.now();
      return this.warm();
    };
    this.stage.finished().then(drawn, drawn); // it fails if the GPU is lost meanwhile
  }

  /** Makes the shaders of what is not needed for the first picture. That ends the start-up. */
  private async warm(): Promise<void> {
    await this.stage.warm(this.people.sample());
    this.loop.redraw();
    this.loop.clock.started = true;
    performance.mark('started');
  }

  /** Shows how far loading has come, until the ground is whole. */
  cover(s: Status | null): void {
    if (!s || s.state !== 'live') {
      this.hud.cover(s?.message || (s?.state === 'loading' ? 'Loading the world…' : 'Connecting…'), null, false);
      return;
    }
    const all = s.loaded + s.waiting;
    this.hud.cover(`Loading terrain ${s.loaded}/${all}`, all > 0 ? s.loaded / all : null, this.firstTerrainMs > 0);
    if (this.firstTerrainMs > 0 && all > 0 && s.waiting === 0) {
      if (this.allLoadedMs === 0) this.allLoadedMs = performance.now();
      this.hud.uncover();
    }
  }
}
