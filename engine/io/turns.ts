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

  /**
   * Calls `work` with increasing numbers up to `count`, until it returns false; resolves to whether it never did.
   * Rejects, between two turns, as soon as the dataset cannot be written to any more.
   */
  each(count: number, work: (upTo: number) => boolean): Promise<boolean> {
    return this.#until(count, this.#atOnce, work);
  }

  /** Calls `work` with consecutive ranges of `[0, count)`, each of `size` but the last; rejects as above. */
  async steps(count: number, size: number, work: (from: number, to: number) => void): Promise<void> {
    let from = 0;
    await this.#until(count, size, (to) => {
      work(from, to);
      from = to;
      return true;
    });
  }

  /** Yields to others when it is time, as `Slicer.pause`; rejects as above. */
  pause(): Promise<void> | undefined {
    return this.#slicer.pause()?.then(() => this.#owner.checkWritable());
  }

  async #until(count: number, atOnce: number, work: (upTo: number) => boolean): Promise<boolean> {
    for (let done = 0; done < count; ) {
      done = Math.min(count, done + atOnce);
      if (!work(done)) return false;
      const pause = this.pause();
      if (pause) await pause;
    }
    return true;
  }

  /** Calls `work` with each item; rejects as above. */
  async over<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
    let next = 0;
    await this.each(items.length, (upTo) => {
      for (; next < upTo; next++) work(items[next] as T);
      return true;
    });
  }
}
