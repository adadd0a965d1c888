import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnswerColumns,
  addPoints,
  badSpans,
  createSeries,
  dropBefore,
  extentOf,
  lastAbove,
  pointAt,
  type Series,
  shiftSeries,
  spansOf,
} from '../../../../../server/explorer/model/trend/series.ts';
import { statusSpans } from '../../../../../server/explorer/model/trend/status-spans.ts';
import { isGood } from '../../../../../server/explorer/model/values/value-text.ts';

const REF = { dataset: 'D', name: 'T' };
const seriesOf = (t: AnswerColumns['t'], v: AnswerColumns['v'], q: AnswerColumns['q'] = 192): Series =>
  createSeries(REF, { n: 'T' }, { t, v, q });

test('times come as numbers or as texts, one quality may stand for all', () => {
  const series = seriesOf([1000, '1970-01-01T00:00:01.0000001Z'], [1, 2]);
  assert.deepEqual(series.timesMs, [1000, 1000]);
  assert.deepEqual(series.qualities, [192, 192]);
});

test('the point in force is the newest at or before a time', () => {
  const series = seriesOf([10, 20, 20, 30], [1, 2, 3, 4]);
  assert.equal(pointAt(series, 9), undefined);
  assert.equal(pointAt(series, 20)?.value, 3, 'the last of equal times');
  assert.equal(pointAt(series, 29)?.value, 3);
  assert.equal(pointAt(series, 1e9)?.value, 4);
});

test('the last time above a number', () => {
  const series = seriesOf([10, 20, 30, 40], [1, 2, 0, null]);
  assert.equal(lastAbove(series, 0), 20);
  assert.equal(lastAbove(series, 2), Number.NEGATIVE_INFINITY);
});

test('a tail brings what is not there yet, behind the last point and between those that are', () => {
  const series = seriesOf([10, 20], [1, 2]);
  const longer = addPoints(series, seriesOf([20, 25, 30], [9, 3, 4]));
  assert.deepEqual(longer.timesMs, [10, 20, 25, 30]);
  assert.deepEqual(longer.values, [1, 2, 3, 4]);
  assert.equal(addPoints(longer, seriesOf([30], [9])), longer, 'nothing new, nothing changed');
  // The stream has brought 60 and 70 before the answer that ends at 30 came.
  const ahead = addPoints(longer, seriesOf([60, 70], [7, 8], [192, 24]));
  const whole = addPoints(ahead, seriesOf([30, 40, 50, 60], [9, 5, 6, 9], 0));
  assert.deepEqual(whole.timesMs, [10, 20, 25, 30, 40, 50, 60, 70]);
  assert.deepEqual(whole.values, [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(whole.qualities, [192, 192, 192, 192, 0, 0, 192, 24]);
  assert.deepEqual(addPoints(seriesOf([], []), seriesOf([5], [1])).values, [1]);
});

test('what lies before the window goes, but for the point in force at its start', () => {
  assert.deepEqual(dropBefore(seriesOf([10, 20, 30], [1, 2, 3]), 25).timesMs, [20, 30]);
  assert.deepEqual(shiftSeries(seriesOf([10], [1]), 5).timesMs, [15]);
});

test('the extent covers what is carried in and leaves out null, text, and what is not wanted', () => {
  const series = seriesOf([0, 10, 20, 30, 99], [7, null, 'x', -1, 500], [192, 192, 192, 24, 192]);
  assert.deepEqual(extentOf(series, 5, 40), { min: -1, max: 7 });
  assert.deepEqual(extentOf(series, 5, 40, isGood), { min: 7, max: 7 });
  assert.equal(extentOf(seriesOf([10], [null]), 0, 20), undefined);
  assert.deepEqual(extentOf(seriesOf([10, 11], ['9007199254740993', true]), 0, 20), { min: 1, max: 9007199254740992 });
});

test('spans join equal values, are cut to the window, and the last lasts until now', () => {
  const series = seriesOf([0, 10, 20, 30], ['a', 'a', null, 'b']);
  const spans = spansOf(series, { startMs: 5, endMs: 100 }, 50).map(({ startMs, endMs, value }) => [
    startMs,
    endMs,
    value,
  ]);
  assert.deepEqual(spans, [
    [5, 20, 'a'],
    [20, 30, null],
    [30, 50, 'b'],
  ]);
});

test('a quality below 192 is bad until a good point comes', () => {
  const series = seriesOf([0, 10, 20, 30], [1, 2, 3, 4], [192, 0, 64, 192]);
  const spans = badSpans(series, { startMs: 0, endMs: 100 }, 100).map(({ startMs, endMs }) => [startMs, endMs]);
  assert.deepEqual(spans, [[10, 30]]);
});

test('statuses 64, 28 and 24 are said by name until one of 192, and others are not', () => {
  const series = seriesOf([0, 10, 20, 30, 40], [null, null, null, null, null], [192, 64, 192, 28, 24]);
  const spans = statusSpans(series, { startMs: 0, endMs: 100 }, 60);
  assert.deepEqual(
    spans.map(({ startMs, endMs, text }) => [startMs, endMs, text]),
    [
      [10, 20, 'No heartbeat'],
      [30, 40, 'Collector stopped'],
      [40, 60, 'Source lost'],
    ],
  );
});
