// Results of intervals while the last interval is not over: it is judged by what has come, and told apart. Pure.

import { intervalEnd } from '../time/interval-grid.ts';
import { type Intervals, pointAt, type Series, type SeriesPoint } from './series.ts';

/** A point is in force for this long at least, also the last one. */
const POINT_MS = 1;

/**
 * End of results: that of the newest point, for behind it the server knows nothing, and would call the whole interval bad for
 * the part that nobody can have written yet.
 */
export function knownEnd(endMs: number, newestMs: number): number {
  return Math.min(endMs, newestMs + POINT_MS);
}

/**
 * Results over time are known up to the newest point itself, the value at their end: a millisecond behind it is one that
 * nobody knows, for which the server would call the whole interval uncertain.
 */
export function knownTimeEnd(endMs: number, newestMs: number): number {
  return Math.min(endMs, newestMs);
}

/** What is known of the intervals of results that begin at these times. */
export function intervalsOf(startsMs: readonly number[], intervalMs: number, newestMs: number): Intervals | undefined {
  const lastMs = startsMs.at(-1);
  if (lastMs === undefined) return undefined;
  const endMs = intervalEnd(lastMs, intervalMs);
  return { endMs, openFromMs: endMs > newestMs + POINT_MS ? lastMs : undefined };
}

/** How long the last value of a line holds. */
export function heldUntil({ intervals }: Series, nowMs: number): number {
  return Math.min(nowMs, intervals?.endMs ?? nowMs);
}

export interface ShownPoint {
  readonly point: SeriesPoint | undefined;
  /** What has come of the interval that is not over; `point` itself when that is what is asked for. */
  readonly soFar: SeriesPoint | undefined;
}

/**
 * The point in force at a time; none where nobody has read yet whether there is another one: behind the last answer, which
 * was at `nowMs`. Points that lie ahead of it are known.
 */
export function knownPointAt(series: Series, timeMs: number, nowMs: number): SeriesPoint | undefined {
  const isKnown = timeMs <= wholeSecond(nowMs) || timeMs <= (series.timesMs.at(-1) ?? Number.NEGATIVE_INFINITY);
  return isKnown ? pointAt(series, timeMs) : undefined;
}

/** The end of its second: tables go on with the clock by seconds. */
export function wholeSecond(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000 + 999;
}

/** `nowMs` is the time of the last answer. */
interface Looked {
  readonly when: 'now' | 'then';
  readonly nowMs: number;
}

/**
 * What a table shows of now, the last interval that is over; and of any other time the one in force,
 * of which there is none behind the last.
 */
export function shownPoint(series: Series, timeMs: number, { when, nowMs }: Looked): ShownPoint {
  const { endMs = timeMs, openFromMs } = series.intervals ?? {};
  const point = when === 'then' && timeMs > endMs ? undefined : knownPointAt(series, timeMs, nowMs);
  const isOpen = point !== undefined && openFromMs !== undefined && point.timeMs >= openFromMs;
  if (!isOpen) return { point, soFar: undefined };
  const finished = when === 'now' ? pointAt(series, openFromMs - 1) : undefined;
  return { point: finished ?? point, soFar: point };
}
