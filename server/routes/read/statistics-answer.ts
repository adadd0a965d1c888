// Statistics of a tag as JSON.

import type { Instant, StatisticsPoint, TagStatistics } from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import { formatTag } from '../../codec/write-json/tag-json.ts';
import { toGapAnswer } from './read-renderer.ts';

/** One entry of an answer. */
export function formatStatistics(statistics: TagStatistics): string {
  const { tag, first, last, min, max, percentiles, longestGap, gaps } = statistics;
  const { points, good, mean, timeMean, deviation, percentGood } = statistics;
  const members = {
    points,
    good,
    first: toPointAnswer(first),
    last: toPointAnswer(last),
    min: toPointAnswer(min),
    max: toPointAnswer(max),
    mean,
    timeMean,
    deviation,
    percentiles: percentiles && {
      p5: percentiles.p5,
      p50: percentiles.p50,
      p95: percentiles.p95,
      of: percentiles.isExact ? 'all' : 'sample',
    },
    percentGood,
    longestGap: longestGap && {
      s: formatInstant(longestGap.start),
      e: formatInstant(longestGap.end),
      ms: longestGap.end.ms - longestGap.start.ms,
    },
    ...(gaps.length > 0 && { gaps: gaps.map(toGapAnswer) }),
  };
  return `{"t":${formatTag(tag)},${JSON.stringify(members).slice(1)}`;
}

function toPointAnswer(point: StatisticsPoint | null): object | null {
  if (point === null) return null;
  const { time, value, quality } = point;
  return { t: formatInstant(time), v: isInstant(value) ? formatInstant(value) : value, q: quality };
}

function isInstant(value: StatisticsPoint['value']): value is Instant {
  return typeof value === 'object' && value !== null;
}
