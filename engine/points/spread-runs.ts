// Converts plain runs for the general path, which reads the general columns only.

import { NOT_PLAIN, type PointBatch, type PointColumns, type PointRun } from '../types.ts';

export function isPlain({ decimals = NOT_PLAIN }: PointRun): boolean {
  return decimals !== NOT_PLAIN;
}

/** Fills in the general columns of plain runs. The plain columns stay valid. */
export function spreadRuns(points: PointColumns, runs: readonly PointRun[]): void {
  for (const { start, count, decimals = NOT_PLAIN } of runs)
    if (decimals !== NOT_PLAIN) points.spread(start, start + count, decimals);
}

/** Gives the batch with the general columns filled in. */
export function spreadBatch<B extends PointBatch>(batch: B): B {
  const { points, runs } = batch;
  if (!runs.some(isPlain)) return batch;
  return { ...batch, runs: runs.map((run) => spreadRun(points, run)) };
}

function spreadRun(points: PointColumns, run: PointRun): PointRun {
  const { start, count, decimals = NOT_PLAIN } = run;
  if (decimals === NOT_PLAIN) return run;
  points.spread(start, start + count, decimals);
  return { ...run, decimals: NOT_PLAIN };
}
