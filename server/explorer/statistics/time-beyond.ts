// For how long a tag was beyond each of its limits. Pure.

import type { TimeWindow } from '../model/time/time-range.ts';
import { type Series, toNumber } from '../model/trend/series.ts';
import { isBeyond, type TagLimit } from '../model/values/limits.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { isGood } from '../model/values/value-text.ts';

export interface LimitTime {
  readonly limit: TagLimit;
  readonly ms: number;
}

export interface BeyondTime {
  readonly times: readonly LimitTime[];
  /** Time for which a good value is known. */
  readonly knownMs: number;
  /** `averages`: there are too many points to count with each. */
  readonly of: 'points' | 'averages';
}

/**
 * Between two good points of a number with decimals the value is on the line that the chart draws; anything else holds until
 * the next, and the last one until the end or now. Results of intervals hold for their length.
 */
export function timeBeyond(
  series: Series,
  limits: readonly TagLimit[],
  window: TimeWindow,
  of: BeyondTime['of'],
): BeyondTime {
  const isSloped = of === 'points' && valueKind(series.tag) === 'line';
  const { timesMs, values, qualities } = series;
  const valueAt = (index: number): number =>
    isGood(qualities[index] ?? 0) ? toNumber(values[index] ?? null) : Number.NaN;
  const totals = limits.map(() => 0);
  let knownMs = 0;
  for (let index = 0; index < timesMs.length; index++) {
    const [fromMs, toMs] = [timesMs[index] as number, timesMs[index + 1] ?? window.endMs];
    const [startMs, endMs] = [Math.max(fromMs, window.startMs), Math.min(toMs, window.endMs)];
    const first = valueAt(index);
    if (endMs <= startMs || Number.isNaN(first)) continue;
    const next = valueAt(index + 1);
    const last = isSloped && !Number.isNaN(next) ? next : first;
    const at = (ms: number): number => first + ((last - first) * (ms - fromMs)) / (toMs - fromMs);
    knownMs += endMs - startMs;
    limits.forEach((limit, place) => {
      totals[place] = (totals[place] ?? 0) + shareBeyond(at(startMs), at(endMs), limit) * (endMs - startMs);
    });
  }
  return { times: limits.map((limit, place) => ({ limit, ms: totals[place] ?? 0 })), knownMs, of };
}

/** Part of a straight line that is beyond. */
function shareBeyond(from: number, to: number, limit: TagLimit): number {
  const [starts, ends] = [isBeyond(from, limit), isBeyond(to, limit)];
  if (starts && ends) return 1;
  if (!starts && !ends) return 0;
  const crossing = (limit.value - from) / (to - from);
  return starts ? crossing : 1 - crossing;
}
