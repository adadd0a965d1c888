// Intervals of aggregates: a text such as `1h` or `1M`, and where the intervals of a range begin. Hours, minutes, seconds and
// milliseconds are spans of time; years, months, weeks and days go by the calendar of a zone, where a day may have 23 or 25 hours.

import {
  type Instant,
  MAX_AGGREGATE_RESULTS,
  MAX_TIME_MS,
  type ReadMemory,
  TICKS_PER_MS,
} from '../../../engine/index.ts';
import { MAX_INTERVAL_CHARS } from '../../api/schemas/read.ts';
import { badParameter, quoted } from '../../api/validation/bad-parameter.ts';
import { createPacer } from '../../process/pacer.ts';
import { AlignedSpans } from './aligned-spans.ts';
import { addStep, startOfUnit } from './relative-time.ts';
import { type TimeZone, UTC } from './time-zone.ts';

const INTERVAL_FORM = /^(?:\d{1,15}(?:ms|[yMwdhms]))+$/;
const STEP_FORM = /(\d+)(ms|[yMwdhms])/g;
/** A span is cut at local midnights, hours and so on; longer ones from the same local midnight. */
const SPAN_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
/** The shortest that a calendar unit can be: to see beforehand that there are too many intervals. */
const HOUR_MS = 3_600_000;
const SHORTEST_MS: Readonly<Record<string, number>> = {
  d: 22 * HOUR_MS,
  w: 166 * HOUR_MS,
  M: 670 * HOUR_MS,
  y: 8758 * HOUR_MS,
};
/** A day of UTC is a span as well; a week is none, since it begins on Monday and not on the day of the week of 1970. */
const UTC_MS: Readonly<Record<string, number>> = { d: 24 * HOUR_MS };
const CALENDAR_ORDER = ['y', 'M', 'w', 'd'] as const;

interface Step {
  readonly count: number;
  readonly unit: string;
}

export interface Interval {
  readonly text: string;
  /** Undefined when it goes by the calendar. */
  readonly spanMs: number | undefined;
  readonly steps: readonly Step[];
}

/** Throws a 400 for what is no interval, and for one of zero. */
export function parseInterval(text: string, zone: TimeZone): Interval {
  if (text.length > MAX_INTERVAL_CHARS) {
    throw badParameter(`'interval' is ${quoted(text)}; want at most ${MAX_INTERVAL_CHARS} characters.`);
  }
  if (!INTERVAL_FORM.test(text)) throw badInterval(text);
  const steps = [...text.matchAll(STEP_FORM)].map(([, count, unit]) => ({
    count: Number(count),
    unit: unit as string,
  }));
  if (steps.every(({ count }) => count === 0)) throw badInterval(text);
  const msOf = ({ unit }: Step): number | undefined => SPAN_MS[unit] ?? (zone === UTC ? UTC_MS[unit] : undefined);
  const isSpan = steps.every((step) => msOf(step) !== undefined);
  const spanMs = isSpan ? steps.reduce((sum, step) => sum + step.count * (msOf(step) as number), 0) : undefined;
  return { text, spanMs, steps };
}

function badInterval(text: string): Error {
  return badParameter(
    `'interval' is ${quoted(text)}; want a length above zero such as 10s, 15m, 1h, 1d, 1w, 1M or 1y (M is months, m minutes, ms milliseconds).`,
  );
}

export interface EdgeRange {
  readonly start: Instant;
  readonly end: Instant;
  readonly zone: TimeZone;
  /** Whether intervals begin where hours, days, months … do, instead of at the start of the range. */
  readonly isAligned: boolean;
  readonly isAborted: () => boolean;
  /** For the edges; nobody asks when absent. */
  readonly memory?: ReadMemory | undefined;
}

/** Starts of intervals, and the end of the last: ms from the range's start. Lets others have turns. Throws a 400 for very many. */
export async function findEdges(interval: Interval, range: EdgeRange): Promise<Float64Array> {
  const { start, end } = range;
  const lengthMs = offsetOf(start, end.ms, end.ticks);
  const shortestMs = interval.spanMs ?? shortestOf(interval.steps);
  const mostIntervals = Math.ceil(lengthMs / shortestMs);
  checkCount(mostIntervals, interval);
  const edges = new EdgeList(mostIntervals + 2, range.memory);
  const pacer = createPacer();
  const edgeAt = interval.spanMs === undefined ? calendarEdges(interval, range) : spanEdges(interval.spanMs, range);
  for (let k = 1; !range.isAborted(); k++) {
    const edge = edgeAt(k);
    if (!(edge < lengthMs)) break;
    if (edge > edges.last) edges.add(edge);
    if (pacer.isDue()) await pacer.yield();
  }
  edges.add(lengthMs);
  return edges.all();
}

