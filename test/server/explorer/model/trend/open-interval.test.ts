// Results of intervals of which the last is not over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagsOfExpression } from '../../../../../server/explorer/model/trend/calculated.ts';
import {
  heldUntil,
  intervalsOf,
  knownEnd,
  knownTimeEnd,
  shownPoint,
} from '../../../../../server/explorer/model/trend/open-interval.ts';
import { createSeries, type Series, shiftSeries } from '../../../../../server/explorer/model/trend/series.ts';

const REF = { dataset: 'D', name: 'T' };

/** Three intervals of 10 ms that begin at 0. */
function averages(newestMs: number): Series {
  const series = createSeries(REF, { n: 'T' }, { t: [0, 10, 20], v: [1, 2, 3], q: 192 });
  const intervals = intervalsOf(series.timesMs, 10, newestMs);
  return intervals === undefined ? series : { ...series, intervals };
}

test('results end with the newest point, which holds for a millisecond', () => {
  assert.equal(knownEnd(1000, 400), 401);
  assert.equal(knownEnd(1000, 5000), 1000);
  assert.deepEqual([knownTimeEnd(1000, 400), knownTimeEnd(1000, 5000)], [400, 1000], 'results over time end there');
});

test('an interval is over when a point has come at its end or behind it', () => {
  assert.equal(averages(28).intervals?.openFromMs, 20);
  assert.equal(averages(29).intervals?.openFromMs, undefined);
  assert.equal(averages(1000).intervals?.openFromMs, undefined);
  assert.equal(intervalsOf([], 10, 5), undefined);
});

test('of now the table has the last interval that is over, and beside it what has come of the present one', () => {
  const { point, soFar } = shownPoint(averages(24), 25, { when: 'now', nowMs: 25 });
  assert.deepEqual([point?.value, soFar?.value], [2, 3]);
  const over = shownPoint(averages(30), 29, { when: 'now', nowMs: 25 });
  assert.deepEqual([over.point?.value, over.soFar], [3, undefined]);
});

test('under the cursor the present interval is told as such, and behind the last there is nothing', () => {
  const { point, soFar } = shownPoint(averages(24), 25, { when: 'then', nowMs: 25 });
  assert.equal(point?.value, 3);
  assert.equal(soFar, point);
  assert.equal(shownPoint(averages(24), 31, { when: 'then', nowMs: 25 }).point, undefined);
  assert.equal(shownPoint(averages(24), 15, { when: 'then', nowMs: 25 }).soFar, undefined);
});

test('a line of results ends with its last interval, one of points goes on to now', () => {
  assert.equal(heldUntil(averages(24), 25), 25);
  assert.equal(heldUntil(averages(24), 500), 30);
  assert.equal(heldUntil(createSeries(REF, { n: 'T' }, { t: [0], v: [1], q: 192 }), 500), 500);
  assert.deepEqual(shiftSeries(averages(24), 100).intervals, { endMs: 130, openFromMs: 120 });
});

test('the tags of an expression are its words and its texts in quotes, but for functions and numbers', () => {
  assert.deepEqual(tagsOfExpression("max (FL001.Flow, 'Line 1/Flow') * 1e5 + FL001.Flow - 'It\\'s'"), [
    'FL001.Flow',
    'Line 1/Flow',
    "It's",
  ]);
});
