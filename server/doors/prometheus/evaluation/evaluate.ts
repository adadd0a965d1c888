// Answers a query: series by series, each from one pass over the points of its tag.

import {
  type Engine,
  GOOD_QUALITY,
  nonNumbers,
  numberAt,
  type PointChunk,
  payloadOf,
  type ReadRange,
  type TagCursor,
} from '../../../../engine/index.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import { ProblemError } from '../../../problem.ts';
import type { Pacer } from '../../../process/pacer.ts';
import type { Service } from '../../../routes/service/service.ts';
import { badQuery } from '../promql/bad-query.ts';
import type { SeriesQuery } from '../promql/promql.ts';
import { instantAt, type StepGrid } from '../promql/steps.ts';
import { boundsOfSteps, type TimeBounds } from './bounds-of-time.ts';
import type { Notices } from './notices.ts';
import { presenceOf, type Series } from './one-series.ts';
import { combine, dropName, withNumber } from './operations.ts';
import { valuesOver } from './over-time.ts';
import { heldBytesOf, labelsOf, type SeriesName, seriesOf } from './series.ts';
import { TagStates } from './tag-states.ts';

const MAX_SERIES = 10_000;
/** Series times steps: what one query may come to. */
const MAX_VALUES = 1_000_000;

export interface Evaluation {
  readonly service: Service;
  readonly call: RouteContext;
  readonly steps: StepGrid;
  /** Whether a value is in force at times ahead of the server's clock as well: a query of one time asks for it. */
  readonly holdsBeyondNow: boolean;
  /** For how long a point is in force. */
  readonly staleMs: number;
  readonly notices: Notices;
  readonly pacer: Pacer;
  /** Throws a 503 once the query has taken longer than it may. */
  readonly checkTime: () => void;
  readonly isAborted: () => boolean;
}

/** The series that a query is of. Throws a 400 when it would come to too much. */
export async function selectSeries(query: SeriesQuery, evaluation: Evaluation): Promise<SeriesName[]> {
  const { service, call, steps } = evaluation;
  const names: SeriesName[] = [];
  const most = Math.min(MAX_SERIES, Math.floor(MAX_VALUES / steps.count));
  for await (const name of seriesOf(service, call, query.matchers)) {
    call.request.memory.take(heldBytesOf(name));
    if (names.push(name) > most) {
      throw badQuery(
        `The query selects more than ${most} series of ${steps.count} steps; name tags more exactly, or take a longer step (${MAX_SERIES} series and ${MAX_VALUES} values are possible).`,
      );
    }
  }
  if (dropsName(query) && names.some((name, i) => isSameTag(name, names[i - 1]))) {
    throw new ProblemError(
      422,
      `The query selects varve_value and varve_quality of one tag and would give both the same labels; name the metric.`,
    );
  }
  return names;
}

/** Whether series lose the name of their metric while they are apart. */
function dropsName({ over, operations }: SeriesQuery): boolean {
  return (over !== undefined && over.fn !== 'last_over_time') || operations[0]?.kind === 'number';
}

function isSameTag(name: SeriesName, other: SeriesName | undefined): boolean {
  return other !== undefined && name.dataset === other.dataset && name.tag === other.tag;
}

/** The series of the answer. */
export async function* evaluate(
  query: SeriesQuery,
  names: readonly SeriesName[],
  evaluation: Evaluation,
): AsyncGenerator<Series> {
  let series = rawSeries(query, names, evaluation);
  if (query.over !== undefined && query.over.fn !== 'last_over_time') series = dropName(series);
  for (const operation of query.operations) {
    series = operation.kind === 'number' ? withNumber(series, operation) : combine(series, operation, evaluation);
  }
  yield* series;
}

async function* rawSeries(
  { over }: SeriesQuery,
  names: readonly SeriesName[],
  evaluation: Evaluation,
): AsyncGenerator<Series> {
  const bounds = boundsOfSteps(evaluation.steps, over?.windowMs ?? 0);
  for (const name of names) {
    if (evaluation.isAborted()) return;
    evaluation.checkTime();
    const states = await statesOf(name, bounds, evaluation);
    const values = over === undefined ? atSteps(states, bounds) : valuesOver(over.fn, states, bounds);
    yield { labels: labelsOf(name), values, present: presenceOf(values) };
    noteQuality(name, states, bounds, evaluation);
    if (over === undefined) evaluation.notices.addHidden(states.hidden);
    if (evaluation.pacer.isDue()) await evaluation.pacer.yield();
  }
}

