// Divides long work on the main thread into slices (D17).

import type { Clock } from './clock.ts';
import { isTurnOver, nextTurn } from './loop-turns.ts';

export class Slicer {
  readonly #clock: Clock;
  readonly #sliceMs: number;

  constructor({ clock, tunables }: { clock: Clock; tunables: { sliceMs: number } }) {
    this.#clock = clock;
    this.#sliceMs = tunables.sliceMs;
  }

  /** Yields to others when long work has used its share of this turn; undefined while it has not. */
  pause(): Promise<void> | undefined {
    return isTurnOver(this.#clock.monotonicMs(), this.#sliceMs) ? nextTurn() : undefined;
  }
}
