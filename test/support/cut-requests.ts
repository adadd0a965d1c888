// How the engine cuts requests into batches, said once more and as plainly as it can be: what a crash may leave of a request
// that was not answered are its first batches (D2).

import type { EngineTunables } from '../../engine/index.ts';

export type CutLimits = Pick<EngineTunables, 'batchTags' | 'batchPoints' | 'batchChars'>;

interface CutPoint {
  readonly ms: number;
  readonly ticks?: number;
  readonly value: unknown;
}

/** The runs of each batch; runs with more than a batch takes are put in order and cut. */
export function cutRequest<P extends CutPoint, R extends { readonly points: readonly P[] }>(
  runs: readonly R[],
  { batchTags, batchPoints, batchChars }: CutLimits,
): R[][] {
  const hasLongTexts = charsOf(runs.flatMap(({ points }) => points)) > batchChars;
  const fits = (points: readonly P[]): boolean =>
    points.length <= batchPoints && (!hasLongTexts || points.length < 2 || charsOf(points) <= batchChars);
  const batches: R[][] = [];
  let batch: R[] = [];
  const take = (run: R): void => {
    const all = [...batch, run].flatMap(({ points }) => points);
    const isFull = all.length > batchPoints || (hasLongTexts && charsOf(all) > batchChars);
    if (batch.length > 0 && (batch.length >= batchTags || isFull)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(run);
  };
  for (const run of runs) {
    if (fits(run.points)) {
      take(run);
      continue;
    }
    let left = run.points.toSorted(byTime);
    while (left.length > 0) {
      if (batch.length > 0) batches.push(batch);
      let count = 1;
      while (count < left.length && fits(left.slice(0, count + 1))) count++;
      batch = [{ ...run, points: left.slice(0, count) }];
      left = left.slice(count);
    }
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function byTime(a: CutPoint, b: CutPoint): number {
  return a.ms - b.ms || (a.ticks ?? 0) - (b.ticks ?? 0);
}

function charsOf(points: readonly CutPoint[]): number {
  return points.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
