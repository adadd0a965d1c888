// The line by least squares: what it is, where it is drawn, and how it is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineInPlane, regressionOf, regressionText } from '../../../../server/explorer/distribution/regression.ts';

const plane = { x: { from: 0, to: 10 }, y: { from: 0, to: 10 } };

test('a straight line is found as it is, and explains everything', () => {
  const line = regressionOf([0, 1, 2, 3], [-3, -1, 1, 3]);
  assert.deepEqual(line, { slope: 2, intercept: -3, r2: line?.r2 });
  assert.ok(Math.abs((line?.r2 ?? 0) - 1) < 1e-12);
});

test('of values that scatter it is that of least squares', () => {
  // By hand: means 2 and 2.5, sums of squares 10 and 11, of products 9.5.
  const line = regressionOf([0, 1, 2, 3, 4], [1, 1, 2, 4.5, 4]);
  assert.ok(line !== undefined);
  assert.ok(Math.abs(line.slope - 0.95) < 1e-12, String(line.slope));
  assert.ok(Math.abs(line.intercept - 0.6) < 1e-12, String(line.intercept));
  assert.ok(Math.abs(line.r2 - 0.95 ** 2 * (10 / 11)) < 1e-12, String(line.r2));
});

test('where one does not vary there is none', () => {
  assert.equal(regressionOf([1, 1, 1], [1, 2, 3]), undefined);
  assert.equal(regressionOf([1, 2, 3], [5, 5, 5]), undefined);
  assert.equal(regressionOf([1], [1]), undefined);
});

test('it is drawn inside of the plane only', () => {
  assert.deepEqual(lineInPlane({ slope: 2, intercept: -4, r2: 1 }, plane), [
    [2, 0],
    [7, 10],
  ]);
  assert.deepEqual(lineInPlane({ slope: -1, intercept: 5, r2: 1 }, plane), [
    [0, 5],
    [5, 0],
  ]);
  assert.deepEqual(lineInPlane({ slope: 0, intercept: 5, r2: 0 }, plane), [
    [0, 5],
    [10, 5],
  ]);
  assert.equal(lineInPlane({ slope: 1, intercept: 50, r2: 1 }, plane), undefined);
});

test('it is said with four digits', () => {
  const text = regressionText({ slope: 2.012345, intercept: -3.5, r2: 0.9712 }, 'Level', 'Flow');
  assert.equal(text, 'Flow = 2.012 × Level - 3.5, r² 0.97');
});
