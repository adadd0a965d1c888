// An engine on a disk in memory that is ended cleanly or killed, and opened again over what it has left.

import type { Engine, EngineTunables } from '../../engine/index.ts';
import { ManualClock } from './manual-clock.ts';
import type { MemoryVfs } from './memory-vfs.ts';
import { SeededRandom } from './seeded-random.ts';
import { makeDisk, openTestEngine } from './test-engine.ts';

export class KillablePlant {
  /** Another one after a kill: what the dead process waits for never comes. */
  clock: ManualClock;
  readonly #tunables: Partial<EngineTunables>;
  #vfs = makeDisk({});
  #engine: Engine | undefined;

  constructor(nowMs: number, tunables: Partial<EngineTunables>) {
    this.clock = new ManualClock(nowMs);
    this.#tunables = tunables;
  }

  get vfs(): MemoryVfs {
    return this.#vfs;
  }

  async open(): Promise<Engine> {
    const random = new SeededRandom(1);
    this.#engine = await openTestEngine({ vfs: this.#vfs, clock: this.clock, random, tunables: this.#tunables });
    return this.#engine;
  }

  async reopen(): Promise<Engine> {
    await this.#engine?.close();
    return this.open();
  }

  /** The process is gone from one moment to the next. */
  async kill(): Promise<Engine> {
    const killed = this.#vfs;
    this.#vfs = killed.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(2) });
    killed.halt();
    this.clock = new ManualClock(this.clock.nowMs());
    return this.open();
  }
}
