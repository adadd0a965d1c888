// Notices jumps of the wall clock against the monotonic one: purge by age waits until it has been steady (D9). At a start,
// stored points may contradict the clock: then purge of system tags, which follows the clock alone, waits as well.

import type { Clock } from './clock.ts';

const JUMP_MS = 60_000;
const STEADY_MS = 3_600_000;

export class ClockWatch {
  readonly #clock: Clock;
  #offsetMs: number;
  #jumpedAtMs = Number.NEGATIVE_INFINITY;
  #distrustedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  /** Compares both clocks; returns by how many ms the wall clock has jumped since the last call, if more than a minute. */
  look(): number | undefined {
    const offsetMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const movedMs = offsetMs - this.#offsetMs;
    if (Math.abs(movedMs) <= JUMP_MS) return undefined;
    this.#offsetMs = offsetMs;
    this.#jumpedAtMs = this.#clock.monotonicMs();
    return movedMs;
  }

  /** Stored points contradict the wall clock: it is trusted again after an hour. */
  distrust(): void {
    this.#distrustedAtMs = this.#clock.monotonicMs();
  }

  /** Whether the wall clock has not jumped for an hour; includes jumps since the last `look`. */
  get steady(): boolean {
    const monotonicMs = this.#clock.monotonicMs();
    const movedMs = this.#clock.nowMs() - monotonicMs - this.#offsetMs;
    return Math.abs(movedMs) <= JUMP_MS && monotonicMs - this.#jumpedAtMs >= STEADY_MS;
  }

  /** Whether it is steady, and stored points have not contradicted it within the last hour. */
  get trusted(): boolean {
    return this.steady && this.#clock.monotonicMs() - this.#distrustedAtMs >= STEADY_MS;
  }
}
