// The time of a stored point by its ordinal, whether it was removed or not.

import type { Dataset } from '../dataset/dataset.ts';
import { headParts } from '../head/head.ts';
import type { Tag } from '../tag/tag.ts';
import { type Instant, PointColumns } from '../types.ts';
import { blocksOf, tryRead } from './block-sources.ts';

/** Undefined when it is not stored any more, or cannot be read. */
export function timeOfPoint(dataset: Dataset, tag: Tag, ordinal: number): Instant | undefined {
  const holds = (firstOrdinal: number, count: number): boolean =>
    firstOrdinal <= ordinal && ordinal < firstOrdinal + count;
  const points = new PointColumns(1);
  for (const part of headParts(tag.head)) {
    if (!holds(part.firstOrdinal, part.count)) continue;
    dataset.memory.arena.copy(part, ordinal - part.firstOrdinal, 1, points);
    return timeOf(points, 0);
  }
  for (const source of blocksOf(dataset, tag, (entry) => holds(entry.firstOrdinal, entry.ordinalCount)))
    if (tryRead(dataset, source, points)) return timeOf(points, ordinal - source.entry.firstOrdinal);
  return undefined;
}

function timeOf({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
