// The newest late point of a tag at or before a time.

import type { Dataset } from '../../dataset/dataset.ts';
import { isAfter, isBefore } from '../../points/time-search.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { Tag } from '../../tag/tag.ts';
import type { Instant } from '../../types.ts';
import { type LatePoints, LateSpans } from './late-spans.ts';
import type { LatePoint } from './late-stream.ts';

export interface LateSearch {
  /** Both belong to the range. */
  readonly start: Instant;
  readonly end: Instant;
  readonly isHidden: (time: Instant, ordinal: number) => boolean;
}

/** The last one in order of time, then of ordinals, that is not hidden. */
export function newestLate(dataset: Dataset, late: Tag, search: LateSearch): LatePoint | undefined {
  const spans = new LateSpans(dataset, late, search);
  let newest: LatePoint | undefined;
  try {
    while (spans.next !== undefined && !(newest && newest.ms > spans.lastMs)) {
      const taken = spans.takeLatest();
      if (taken) newest = newestOf(taken, search, newest);
    }
  } finally {
    spans.close();
  }
  return newest;
}

function newestOf(
  { type, points, firstOrdinal, from, to }: LatePoints,
  { start, end, isHidden }: LateSearch,
  before: LatePoint | undefined,
): LatePoint | undefined {
  let newest = before;
  for (let index = from; index < to; index++) {
    if (isBefore(points, index, start) || isAfter(points, index, end)) continue;
    const ms = points.timesMs[index] as number;
    const ticks = points.ticks[index] as number;
    const ordinal = FIRST_LATE_ORDINAL + firstOrdinal + index;
    if (newest && (ms - newest.ms || ticks - newest.ticks || ordinal - newest.ordinal) < 0) continue;
    if (!isHidden({ ms, ticks }, ordinal)) newest = { ms, ticks, ordinal, type, points, index };
  }
  return newest;
}
