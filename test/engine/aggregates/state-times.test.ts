// Durations, beginnings and shares of states.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AggregateRules } from '../../../engine/aggregates/input/aggregate-rules.ts';
import { aggregateSeries, type SeriesPoint } from './series.ts';

const RULES: AggregateRules = {
  isStepped: true,
  treatUncertainAsBad: true,
  percentGood: 100,
  percentBad: 100,
  extrapolatesSlope: false,
};
const NAMES = ['StateDuration', 'StateCount', 'StatePercent'] as const;
const EDGES = [0, 10_000, 20_000, 30_000];

function point(time: number, value: number | null, quality = 192): SeriesPoint {
  return { time, value, quality };
}

/** By function, then by state: [value, status] of each interval. */
function statesOf(
  points: readonly SeriesPoint[],
  nowMs: number,
  rules = RULES,
): (readonly [number | null, number])[][] {
  const { results } = aggregateSeries(points, { names: NAMES, rules, edges: EDGES, states: [0, 1, 2], nowMs });
  return results.map((list) => list.map(({ value, status }) => [value, status] as const));
}

describe('functions of states', () => {
  it('count the time since the point in force at the start, and hold the last state until the present time', () => {
    const got = statesOf([point(-5000, 1), point(4000, 2), point(14_000, 1)], 26_000);
    const duration = got.slice(0, 3);
    assert.deepEqual(duration, [
      [
        [0, 2],
        [0, 2],
        [0, 1],
      ],
      [
        [4000, 2],
        [6000, 2],
        [6000, 1],
      ],
      [
        [6000, 2],
        [4000, 2],
        [0, 1],
      ],
    ]);
    assert.deepEqual(got[4], [
      [0, 2],
      [1, 2],
      [0, 1],
    ]);
    assert.deepEqual(got[5], [
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    assert.deepEqual(got[8], [
      [60, 2],
      [40, 2],
      [0, 1],
    ]);
  });

  it('leave out what is bad, and count no beginning when the same state goes on behind it', () => {
    const got = statesOf([point(0, 1), point(2000, null), point(5000, 1), point(8000, 1, 64)], 30_000);
    assert.deepEqual(got[1], [
      [5000, 1],
      [null, 0],
      [null, 0],
    ]);
    assert.deepEqual(got[4], [
      [1, 1],
      [null, 0],
      [null, 0],
    ]);
    assert.deepEqual(got[7], [
      [100, 1],
      [null, 0],
      [null, 0],
    ]);
  });

  it('take uncertain states when they are not treated as bad', () => {
    const got = statesOf([point(0, 1), point(8000, 1, 64)], 30_000, { ...RULES, treatUncertainAsBad: false });
    assert.deepEqual(got[1], [
      [10_000, 2],
      [10_000, 2],
      [10_000, 2],
    ]);
  });

  it('have no result where nothing is known', () => {
    assert.deepEqual(statesOf([], 30_000)[0], [
      [null, 0],
      [null, 0],
      [null, 0],
    ]);
    assert.deepEqual(statesOf([point(25_000, 0)], 30_000)[0], [
      [null, 0],
      [null, 0],
      [5000, 1],
    ]);
  });
});
