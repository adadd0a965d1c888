// The points of one tag, ready to be drawn and looked up: columns in time order, as the API answers them.

import type { LineRef, TagDefinition } from '../tags/tag.ts';
import { isGood, type PointValue } from '../values/value-text.ts';

/** `d` of an entry with `format=columns`. */
export interface AnswerColumns {
  /** Milliseconds since 1970, or ISO 8601 when one has a part below the millisecond. */
  readonly t: readonly (number | string)[];
  readonly v: readonly PointValue[];
  readonly q: number | readonly number[];
}

export interface Series {
  readonly ref: LineRef;
  readonly tag: TagDefinition;
  readonly timesMs: readonly number[];
  readonly values: readonly PointValue[];
  readonly qualities: readonly number[];
  /** How many points it stands for, when the server has reduced it. */
  readonly reducedFrom: number | undefined;
  /** Why a calculated series has no values; absent when it could be read. */
  readonly fault?: string;
  /** Intervals of which these are the results; absent for points. */
  readonly intervals?: Intervals;
}

export interface Intervals {
  /** End of the last one: its result says nothing of what comes then. */
  readonly endMs: number;
  /** Begin of the one that is not over yet; undefined when all are. */
  readonly openFromMs: number | undefined;
}

/** Series of each period compared with, by `tagKey`, in their order; undefined where there is none of a tag. */
export type EarlierSeries = ReadonlyMap<string, readonly (Series | undefined)[]>;

export interface SeriesPoint {
  readonly timeMs: number;
  readonly value: PointValue;
  readonly quality: number;
}

export function createSeries(ref: LineRef, tag: TagDefinition, columns: AnswerColumns, reducedFrom?: number): Series {
  const timesMs = columns.t.map((time) => (typeof time === 'number' ? time : Date.parse(time)));
  const { q } = columns;
  const qualities = typeof q === 'number' ? timesMs.map(() => q) : [...q];
  return { ref, tag, timesMs, values: [...columns.v], qualities, reducedFrom };
}

/**
 * The series with what it has not yet, also between its points: the live stream may have been ahead of an answer that was
 * under way, and has its points behind those that only a tail brings.
 */
export function addPoints(series: Series, more: Series): Series {
  const isMissing = (timeMs: number): boolean => series.timesMs[firstAfter(series.timesMs, timeMs) - 1] !== timeMs;
  const missing = more.timesMs.flatMap((timeMs, index) => (isMissing(timeMs) ? [index] : []));
  const [first] = missing;
  if (first === undefined) return series;
  const kept = firstAfter(series.timesMs, more.timesMs[first] as number);
  const behind = series.timesMs.slice(kept).map((_, index) => pointOf(series, kept + index));
  const points = [...behind, ...missing.map((index) => pointOf(more, index))].sort((a, b) => a.timeMs - b.timeMs);
  return {
    ...series,
    tag: more.tag,
    timesMs: [...series.timesMs.slice(0, kept), ...points.map(({ timeMs }) => timeMs)],
    values: [...series.values.slice(0, kept), ...points.map(({ value }) => value)],
    qualities: [...series.qualities.slice(0, kept), ...points.map(({ quality }) => quality)],
  };
}

/** The series with everything from the first time of the tail on replaced: the last intervals go on growing. */
export function replaceEnd(series: Series, tail: Series): Series {
  const firstMs = tail.timesMs[0];
  if (firstMs === undefined) return series;
  const kept = firstAfter(series.timesMs, firstMs - 1);
  return {
    ...tail,
    timesMs: [...series.timesMs.slice(0, kept), ...tail.timesMs],
    values: [...series.values.slice(0, kept), ...tail.values],
    qualities: [...series.qualities.slice(0, kept), ...tail.qualities],
  };
}

/** The series from the point in force at a time on. */
export function dropBefore(series: Series, timeMs: number): Series {
  const first = firstAfter(series.timesMs, timeMs) - 1;
  if (first <= 0) return series;
  return {
    ...series,
    timesMs: series.timesMs.slice(first),
    values: series.values.slice(first),
    qualities: series.qualities.slice(first),
  };
}

