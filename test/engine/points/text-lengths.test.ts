// Points of long texts are taken a few at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PointColumns, ValueType } from '../../../engine/index.ts';
import { endOfBlockTexts, endOfTexts, MOST_BLOCK_CHARS } from '../../../engine/points/text-lengths.ts';

function columnsOf(lengths: readonly (number | null)[]): PointColumns {
  const points = new PointColumns(Math.max(1, lengths.length));
  for (const length of lengths) {
    const i = points.count++;
    if (length === null) points.nulls[i] = 1;
    else points.numbers[i] = points.texts.push('x'.repeat(length));
  }
  return points;
}

test('each part is as long as it may be, and all together are all points', () => {
  const length = fc.option(fc.integer({ min: 0, max: 30 }));
  fc.assert(
    fc.property(fc.array(length, { maxLength: 40 }), fc.integer({ min: 0, max: 60 }), (lengths, most) => {
      const points = columnsOf(lengths);
      const charsOf = (start: number, end: number): number =>
        lengths.slice(start, end).reduce<number>((sum, own) => sum + (own ?? 0), 0);
      for (let start = 0, end = 0; start < lengths.length; start = end) {
        end = endOfTexts(points, [start, lengths.length], most);
        assert.ok(end > start);
        if (end > start + 1) assert.ok(charsOf(start, end) <= most);
        if (end < lengths.length) assert.ok(charsOf(start, end + 1) > most);
      }
    }),
  );
});

test('blocks of numbers are divided by their points alone', () => {
  const points = columnsOf([MOST_BLOCK_CHARS, 10, MOST_BLOCK_CHARS]);
  assert.equal(endOfBlockTexts(ValueType.String, points, 0, 3), 1);
  assert.equal(endOfBlockTexts(ValueType.String, points, 1, 3), 2);
  assert.equal(endOfBlockTexts(ValueType.Double, points, 0, 3), 3);
});
