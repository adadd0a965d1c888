// How much of the edge's processor its copies may use: while the edge is busy with writes and reads they stand back, and catch
// up afterwards.

import { performance } from 'node:perf_hooks';
import { sleep } from './sleep.ts';

/** Batches that have used less are sent as they are. */
const SHORT_MS = 20;
/** A look at how much of the event loop others use, while the copy does nothing. */
const LOOK_MS = 25;
/** Below this share in use the edge has time. */
const BUSY = 0.3;
/** A copy rests for this many times what its last batch has used when others use all of the event loop. */
const RESTS = 19;
const LONGEST_REST_MS = 8_000;

/** The rests of all copies of one edge, one behind the other: many datasets are not to take more of it than one. */
export class Rests {
  #endMs = 0;

  /** Takes a rest behind those that are taken; returns the ms until it is over. */
  take(restMs: number): number {
    const nowMs = performance.now();
    this.#endMs = Math.min(nowMs + LONGEST_REST_MS, Math.max(nowMs, this.#endMs) + restMs);
    return this.#endMs - nowMs;
  }
}

export class Pace {
  readonly #rests: Rests;
  readonly #stopped: AbortSignal;
  #sinceMs = performance.now();

  /** `stopped` ends a rest, and no other is taken. */
  constructor(rests: Rests, stopped: AbortSignal) {
    this.#rests = rests;
    this.#stopped = stopped;
  }

  /** Call it when work begins after a time of waiting. */
  begin(): void {
    this.#sinceMs = performance.now();
  }

  /** Call it before each batch, once it is made: resolves soon where the edge has time. */
  async wait(): Promise<void> {
    const usedMs = performance.now() - this.#sinceMs;
    if (usedMs >= SHORT_MS) {
      const before = performance.eventLoopUtilization();
      await sleep(LOOK_MS, this.#stopped);
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization > BUSY) await sleep(this.#rests.take(RESTS * utilization * usedMs), this.#stopped);
    }
    this.#sinceMs = performance.now();
  }
}
