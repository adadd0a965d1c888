// How much of the edge's processor the copy may use: while the edge is busy with writes and reads it stands back, and catches
// up afterwards.

import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Above this share of the event loop in use the edge is busy. */
const BUSY = 0.8;
/** While it is, the copy rests for this many times what its last batch has used. */
const RESTS = 9;
const LONGEST_REST_MS = 2_000;

export class Pace {
  #cpu = performance.now();
  #before: EventLoopUtilization = performance.eventLoopUtilization();

  /** Call it before each batch: resolves at once where the edge has time. */
  async wait(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    const usedMs = performance.now() - this.#cpu;
    if (utilization > BUSY) {
      const restMs = Math.min(LONGEST_REST_MS, RESTS * usedMs);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#before = performance.eventLoopUtilization();
    this.#cpu = performance.now();
  }
}
