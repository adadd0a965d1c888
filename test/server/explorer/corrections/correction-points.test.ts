// What a correction brings instead of the points that it hides.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOf } from '../../../../server/explorer/corrections/correction-points.ts';

const [start, end] = ['2026-01-05T08:00:00.000Z', '2026-01-05T08:10:00.000Z'];

test('one value for a range is a level: it has a point at each end', () => {
  assert.deepEqual(pointsOf({ kind: 'replace', start, end, value: 5 }), [
    { t: start, v: 5 },
    { t: end, v: 5 },
  ]);
  assert.deepEqual(pointsOf({ kind: 'replace', start, end: start, value: 5 }), [{ t: start, v: 5 }]);
});

test('an insertion has one point, a deletion none', () => {
  assert.deepEqual(pointsOf({ kind: 'insert', start, end: start, value: false }), [{ t: start, v: false }]);
  assert.deepEqual(pointsOf({ kind: 'delete', start, end, value: undefined }), []);
});
