// Notices when the wall clock moves against the monotonic one: age purge waits until it has been steady (D9).
// At a start what is stored may speak against it: what goes by the clock alone, which are system tags, waits then, too.

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

  /** Looks at both clocks; returns by how many ms the wall clock has jumped since, when by more than a minute. */
  look(): number | undefined {
    const offsetMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const movedMs = offsetMs - this.#offsetMs;
    if (Math.abs(movedMs) <= JUMP_MS) return undefined;
    this.#offsetMs = offsetMs;
    this.#jumpedAtMs = this.#clock.monotonicMs();
    return movedMs;
  }

  /** What is stored speaks against the wall clock: it is to be believed only an hour from now. */
  distrust(): void {
    this.#distrustedAtMs = this.#clock.monotonicMs();
  }

  /** Whether the wall clock has not jumped for an hour; a jump that nobody has looked at yet counts, too. */
  get steady(): boolean {
    const monotonicMs = this.#clock.monotonicMs();
    const movedMs = this.#clock.nowMs() - monotonicMs - this.#offsetMs;
    return Math.abs(movedMs) <= JUMP_MS && monotonicMs - this.#jumpedAtMs >= STEADY_MS;
  }

  /** Whether it is steady, and nothing spoke against it when the server started an hour ago or later. */
  get trusted(): boolean {
    return this.steady && this.#clock.monotonicMs() - this.#distrustedAtMs >= STEADY_MS;
  }
}
