// Reads what tells for how long a tag was beyond its limits: its points, or averages where there are very many.

import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { tagLimits } from '../model/values/limits.ts';
import type { TagStatistics } from './tag-statistics.ts';
import { type BeyondTime, timeBeyond } from './time-beyond.ts';

const MOST_POINTS = 20_000;
const MOST_INTERVALS = 1000;

/** Undefined for a tag without limits, and while the window lies ahead. */
export async function readTimeBeyond(
  { dataset, name }: TagRef,
  { startMs, endMs }: TimeWindow,
  { t: tag, points }: TagStatistics,
  signal: AbortSignal,
): Promise<BeyondTime | undefined> {
  const limits = tagLimits(tag);
  const known = { startMs, endMs: Math.min(endMs, serverNowMs()) };
  if (limits.length === 0 || known.endMs <= known.startMs) return undefined;
  const of = points > MOST_POINTS ? 'averages' : 'points';
  const interval = `${Math.max(1, Math.ceil((known.endMs - known.startMs) / MOST_INTERVALS))}ms`;
  const aggregate = of === 'averages' ? { fn: 'TimeAverage2', interval } : undefined;
  const [series] = await readTags(dataset, [name], { ...known, aggregate, isCarried: true, signal });
  return series === undefined ? undefined : timeBeyond(series, limits, known, of);
}
