// Goes over very many things, some in each turn of the event loop (D17).

import { Slicer } from '../io/slicer.ts';
import type { Clock } from './clock.ts';

/** Between two looks at the clock. */
const AT_ONCE = 32;

/** Whose work takes turns: `checkWritable` throws as soon as there is no use in going on. */
export interface TurnTaker {
  readonly context: { readonly clock: Clock; readonly tunables: { readonly sliceMs: number } };
  checkWritable(): void;
}

export class Turns {
  readonly #owner: TurnTaker;
  readonly #slicer: Slicer;
  readonly #atOnce: number;

  /** `atOnce`: things between two looks at the clock. */
  constructor(owner: TurnTaker, atOnce: number = AT_ONCE) {
    this.#owner = owner;
    this.#atOnce = atOnce;
    this.#slicer = new Slicer(owner.context);
  }

  /**
   * Calls `work` with ever larger numbers up to `count`, until it says false; whether it never did.
   * Rejects, between two turns, as soon as nothing can be written to the dataset any more.
   */
  each(count: number, work: (upTo: number) => boolean): Promise<boolean> {
    return this.#until(count, this.#atOnce, work);
  }

  /** Calls `work` with one stretch of `[0, count)` after the other, `size` long but for the last; rejects as above. */
  async steps(count: number, size: number, work: (from: number, to: number) => void): Promise<void> {
    let from = 0;
    await this.#until(count, size, (to) => {
      work(from, to);
      from = to;
      return true;
    });
  }

  /** Lets others have a turn when it is time, as `Slicer.pause`; rejects as above. */
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

  /** Calls `work` with one after the other; rejects as above. */
  async over<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
    let next = 0;
    await this.each(items.length, (upTo) => {
      for (; next < upTo; next++) work(items[next] as T);
      return true;
    });
  }
}
