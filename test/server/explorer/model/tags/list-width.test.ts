import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptWidth, listWidth, widthByKey } from '../../../../../server/explorer/model/tags/list-width.ts';

test('the list of tags is as wide as wanted, and leaves room for the chart', () => {
  assert.equal(listWidth(420.4, 1280), 420);
  assert.equal(listWidth(10, 1280), 200);
  assert.equal(listWidth(5000, 1000), 700);
  assert.equal(listWidth(5000, 100), 200, 'never narrower than the least');
});

test('keys on its edge move it by steps, to its ends, and back to the usual', () => {
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', 'a'].map((key) => widthByKey(key, 300, 1000)),
    [284, 316, 200, 700, 316, undefined],
  );
});

test('what a browser has kept that is no width is the usual one', () => {
  assert.deepEqual([null, '', 'x', '-5', 'Infinity', '412'].map(keptWidth), [316, 316, 316, 316, 316, 412]);
});
