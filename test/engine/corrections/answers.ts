// Everything that is computed of a tag's points in a range: reduced for a chart, functions of intervals, statistics.

import assert from 'node:assert/strict';
import { AGGREGATE_NAMES, type Engine, findAggregate, type Instant, type TagCursor } from '../../../engine/index.ts';

interface Range {
  readonly start: Instant;
  readonly end: Instant;
}

export interface Answers {
  readonly reduced: unknown;
  readonly aggregates: unknown;
  readonly statistics: unknown;
}

/** Sums may be taken in other parts: the last digits of what is computed of them may differ. */
const PRECISION = 1e-9;

/** The same answers but for the last digits of numbers. */
export function assertSameAnswers(got: unknown, wanted: unknown, what: string): void {
  if (typeof got === 'number' && typeof wanted === 'number') {
    const isClose = Object.is(got, wanted) || Math.abs(got - wanted) <= PRECISION * Math.max(1, Math.abs(wanted));
    assert.ok(isClose, `${what}: ${got} instead of ${wanted}`);
  } else if (typeof got === 'object' && typeof wanted === 'object' && got && wanted) {
    assert.deepEqual(Object.keys(got), Object.keys(wanted), what);
    for (const [key, value] of Object.entries(got))
      assertSameAnswers(value, (wanted as Record<string, unknown>)[key], `${what}, ${key}`);
  } else assert.deepEqual(got, wanted, what);
}

export async function readAnswers(
  engine: Engine,
  dataset: string,
  tag: string,
  range: Range,
  now: Instant,
): Promise<Answers> {
  return {
    reduced: await readReduced(engine, dataset, tag, range),
    aggregates: await readAggregates(engine, dataset, tag, range, now),
    statistics: await readStatistics(engine, dataset, tag, range, now),
  };
}

async function readReduced(engine: Engine, dataset: string, tag: string, range: Range): Promise<unknown> {
  const request = { tags: [tag], range: { kind: 'range', ...range }, carryIn: true, skipMissing: false } as const;
  const result = engine.read(dataset, { ...request, limit: undefined, after: [], intervals: 7 });
  return readCursor(result.open(0));
}

async function readAggregates(
  engine: Engine,
  dataset: string,
  tag: string,
  range: Range,
  now: Instant,
): Promise<unknown> {
  const spanMs = range.end.ms - range.start.ms;
  const functions = AGGREGATE_NAMES.filter((name) => findAggregate(name)?.basis !== 'state');
  const result = engine.read(dataset, {
    tags: [tag],
    range: { kind: 'range', ...range },
    carryIn: false,
    skipMissing: false,
    limit: undefined,
    after: [],
    aggregates: {
      functions,
      edges: Float64Array.of(0, spanMs / 3, spanMs / 2, spanMs),
      interpolation: undefined,
      treatUncertainAsBad: true,
      percentGood: 100,
      percentBad: 100,
      extrapolatesSlope: false,
      fill: 'null',
      isAborted: () => false,
      now,
    },
  });
  await result.settle?.();
  const entries: unknown[] = [];
  for (let index = 0; index < result.tagCount; index++) entries.push(await readCursor(result.open(index)));
  return entries;
}

async function readStatistics(
  engine: Engine,
  dataset: string,
  tag: string,
  range: Range,
  now: Instant,
): Promise<unknown> {
  const result = engine.statistics(dataset, {
    tags: [tag],
    range,
    skipMissing: false,
    interpolation: undefined,
    treatUncertainAsBad: false,
    now,
    isAborted: () => false,
  });
  await result.settle();
  return { ...(await result.of(0)), tag: undefined };
}

async function readCursor(cursor: TagCursor): Promise<unknown> {
  const points: unknown[] = [];
  try {
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
      const { timesMs, numbers, nulls, qualities } = chunk.points;
      for (let i = chunk.start; i < chunk.end; i++)
        points.push([timesMs[i], nulls[i] ? null : numbers[i], qualities[i]]);
    }
    const { summary, reducedFrom } = cursor.outcome();
    return { points, label: cursor.label, summary, reducedFrom };
  } finally {
    cursor.close();
  }
}
