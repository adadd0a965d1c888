// What waits on disk for the historian, in figures: the same for every program that stores and forwards, in its log and as points.

import type { BatchStore } from './batch-store.ts';

export interface StoreFigures {
  readonly points: number;
  readonly bytes: number;
  readonly batches: number;
  /** Age of the oldest batch; 0 where none waits. */
  readonly seconds: number;
}

export function figuresOf(store: BatchStore, nowMs: number): StoreFigures {
  const { oldestMs, pointCount, sizeBytes, batchCount } = store;
  const ageMs = oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs);
  return { points: pointCount, bytes: sizeBytes, batches: batchCount, seconds: Math.round(ageMs / 1000) };
}

/** Such as `1500 points wait (90000 bytes, the oldest for 12 s)`. */
export function describeStore({ points, bytes, seconds }: StoreFigures): string {
  return bytes === 0 ? 'nothing waits' : `${points} points wait (${bytes} bytes, the oldest for ${seconds} s)`;
}
