// Runs a calculation over points of memory, in chunks of a given size.

import { findAggregate } from '../../../engine/aggregates/aggregate-functions.ts';
import { Calculation } from '../../../engine/aggregates/calculation.ts';
import { type AggregateRules, Status } from '../../../engine/aggregates/input/aggregate-rules.ts';
import { offsetMs, PointWindow } from '../../../engine/aggregates/input/point-window.ts';
import { digestOf } from '../../../engine/aggregates/input/run-digest.ts';
import { ResultColumn } from '../../../engine/aggregates/result-column.ts';
import { type Instant, type PointChunk, PointColumns, ValueType } from '../../../engine/index.ts';

export interface SeriesPoint {
  /** From the start of the range, ms. */
  readonly time: number;
  readonly value: number | null;
  readonly quality: number;
}

export interface Result {
  readonly value: number | null;
  readonly status: Status;
  /** Time of results that have one of their own; undefined is the interval's start. */
  readonly time: number | undefined;
}

export interface SeriesRequest {
  readonly names: readonly string[];
  readonly rules: AggregateRules;
  readonly edges: readonly number[];
  readonly nowMs?: number;
  readonly states?: readonly number[];
  readonly chunkPoints?: number;
  /** Gives chunks as digests where the calculation takes them. */
  readonly usesDigests?: boolean;
}

const ORIGIN = { ms: Date.UTC(2026, 0, 1, 12), ticks: 0 };

function columnsOf(points: readonly SeriesPoint[]): PointColumns {
  const columns = new PointColumns(points.length);
  for (const [i, { time, value, quality }] of points.entries()) {
    const ms = Math.floor(time);
    columns.timesMs[i] = ORIGIN.ms + ms;
    columns.ticks[i] = Math.round((time - ms) * 10_000);
    columns.numbers[i] = value ?? 0;
    columns.nulls[i] = value === null ? 1 : 0;
    columns.qualities[i] = quality;
  }
  columns.count = points.length;
  return columns;
}

/** Results of each function, of states one list for each state. */
export function aggregateSeries(
  points: readonly SeriesPoint[],
  request: SeriesRequest,
): { results: Result[][]; calculation: Calculation; digestCount: number } {
  const { names, rules, edges, states = [], nowMs = Number.POSITIVE_INFINITY, chunkPoints = 3 } = request;
  const count = edges.length - 1;
  const columns = names.flatMap((name) => {
    const fn = findAggregate(name);
    if (fn === undefined) throw new Error(`no function ${name}`);
    const places = fn.basis === 'state' ? states.map((_, place) => place) : [0];
    return places.map((place) => new ResultColumn(fn, count, place));
  });
  const calculation = new Calculation({ rules, edges: Float64Array.from(edges), columns, states, nowMs });
  const all = columnsOf(points);
  let digestCount = 0;
  for (let start = 0; start < points.length; start += chunkPoints) {
    const chunk = { type: ValueType.Double, points: all, start, end: Math.min(points.length, start + chunkPoints) };
    if (request.usesDigests && giveDigest(calculation, chunk)) {
      digestCount++;
      continue;
    }
    calculation.window.fill(chunk, ORIGIN, undefined);
    calculation.begin();
    while (!calculation.step());
  }
  while (!calculation.finish());
  return { results: columns.map(resultsOf), calculation, digestCount };
}

/** False when there is no digest of the chunk, or it is not taken. */
function giveDigest(calculation: Calculation, chunk: PointChunk): boolean {
  const { points, start, end } = chunk;
  const timeAt = (i: number): Instant => ({ ms: points.timesMs[i] as number, ticks: points.ticks[i] as number });
  const [first, last] = [timeAt(start), timeAt(end - 1)];
  const firstMs = offsetMs(ORIGIN, first.ms, first.ticks);
  const cuts = calculation.cutsWithin(firstMs, offsetMs(ORIGIN, last.ms, last.ticks));
  if (cuts === undefined || cuts.length > 1) return false;
  const window = new PointWindow();
  window.fill(chunk, first, undefined);
  const digest = digestOf(window, first);
  if (digest === undefined || (cuts[0] === firstMs && !digest.isFirstAlone)) return false;
  calculation.takeDigest(digest, firstMs);
  return true;
}

function resultsOf({ values, qualities, times }: ResultColumn): Result[] {
  return Array.from(values, (value, i) => {
    const time = times?.[i];
    const isNone = !Number.isFinite(value);
    return {
      value: isNone ? null : value,
      status: ({ 0: Status.Bad, 64: Status.Uncertain, 192: Status.Good } as const)[qualities[i] as 0 | 64 | 192],
      time: time === undefined || Number.isNaN(time) ? undefined : time,
    };
  });
}
