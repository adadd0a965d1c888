// The mean of a window and the share of good time in it, as statistics and histogram have them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownTime, measuredPart } from '../../../../server/explorer/statistics/known-time.ts';

const WINDOW = { startMs: 0, endMs: 1001 };
const NOTHING = { mean: null, goodMs: 0 };

test('the newest value holds until now: a state that was known all the time is good all the time', () => {
  const newest = { timeMs: 200, isGood: true, value: 10 };
  assert.deepEqual(measuredPart(WINDOW, 1001, newest), { startMs: 0, endMs: 201 });
  const { mean, percentGood } = knownTime(WINDOW, 1001, newest, { mean: 0, goodMs: 201 });
  assert.equal(percentGood, 100);
  assert.equal(mean, (10 * 800) / 1001);
});

test('a window behind the newest point has its value, and what lies ahead of now counts for nothing', () => {
  const newest = { timeMs: -500, isGood: true, value: 7 };
  assert.equal(measuredPart(WINDOW, 400, newest), undefined);
  assert.deepEqual(knownTime(WINDOW, 400, newest, NOTHING), { mean: 7, percentGood: 100 });
});

test('a newest value that is not good holds for nothing', () => {
  const newest = { timeMs: 499, isGood: false, value: 7 };
  const { mean, percentGood } = knownTime({ startMs: 0, endMs: 1000 }, 5000, newest, { mean: 3, goodMs: 499 });
  assert.deepEqual([mean, percentGood], [3, 49.9]);
});

test('a window before the newest point is as the server has measured it; texts have no mean', () => {
  const newest = { timeMs: 9000, isGood: true, value: Number.NaN };
  const { mean, percentGood } = knownTime({ startMs: 0, endMs: 1000 }, 9999, newest, { mean: null, goodMs: 750 });
  assert.deepEqual([mean, percentGood], [null, 75]);
  const text = { timeMs: 500, isGood: true, value: Number.NaN };
  assert.equal(knownTime({ startMs: 0, endMs: 1000 }, 1000, text, { mean: null, goodMs: 501 }).mean, null);
});