function atSteps(states: TagStates, { ends }: TimeBounds): Float64Array {
  return Float64Array.from(ends, (at) => states.values[at] as number);
}

function noteQuality(
  { dataset, tag }: SeriesName,
  states: TagStates,
  { timesMs }: TimeBounds,
  { notices }: Evaluation,
): void {
  const [quality, value] = [states.qualities[0] as number, states.values[0] as number];
  const { knownMs, goodMs } = states;
  const isAtOnce = timesMs.length === 1 && !Number.isNaN(quality);
  if (isAtOnce && (quality < GOOD_QUALITY || Number.isNaN(value))) notices.addNotGood(`${dataset}/${tag}`, 0);
  if (knownMs > goodMs) notices.addNotGood(`${dataset}/${tag}`, (100 * goodMs) / knownMs);
}

async function statesOf(name: SeriesName, bounds: TimeBounds, evaluation: Evaluation): Promise<TagStates> {
  const { timesMs } = bounds;
  const { service, staleMs, notices } = evaluation;
  const states = new TagStates(timesMs, staleMs);
  const [startMs, endMs] = [timesMs[0] as number, timesMs[timesMs.length - 1] as number];
  const start = instantAt(startMs);
  const end = instantAt(endMs);
  const range: ReadRange = startMs === endMs ? { kind: 'at', end } : { kind: 'range', start, end };
  const cursor = openTag(service.engine, name, range);
  if (cursor !== undefined) {
    try {
      await takePoints(cursor, states, name.metric === 'varve_quality', evaluation);
      const lost = cursor.outcome().gaps.reduce((sum, { points }) => sum + points, 0);
      if (lost > 0) notices.addDamaged(`${name.dataset}/${name.tag}`, lost);
    } finally {
      cursor.close();
    }
  }
  states.finish(evaluation.holdsBeyondNow ? endMs : await heldUntilMs(service, name, endMs));
  return states;
}

/** Undefined when the tag is gone meanwhile. */
function openTag(engine: Engine, { dataset, tag }: SeriesName, range: ReadRange): TagCursor | undefined {
  if (!engine.hasDataset(dataset)) return undefined;
  const carryIn = range.kind === 'range';
  const result = engine.read(dataset, { tags: [tag], range, carryIn, skipMissing: true, limit: undefined, after: [] });
  return result.tagCount === 0 ? undefined : result.open(0);
}

async function takePoints(
  cursor: TagCursor,
  states: TagStates,
  isOfQualities: boolean,
  { pacer, isAborted, checkTime }: Evaluation,
): Promise<void> {
  while (!isAborted()) {
    checkTime();
    const next = cursor.next();
    const chunk = next instanceof Promise ? await next : next;
    if (chunk === undefined) return;
    if (isOfQualities) takeQualities(chunk, states);
    else takeValues(chunk, states);
    // To read a chunk of long texts takes long.
    if (pacer.isDueNow()) await pacer.yield();
  }
}

function takeValues({ type, points, start, end }: PointChunk, states: TagStates): void {
  const isNumber = payloadOf(type) === 'number';
  const isOther = nonNumbers(type) !== undefined;
  const { timesMs, ticks, numbers, nulls, qualities } = points;
  for (let i = start; i < end; i++) {
    let value = Number.NaN;
    if (nulls[i] === 0 && !isOther) value = isNumber ? (numbers[i] as number) : numberAt(points, i, type);
    states.take((timesMs[i] as number) + (ticks[i] as number) / 10_000, value, qualities[i] as number);
  }
}

/** A quality is a good value by itself. */
function takeQualities({ points, start, end }: PointChunk, states: TagStates): void {
  const { timesMs, ticks, qualities } = points;
  for (let i = start; i < end; i++) {
    states.take((timesMs[i] as number) + (ticks[i] as number) / 10_000, qualities[i] as number, GOOD_QUALITY);
  }
}

/** A line is not drawn beyond now, unless there are points. */
async function heldUntilMs({ engine, nowMs }: Service, name: SeriesName, endMs: number): Promise<number> {
  const now = nowMs();
  return endMs > now ? Math.max(now, await newestMs(engine, name)) : endMs;
}

async function newestMs(engine: Engine, name: SeriesName): Promise<number> {
  const cursor = openTag(engine, name, { kind: 'newest' });
  try {
    const chunk = await cursor?.next();
    return chunk?.points.timesMs[chunk.start] ?? Number.NEGATIVE_INFINITY;
  } finally {
    cursor?.close();
  }
}
