// Divides long work on the main thread into slices (D17). All long work of the process shares the event loop: together it
// uses one slice of time in each turn, however many workers there are, and then everything else that waits runs. A turn
// begins with the first look at the clock and ends when the loop has come round.

import type { Clock } from './clock.ts';

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
let isEnding = false;
const waiting: (() => void)[] = [];

/** Whether all long work together has used `limitMs` in the current turn of the loop. */
export function isTurnOver(nowMs: number, limitMs: number): boolean {
  if (startedMs === undefined) {
    startedMs = nowMs;
    scheduleEnd();
  }
  return nowMs - startedMs >= limitMs;
}

/** Resolves in a later turn; one waiter continues in each turn, in order of arrival. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    scheduleEnd();
  });
}

function scheduleEnd(): void {
  if (isEnding) return;
  isEnding = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isEnding = false;
  startedMs = undefined;
  const resume = waiting.shift();
  if (resume === undefined) return;
  scheduleEnd();
  resume();
}
