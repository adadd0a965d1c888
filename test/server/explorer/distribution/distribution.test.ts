import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  classesOf,
  correlationOf,
  medianOf,
  roundStep,
} from '../../../../server/explorer/distribution/distribution.ts';

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });

test('every value is in one class, and edges are round', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
      const classes = classesOf(values);
      assert.equal(
        classes.reduce((sum, { count }) => sum + count, 0),
        values.length,
      );
      assert.ok(classes.length <= 42, `${classes.length} classes`);
      for (const [i, one] of classes.entries()) {
        assert.ok(one.from < one.to);
        if (i > 0) assert.equal(one.from, classes[i - 1]?.to);
        const slack = (one.to - one.from) * 1e-6;
        const inside = values.filter((number) => number > one.from + slack && number < one.to - slack);
        assert.ok(inside.length <= one.count);
      }
    }),
  );
  assert.deepEqual(classesOf([]), []);
  for (const values of [
    [3e-323],
    [-3e-323, 0],
    [20.1, 20.1 + 3.6e-15],
    [0.3, 0.1 + 0.2],
    [1e12, 1e12 + 1],
    [0, 0],
    [7],
  ]) {
    const classes = classesOf(values);
    assert.ok(classes.length > 0 && classes.every(({ from, to }) => from < to), `${values}`);
    assert.equal(
      classes.reduce((sum, { count }) => sum + count, 0),
      values.length,
    );
  }
  assert.deepEqual(
    classesOf([0, 1, 2, 3, 4])
      .map(({ from }) => from)
      .slice(0, 4),
    [0, 0.2, 0.4, 0.6],
  );
  assert.deepEqual([0.11, 0.2, 3, 7, 10].map(roundStep), [0.2, 0.2, 5, 10, 10]);
});

test('median and correlation are those of the textbook', () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 2, 3]), 2.5);
  assert.equal(correlationOf([1, 2, 3], [10, 20, 30]), 1);
  assert.equal(correlationOf([1, 2, 3], [3, 2, 1]), -1);
  assert.ok(Math.abs(correlationOf([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) - 0.8) < 1e-12);
  assert.ok(Number.isNaN(correlationOf([1, 1], [1, 2])));
  const tenths = Array.from({ length: 10 }, () => 0.1);
  assert.ok(
    Number.isNaN(
      correlationOf(
        tenths,
        Array.from({ length: 10 }, (_, i) => i),
      ),
    ),
  );
});
