// Cuts long work on the main thread into slices (rule 7).

import type { Clock } from '../io/clock.ts';

export class Slicer {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  #startedMs: number;

  constructor({ clock, tunables }: { clock: Clock; tunables: { sliceMs: number } }) {
    this.#clock = clock;
    this.#sliceMs = tunables.sliceMs;
    this.#startedMs = clock.monotonicMs();
  }

  /** Lets others have a turn when this slice has taken long enough; undefined when it has not. */
  pause(): Promise<void> | undefined {
    if (this.#clock.monotonicMs() - this.#startedMs < this.#sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#startedMs = this.#clock.monotonicMs();
        resolve();
      });
    });
  }
}
