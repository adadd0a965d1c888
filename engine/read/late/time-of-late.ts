// The time of a late point by its ordinal: where a read goes on that ended before it.

import type { Dataset } from '../../dataset/dataset.ts';
import { headParts } from '../../head/head.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { Tag } from '../../tag/tag.ts';
import { type Instant, PointColumns } from '../../types.ts';
import { blocksOf, tryRead } from '../block-sources.ts';

/** Undefined when it is not stored any more, or cannot be read. */
export function timeOfLate(dataset: Dataset, late: Tag, ordinal: number): Instant | undefined {
  const number = ordinal - FIRST_LATE_ORDINAL;
  const holds = (firstOrdinal: number, count: number): boolean =>
    firstOrdinal <= number && number < firstOrdinal + count;
  const points = new PointColumns(1);
  for (const part of headParts(late.head)) {
    if (!holds(part.firstOrdinal, part.count)) continue;
    dataset.arena.copy(part, number - part.firstOrdinal, 1, points);
    return timeOf(points, 0);
  }
  for (const source of blocksOf(dataset, late, (entry) => holds(entry.firstOrdinal, entry.ordinalCount)))
    if (tryRead(dataset, source, points)) return timeOf(points, number - source.entry.firstOrdinal);
  return undefined;
}

function timeOf({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
