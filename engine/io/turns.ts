// Processes very many items, some in each turn of the event loop (D17).

import { Slicer } from '../io/slicer.ts';
import type { Clock } from './clock.ts';

/** Items between two looks at the clock. */
const AT_ONCE = 32;

/** The owner of the work: its `checkWritable` throws as soon as the work is to be aborted. */
export interface TurnTaker {
  readonly context: { readonly clock: Clock; readonly tunables: { readonly sliceMs: number } };
  checkWritable(): void;
}

export class Turns {
  readonly #owner: TurnTaker;
  readonly #slicer: Slicer;
  readonly #atOnce: number;

  /** `atOnce`: items between two looks at the clock. */
  constructor(owner: TurnTaker, atOnce: number = AT_ONCE) {
    this.#owner = owner;
    this.#atOnce = atOnce;
    this.#slicer = new Slicer(owner.context);
  }

  /** Calls `work` with each item. Rejects, between two turns, as soon as the dataset cannot be written to any more. */
  async over<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
    let left = this.#atOnce;
    for (const item of items) {
      work(item);
      if (--left > 0) continue;
      left = this.#atOnce;
      const pause = this.#slicer.pause();
      if (pause === undefined) continue;
      await pause;
      this.#owner.checkWritable();
    }
  }
}
