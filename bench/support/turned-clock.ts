// A clock for simulated time: the wall clock is turned by hand, the monotonic one is both, so that work is still cut
// into slices of real time.

import type { Clock } from '../../engine/io/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

export class TurnedClock implements Clock {
  readonly #startMs: number;
  readonly #timers = new Set<Timer>();
  #turnedMs = 0;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#turnedMs;
  }

  monotonicMs(): number {
    return this.#turnedMs + performance.now();
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#turnedMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Turns the clock on; timers that come due are called once, as after a pause. */
  advance(ms: number): void {
    this.#turnedMs += ms;
    for (const timer of [...this.#timers]) {
      if (timer.dueMs > this.#turnedMs) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
