// Functions over stretches, of random series with nulls, bad qualities and equal times, against a plain reference that goes
// over all points for each step anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOfSteps } from '../../../../../server/doors/prometheus/evaluation/bounds-of-time.ts';
import { valuesOver } from '../../../../../server/doors/prometheus/evaluation/over-time.ts';
import { TagStates } from '../../../../../server/doors/prometheus/evaluation/tag-states.ts';
import { OVER_FUNCTIONS, type OverFunction } from '../../../../../server/doors/prometheus/promql/promql.ts';
import { parsePromql } from '../../../../../server/doors/prometheus/promql/promql-parser.ts';
import { SeededRandom } from '../../../../support/seeded-random.ts';

interface Point {
  readonly t: number;
  readonly v: number;
  readonly q: number;
}

const isGood = ({ v, q }: Point): boolean => !Number.isNaN(v) && q >= 64;

/** NaN before the first point, and while a point is bad, null or too old. */
function inForce(points: readonly Point[], timeMs: number, staleMs: number): number {
  const last = points.filter(({ t }) => t <= timeMs).at(-1);
  return last === undefined || !isGood(last) || last.t + staleMs < timeMs ? Number.NaN : last.v;
}

function reference(fn: OverFunction, points: readonly Point[], from: number, to: number, staleMs: number): number {
  const inside = points.filter(({ t }) => t > from && t <= to);
  const values = inside.filter(isGood).map(({ v }) => v);
  const start = inForce(points, from, staleMs);
  const held = Number.isNaN(start) ? values : [start, ...values];
  switch (fn) {
    case 'last_over_time':
      return inside.length > 0 ? inForce(points, to, staleMs) : Number.NaN;
    case 'count_over_time':
      return values.length || Number.NaN;
    case 'min_over_time':
      return held.length === 0 ? Number.NaN : Math.min(...held);
    case 'max_over_time':
      return held.length === 0 ? Number.NaN : Math.max(...held);
    case 'delta':
      return inForce(points, to, staleMs) - start;
    case 'avg_over_time':
      return average(points, from, to, staleMs);
    case 'rate':
      return Number.isNaN(start) ? Number.NaN : (gain(points, from, to) * 1000) / (to - from);
  }
}

function average(points: readonly Point[], from: number, to: number, staleMs: number): number {
  const edges = [...new Set([from, to, ...points.map(({ t }) => t), ...points.map(({ t }) => t + staleMs)])]
    .filter((edge) => edge >= from && edge <= to)
    .sort((a, b) => a - b);
  let sum = 0;
  let duration = 0;
  for (let i = 1; i < edges.length; i++) {
    const [a, b] = [edges[i - 1] as number, edges[i] as number];
    const value = inForce(points, (a + b) / 2, staleMs);
    if (Number.isNaN(value)) continue;
    sum += value * (b - a);
    duration += b - a;
  }
  return sum / duration;
}

function gain(points: readonly Point[], from: number, to: number): number {
  const good = points.filter(isGood);
  let sum = 0;
  for (const [i, { t, v }] of good.entries()) {
    const before = good[i - 1];
    if (before === undefined || t <= from || t > to) continue;
    sum += v >= before.v ? v - before.v : v;
  }
  return sum;
}

test('each function gives what going over all points gives', () => {
  const random = new SeededRandom(11);
  let compared = 0;
  for (let round = 0; round < 300; round++) {
    const points: Point[] = [];
    let t = random.below(2000) - 1000;
    for (let i = random.below(60); i > 0; i--) {
      t += random.below(4) === 0 ? 0 : random.below(300);
      const v = random.chance(0.1) ? Number.NaN : random.below(50);
      points.push({ t, v, q: [192, 192, 192, 64, 24][random.below(5)] as number });
    }
    const steps = { startMs: 0, stepMs: 1 + random.below(700), count: 1 + random.below(12) };
    const windowMs = 1 + random.below(1500);
    const staleMs = random.chance(0.5) ? Number.POSITIVE_INFINITY : 1 + random.below(500);
    const bounds = boundsOfSteps(steps, windowMs);
    const firstMs = bounds.timesMs[0] as number;
    const lastMs = bounds.timesMs[bounds.timesMs.length - 1] as number;
    // A read gives the last point before the range, and those in it.
    const carried = points.filter((point) => point.t <= firstMs).at(-1);
    const states = new TagStates(bounds.timesMs, staleMs);
    const given = points.filter((point) => point === carried || (point.t > firstMs && point.t <= lastMs));
    for (const point of given) states.take(point.t, point.v, point.q);
    states.finish(lastMs);
    for (const fn of OVER_FUNCTIONS) {
      const values = valuesOver(fn, states, bounds);
      for (let i = 0; i < steps.count; i++) {
        const to = i * steps.stepMs;
        const expected = reference(fn, given, to - windowMs, to, staleMs);
        const actual = values[i] as number;
        const isSame =
          Object.is(actual, expected) || Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
        assert.ok(isSame, `round ${round}, ${fn}, step ${i}: ${actual}, want ${expected}`);
        if (!Number.isNaN(expected)) compared++;
      }
    }
  }
  assert.ok(compared > 5000, `${compared} values`);
});

test('a value is not in force beyond the time that it is held to', () => {
  const bounds = boundsOfSteps({ startMs: 0, stepMs: 10, count: 5 }, 0);
  const states = new TagStates(bounds.timesMs, Number.POSITIVE_INFINITY);
  states.take(5, 7, 192);
  states.finish(25);
  assert.deepEqual([...states.values], [Number.NaN, 7, 7, Number.NaN, Number.NaN]);
});

test('arithmetic of numbers goes by the usual order', () => {
  for (const [text, value] of [
    ['1+1', 2],
    ['2 + 3 * 4 ^ 2 ^ 0.5 # all of it', 2 + 3 * 4 ** (2 ** 0.5)],
    ['-2 ^ 2', -4],
    ['(1 + 2) * -3', -9],
    ['10 % 4 - 1e1 / .5', -18],
    ['8 / 4 / 2', 1],
    ['1 - 2 - 3', -4],
    ['1 / 0', Number.POSITIVE_INFINITY],
  ] as const) {
    assert.deepEqual(parsePromql(text), { kind: 'number', value }, text);
  }
});
