// Reads for how long a tag was good in a window, and its mean over that time.

import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { pointAt, toNumber } from '../model/trend/series.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { isGood } from '../model/values/value-text.ts';
import { type KnownTime, knownTime, measuredPart, type NewestPoint } from './known-time.ts';

/** Undefined for a tag that is gone, or has no point. */
export async function readKnownTime(
  ref: TagRef,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<KnownTime | undefined> {
  const nowMs = serverNowMs();
  const [series] = await readTags(ref.dataset, [ref.name], { endMs: nowMs, signal });
  const point = series === undefined ? undefined : pointAt(series, nowMs);
  if (series === undefined || point === undefined) return undefined;
  const isNumber = valueKind(series.tag) !== 'text';
  const value = isNumber ? toNumber(point.value) : Number.NaN;
  const newest: NewestPoint = { timeMs: point.timeMs, isGood: isGood(point.quality) && point.value !== null, value };
  const part = measuredPart(window, nowMs, newest);
  if (part === undefined) return knownTime(window, nowMs, newest, { mean: null, goodMs: 0 });
  const [mean, goodMs] = await Promise.all([
    isNumber ? readResult(ref, part, 'TimeAverage2', signal) : null,
    readResult(ref, part, 'DurationGood', signal),
  ]);
  return knownTime(window, nowMs, newest, { mean, goodMs: goodMs ?? 0 });
}

/** One result for the whole range, however little of it is good. */
async function readResult(
  { dataset, name }: TagRef,
  { startMs, endMs }: TimeWindow,
  fn: 'TimeAverage2' | 'DurationGood',
  signal: AbortSignal,
): Promise<number | null> {
  const aggregate = { fn, interval: `${Math.ceil(endMs - startMs)}ms`, percentGood: 0 };
  const [series] = await readTags(dataset, [name], { startMs, endMs, aggregate, signal });
  const result = toNumber(series?.values[0] ?? null);
  return Number.isNaN(result) ? null : result;
}
