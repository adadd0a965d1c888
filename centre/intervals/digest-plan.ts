// What is taken of a span as digests, and which of its points are read.

import type { RunDigest } from '../../engine/index.ts';
import type { RowRange } from '../points/tag-rows.ts';
import type { Cell } from './cell-columns.ts';

export interface DigestPlan {
  /** In the order of time. */
  readonly digests: readonly RunDigest[];
  /** In the order of time; no digest is of points in one of them. */
  readonly ranges: readonly RowRange[];
}

/** Ranges of one query. */
const MOST_RANGES = 256;
/** Share of the points of a span that is read at most. */
const MOST_READ = 0.5;

/** Undefined where nearly all points are needed. */
export function planDigests(cells: readonly Cell[]): DigestPlan | undefined {
  const digests: RunDigest[] = [];
  const ranges: RowRange[] = [];
  let [all, read] = [0, 0];
  let isBehindRange = false;
  for (const { first, last, pointCount, digest } of cells) {
    all += pointCount;
    if (digest !== undefined) digests.push(digest);
    else {
      read += pointCount;
      const before = isBehindRange ? ranges.pop() : undefined;
      ranges.push({ start: before?.start ?? first, end: last });
    }
    isBehindRange = digest === undefined;
  }
  return read > MOST_READ * all || ranges.length > MOST_RANGES ? undefined : { digests, ranges };
}
