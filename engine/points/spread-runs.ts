// Converts plain runs for the general path, which reads the general columns only.

import type { Turns } from '../io/turns.ts';
import { NOT_PLAIN, type PointBatch, type PointColumns, type PointRun } from '../types.ts';

export function isPlain({ decimals = NOT_PLAIN }: PointRun): boolean {
  return decimals !== NOT_PLAIN;
}

/** Fills in the general columns of plain runs among `[from, to)`. The plain columns stay valid. */
export function spreadRuns(points: PointColumns, runs: readonly PointRun[], from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const { start, count, decimals = NOT_PLAIN } = runs[i] as PointRun;
    if (decimals !== NOT_PLAIN) points.spread(start, start + count, decimals);
  }
}

/** Gives the request with the general columns filled in. */
export function spreadBatch(batch: PointBatch): PointBatch {
  const { points, runs } = batch;
  if (!runs.some(isPlain)) return batch;
  return { ...batch, runs: runs.map((run) => spreadRun(points, run)) };
}

/** Fills in the general columns over several turns; long runs are divided before. */
export async function spreadInTurns(batch: PointBatch, turns: Turns): Promise<PointBatch> {
  const { points, runs } = batch;
  if (!runs.some(isPlain)) return batch;
  const spread: PointRun[] = [];
  await turns.over(runs, (run) => {
    spread.push(spreadRun(points, run));
  });
  return { ...batch, runs: spread };
}

function spreadRun(points: PointColumns, run: PointRun): PointRun {
  const { start, count, decimals = NOT_PLAIN } = run;
  if (decimals === NOT_PLAIN) return run;
  points.spread(start, start + count, decimals);
  return { ...run, decimals: NOT_PLAIN };
}
