// A clock that a test turns by hand.

import type { Clock } from '../../engine/io/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  /** In the order they were set. */
  readonly #timers = new Set<Timer>();

  /** Starts at a wall time, by default 2026-01-01 UTC. */
  constructor(wallMs = Date.UTC(2026, 0, 1)) {
    this.#wallMs = wallMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  /** Moves both clocks on and calls the timers that come due, each at its time, also those set on the way. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    for (let timer = this.#nextDue(endMs); timer !== undefined; timer = this.#nextDue(endMs)) {
      this.#timers.delete(timer);
      this.#moveTo(Math.max(timer.dueMs, this.#monotonicMs));
      timer.callback();
    }
    this.#moveTo(endMs);
  }

  /** Sets the wall clock, as an administrator or a time server would; no timer cares. */
  setWall(wallMs: number): void {
    this.#wallMs = wallMs;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #nextDue(limitMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= limitMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