/** The series as if it had happened later. */
export function shiftSeries(series: Series, byMs: number): Series {
  const { intervals } = series;
  const shifted = { ...series, timesMs: series.timesMs.map((timeMs) => timeMs + byMs) };
  if (intervals === undefined) return shifted;
  const { endMs, openFromMs } = intervals;
  const openMs = openFromMs === undefined ? undefined : openFromMs + byMs;
  return { ...shifted, intervals: { endMs: endMs + byMs, openFromMs: openMs } };
}

/** Index of the first time later than the one given; the length when there is none. */
export function firstAfter(timesMs: readonly number[], timeMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] as number) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The point in force at a time: the newest at or before it. */
export function pointAt(series: Series, timeMs: number): SeriesPoint | undefined {
  const index = firstAfter(series.timesMs, timeMs) - 1;
  return index < 0 ? undefined : pointOf(series, index);
}

function pointOf({ timesMs, values, qualities }: Series, index: number): SeriesPoint {
  return {
    timeMs: timesMs[index] as number,
    value: values[index] as PointValue,
    quality: qualities[index] as number,
  };
}

/** For the axis: booleans as 0 and 1, exact digits as the nearest double; NaN for null and text. */
export function toNumber(value: PointValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null || value.trim() === '' ? Number.NaN : Number(value);
}

/** The last time at which a number is larger than this; -Infinity when none is. */
export function lastAbove({ timesMs, values }: Series, least: number): number {
  const index = values.findLastIndex((value) => toNumber(value) > least);
  return timesMs[index] ?? Number.NEGATIVE_INFINITY;
}

export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Smallest and largest number in a window, the one carried in included, of the qualities wanted; undefined when there is none. */
export function extentOf(
  series: Series,
  startMs: number,
  endMs: number,
  isWanted: (quality: number) => boolean = () => true,
): Extent | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = Math.max(0, firstAfter(series.timesMs, startMs) - 1); index < series.timesMs.length; index++) {
    if ((series.timesMs[index] as number) > endMs) break;
    const value = toNumber(series.values[index] as PointValue);
    if (Number.isNaN(value) || !isWanted(series.qualities[index] as number)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : undefined;
}

export interface ValueSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: PointValue;
  readonly quality: number;
}

/** Stretches of equal value and quality, cut to the window; the last lasts to `untilMs`. */
export function spansOf(
  series: Series,
  { startMs, endMs }: { startMs: number; endMs: number },
  untilMs: number,
): ValueSpan[] {
  const spans: ValueSpan[] = [];
  const limitMs = Math.min(endMs, untilMs);
  for (let index = Math.max(0, firstAfter(series.timesMs, startMs) - 1); index < series.timesMs.length; index++) {
    const timeMs = series.timesMs[index] as number;
    if (timeMs >= limitMs) break;
    const next = Math.min(series.timesMs[index + 1] ?? limitMs, limitMs);
    const value = series.values[index] as PointValue;
    const quality = series.qualities[index] as number;
    const last = spans.at(-1);
    if (last !== undefined && last.value === value && last.quality === quality) spans.pop();
    const from = last !== undefined && last.value === value && last.quality === quality ? last.startMs : timeMs;
    if (next > startMs) spans.push({ startMs: Math.max(startMs, from), endMs: next, value, quality });
  }
  return spans;
}

/** Stretches whose points are not good, joined. */
export function badSpans(series: Series, window: { startMs: number; endMs: number }, untilMs: number): ValueSpan[] {
  const spans: ValueSpan[] = [];
  for (const span of spansOf(series, window, untilMs)) {
    if (isGood(span.quality)) continue;
    const last = spans.at(-1);
    if (last !== undefined && last.endMs >= span.startMs) spans[spans.length - 1] = { ...last, endMs: span.endMs };
    else spans.push(span);
  }
  return spans;
}
