import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AGGREGATES,
  describeAggregate,
  formatAggregate,
  INTERVALS,
  intervalOf,
  parseAggregate,
} from '../../../../../server/explorer/model/trend/aggregate-choice.ts';

const HOUR_MS = 3_600_000;

test('a link holds every choice', () => {
  for (const [fn] of AGGREGATES) {
    for (const intervalMs of [undefined, ...INTERVALS.map(([, ms]) => ms)]) {
      assert.deepEqual(parseAggregate(formatAggregate({ fn, intervalMs })), { fn, intervalMs });
    }
  }
  for (const text of ['', 'Average', 'constructor', '__proto__ 1 s']) assert.equal(parseAggregate(text), undefined);
  const aDay = { fn: 'Count', intervalMs: 24 * HOUR_MS };
  assert.deepEqual([parseAggregate('Count 1 d'), parseAggregate('Count 24 h')], [aDay, aDay], 'of an earlier version');
  assert.deepEqual(parseAggregate('Count 7 s'), { fn: 'Count', intervalMs: undefined });
});

test('intervals go by the window, and are never too many', () => {
  const automatic = { fn: 'TimeAverage2', intervalMs: undefined } as const;
  assert.equal(intervalOf(automatic, HOUR_MS), 30_000);
  assert.equal(intervalOf(automatic, 8 * HOUR_MS), 5 * 60_000);
  assert.equal(intervalOf(automatic, 365 * 24 * HOUR_MS), 48 * HOUR_MS);
  assert.equal(intervalOf(automatic, 1e14), 168 * HOUR_MS);
  assert.equal(intervalOf({ ...automatic, intervalMs: 1000 }, HOUR_MS), 1000);
  assert.equal(intervalOf({ ...automatic, intervalMs: 1000 }, 24 * HOUR_MS), 30_000);
});

test('what a line is made of, in words', () => {
  assert.equal(describeAggregate({ fn: 'TimeAverage2', intervalMs: undefined }, 30_000), 'average of 30 s');
  assert.equal(describeAggregate({ fn: 'Count', intervalMs: HOUR_MS }, HOUR_MS), 'count of 1 h');
});
