// What is appended together, with one record of the journal: all of a usual request, a part of a long one.

import type { PointBatch, PointColumns, PointRun } from '../types.ts';

export interface Batch extends PointBatch {
  /** Points of the batch, about: the columns may hold those of other batches, too. */
  readonly pointCount: number;
  /** Characters of its texts, about. */
  readonly chars: number;
}

/** All of a request as one batch. */
export function wholeOf({ points, runs }: PointBatch): Batch {
  return batchOf(points, runs, points.count, points.texts.chars);
}

/** Every batch is made here, so that all have one shape. */
export function batchOf(points: PointColumns, runs: readonly PointRun[], pointCount: number, chars: number): Batch {
  return { points, runs, pointCount, chars };
}
