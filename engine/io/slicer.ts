// Divides long work on the main thread into slices (D17). All long work of the process shares the event loop: together it
// uses one slice of time in each turn, however many workers there are, and then everything else that waits runs. A turn
// begins with the first look at the clock and ends when the loop has come round. When there are requests, a slice is as long
// as they took since the one before, so that each waits little, and long work still has half of the time.

import type { Clock } from './clock.ts';

/** Share of the longest slice that each slice has at least. */
const LEAST_SHARE = 0.25;

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

let startedMs: number | undefined;
/** Long work was last seen then. */
let lastMs = Number.NEGATIVE_INFINITY;
/** What it may use of this turn. */
let shareMs = 0;
let isEnding = false;
const waiting: (() => void)[] = [];
let ending: (() => void)[] = [];

/** Whether all long work together has used its share of the current turn of the loop, at most `limitMs`. */
export function isTurnOver(nowMs: number, limitMs: number): boolean {
  if (startedMs === undefined) {
    startedMs = nowMs;
    shareMs = Math.min(limitMs, Math.max(limitMs * LEAST_SHARE, nowMs - lastMs));
    scheduleEnd();
  }
  lastMs = nowMs;
  return nowMs - startedMs >= shareMs;
}

/** Resolves in a later turn; one waiter continues in each turn, in order of arrival. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    scheduleEnd();
  });
}

/**
 * Calls back at the end of this turn, when all requests that came in it have been taken, and before long work goes on: what
 * the callback hands over to another thread is done beside that work. It must not throw.
 */
export function atEndOfTurn(callback: () => void): void {
  ending.push(callback);
  scheduleEnd();
}

function scheduleEnd(): void {
  if (isEnding) return;
  isEnding = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isEnding = false;
  startedMs = undefined;
  const ended = ending;
  ending = [];
  for (const callback of ended) callback();
  const resume = waiting.shift();
  if (resume === undefined) return;
  scheduleEnd();
  resume();
}
