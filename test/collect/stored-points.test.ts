// The judge of the campaign of faults finds what it is there for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, type StoredPoint } from './faults/stored-points.ts';

const SET = [1, 2, 3].map((value) => ({ name: 'A', value, timeMs: value * 1000 }));

function stored(...values: readonly (readonly [timeMs: number, v: number | null])[]): StoredPoint[] {
  return values.map(([timeMs, v]) => ({ timeMs, v, q: v === null ? 24 : 192 }));
}

function judge(points: StoredPoint[], mayBeMarked: boolean): string[] {
  return compare({ set: SET, known: SET, stored: points }, mayBeMarked);
}

test('values that are missing, stored twice, at a wrong time or never set are found; a mark excuses a hole', () => {
  assert.deepEqual(judge(stored([1000, 1], [2000, 2], [3000, 3]), false), []);
  assert.deepEqual(judge(stored([1000, 1], [3000, 3]), false), ['1 values are not stored: 2']);
  assert.deepEqual(judge(stored([1000, 1], [1001, null], [3000, 3]), false), ['1 values are not stored: 2']);
  assert.deepEqual(judge(stored([1000, 1], [1001, null], [3000, 3]), true), []);
  assert.deepEqual(judge(stored([1000, 1], [3000, 3]), true), ['1 values are neither stored nor marked: 2']);
  assert.deepEqual(judge(stored([1000, 1], [2000, 2], [2500, 2], [3000, 3]), false), ['1 values are stored twice: 2']);
  assert.deepEqual(judge(stored([1000, 1], [2500, 2], [3000, 3]), false), ['1 values are not stored: 2']);
  assert.deepEqual(judge(stored([1000, 1], [2000, 2], [3000, 3], [4000, 9]), false), [
    '1 values are stored and never set: 9',
  ]);
});

test('a hole of a clock that was set back is marked behind the value set before it, or before the one set after it', () => {
  const back = [
    { name: 'A', value: 1, timeMs: 1000 },
    { name: 'A', value: 2, timeMs: 1200 },
    { name: 'A', value: 3, timeMs: 400 },
    { name: 'A', value: 4, timeMs: 500 },
  ];
  const judgeBack = (points: StoredPoint[]): string[] => compare({ set: back, known: back, stored: points }, true);
  assert.deepEqual(judgeBack(stored([500, 4], [1000, 1])), ['2 values are neither stored nor marked: 2, 3']);
  assert.deepEqual(judgeBack(stored([499, null], [500, 4], [1000, 1])), []);
  assert.deepEqual(judgeBack(stored([500, 4], [1000, 1], [1001, null])), []);
  assert.deepEqual(judgeBack(stored([500, 4], [700, null], [800, 1], [1000, 1])).length, 2);
});
