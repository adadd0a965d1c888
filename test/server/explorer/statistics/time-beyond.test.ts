// For how long a tag was beyond its limits: on the line that is drawn, and by what is known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeries } from '../../../../server/explorer/model/trend/series.ts';
import type { TagLimit } from '../../../../server/explorer/model/values/limits.ts';
import { beyondTexts } from '../../../../server/explorer/statistics/statistics-texts.ts';
import { timeBeyond } from '../../../../server/explorer/statistics/time-beyond.ts';

const MINUTE_MS = 60_000;
const limits: TagLimit[] = [
  { kind: 'low', value: 10 },
  { kind: 'high', value: 80 },
  { kind: 'high-high', value: 90 },
];
const window = { startMs: 0, endMs: 10 * MINUTE_MS };

type Point = readonly [minute: number, value: number | null, quality?: number];

function beyond(type: string, points: readonly Point[], of: 'points' | 'averages' = 'points') {
  const columns = {
    t: points.map(([minute]) => minute * MINUTE_MS),
    v: points.map(([, value]) => value),
    q: points.map(([, , quality = 192]) => quality),
  };
  const series = createSeries({ dataset: 'D', name: 'A' }, { n: 'A', t: type }, columns);
  return timeBeyond(series, limits, window, of);
}
const minutes = ({ times, knownMs }: ReturnType<typeof beyond>): number[] =>
  [...times.map(({ ms }) => ms), knownMs].map((ms) => Number((ms / MINUTE_MS).toFixed(6)));

test('a number with decimals is on the line between two points', () => {
  // From 70 to 100 in three minutes: above 80 for the last two of them, above 90 for one, and then at 100.
  const points: Point[] = [
    [0, 70],
    [3, 100],
    [5, 100],
    [5, 50],
  ];
  assert.deepEqual(minutes(beyond('System.Double', points)), [0, 4, 3, 10]);
});

test('whole numbers, and results of intervals, hold until the next', () => {
  const points: Point[] = [
    [0, 70],
    [4, 95],
    [5, 5],
  ];
  assert.deepEqual(minutes(beyond('System.Int32', points)), [5, 1, 1, 10]);
  assert.deepEqual(minutes(beyond('System.Double', points, 'averages')), [5, 1, 1, 10]);
});

test('what is not good, or null, is not known; what was in force at the start is cut to the window', () => {
  const points: Point[] = [
    [-10, 85],
    [2, 85, 64],
    [4, null],
    [6, 95],
  ];
  assert.deepEqual(minutes(beyond('System.Int32', points)), [0, 6, 4, 6]);
});

test('texts name the limits that were passed, with the time in what is pointed at', () => {
  const { text, title } = beyondTexts(
    beyond('System.Int32', [
      [0, 50],
      [5, 85],
      [9, 95],
    ]),
  );
  assert.equal(text, 'H 50 %, HH 10 %');
  assert.equal(title, 'above H 80 for 5 min, above HH 90 for 1 min');
  assert.equal(beyondTexts(beyond('System.Int32', [[0, 50]])).text, 'none');
  assert.equal(beyondTexts(beyond('System.Int32', [[0, 50]], 'averages')).text, '≈ none');
  assert.equal(beyondTexts(beyond('System.Int32', [])).text, '–');
  assert.equal(beyondTexts(undefined).title, 'The tag has no limits');
});