/**
 * Starts of so many intervals before the start of a range: ms from there, in order. Where an aligned one has begun before the
 * range does, that beginning is one of them.
 */
export function findEdgesBefore(interval: Interval, range: EdgeRange, count: number): number[] {
  const { spanMs } = interval;
  if (spanMs === undefined || !range.isAligned) {
    const edgeAt = spanMs === undefined ? calendarEdges(interval, range) : (k: number) => k * spanMs;
    const places = Array.from({ length: count + 1 }, (_, k) => k - count);
    return places
      .map(edgeAt)
      .filter((edge) => edge < 0)
      .slice(-count);
  }
  const { start, zone } = range;
  const spans = new AlignedSpans(spanMs, zone, start.ms - (count + 1) * spanMs);
  const edges: number[] = [];
  for (let ms = spans.timeMs; ms < start.ms || (ms === start.ms && start.ticks > 0); ms = spans.next())
    edges.push(offsetOf(start, ms, 0));
  return edges.slice(-count);
}

/** Edges, the first of them at 0. */
class EdgeList {
  readonly #memory: ReadMemory | undefined;
  #edges: Float64Array;
  #count = 1;

  constructor(capacity: number, memory: ReadMemory | undefined) {
    memory?.take(capacity * Float64Array.BYTES_PER_ELEMENT);
    this.#memory = memory;
    this.#edges = new Float64Array(capacity);
  }

  get last(): number {
    return this.#edges[this.#count - 1] as number;
  }

  add(edge: number): void {
    if (this.#count === this.#edges.length) this.#grow();
    this.#edges[this.#count++] = edge;
  }

  all(): Float64Array {
    return this.#edges.subarray(0, this.#count);
  }

  /** Clocks that are set back may make a few more than there were expected. */
  #grow(): void {
    const { length, byteLength } = this.#edges;
    this.#memory?.take(byteLength);
    const grown = new Float64Array(2 * length);
    grown.set(this.#edges);
    this.#edges = grown;
  }
}

function checkCount(count: number, { text }: Interval): void {
  if (count <= MAX_AGGREGATE_RESULTS) return;
  throw badParameter(
    `'interval' is ${quoted(text)}, which makes about ${count} intervals of the range; want ${MAX_AGGREGATE_RESULTS} at most: a longer interval or a shorter range.`,
  );
}

function shortestOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { count, unit }) => sum + count * (SPAN_MS[unit] ?? (SHORTEST_MS[unit] as number)), 0);
}

/** The k-th edge behind the start, at or before it too when aligned. To be called with one k after the other. */
type EdgeAt = (k: number) => number;

function spanEdges(spanMs: number, { start, zone, isAligned }: EdgeRange): EdgeAt {
  if (!isAligned) return (k) => k * spanMs;
  const spans = new AlignedSpans(spanMs, zone, start.ms);
  return () => offsetOf(start, spans.next(), 0);
}

/** Counted from the start each time: a month that is shorter than the day of the start does not move those behind it. */
function calendarEdges({ steps }: Interval, { start, zone, isAligned }: EdgeRange): EdgeAt {
  const largest = CALENDAR_ORDER.find((unit) => steps.some((step) => step.unit === unit)) as string;
  const base = isAligned ? { ms: startOfUnit(start.ms, largest, zone), ticks: 0 } : start;
  return (k) => {
    let timeMs = base.ms;
    for (const { count, unit } of steps) {
      timeMs = unit === 'ms' ? timeMs + k * count : addStep(timeMs, k * count, unit, zone);
      if (!(timeMs <= MAX_TIME_MS)) return Number.POSITIVE_INFINITY;
    }
    return offsetOf(start, timeMs, base.ticks);
  };
}

function offsetOf(start: Instant, ms: number, ticks: number): number {
  return ms - start.ms + (ticks - start.ticks) / TICKS_PER_MS;
}
