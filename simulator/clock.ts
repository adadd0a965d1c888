// The simulator's time: the machine's, one that was set by `--now` and runs on, or one that stands still.

import { sleep } from '../forward/sleep.ts';

export interface SimulatorClock {
  nowMs(): number;
  /** Waits that long, or until the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Real time, shifted so that it is `startMs` now when that is given. */
export function runningClock(startMs: number | undefined): SimulatorClock {
  const shiftMs = startMs === undefined ? 0 : startMs - Date.now();
  return { nowMs: () => Date.now() + shiftMs, sleep };
}

/** A moment that stays: for runs that end by themselves. */
export function standingClock(nowMs: number): SimulatorClock {
  return { nowMs: () => nowMs, sleep };
}
