// Cursors that stay: their order, and the value of a line between two points.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolatedAt, withPin } from '../../../../../server/explorer/model/trend/pins.ts';
import { createSeries } from '../../../../../server/explorer/model/trend/series.ts';

test('a pin is put in the order of time, and taken away where one is near', () => {
  assert.deepEqual(withPin([10, 30], 20, 5), [10, 20, 30]);
  assert.deepEqual(withPin([10, 20, 30], 23, 5), [10, 30]);
  assert.deepEqual(withPin([10], 10, 0), []);
});

test('the line between two good points has a value of its own; steps, gaps and what is not good have none', () => {
  const columns = { t: [0, 10, 20, 30], v: [0, 5, null, 9], q: [192, 192, 192, 64] };
  const line = createSeries({ dataset: 'D', name: 'A' }, { n: 'A', t: 'System.Double' }, columns);
  assert.deepEqual(
    [0, 4, 10, 25, 40].map((at) => interpolatedAt(line, at)),
    [0, 2, undefined, undefined, undefined],
  );
  assert.equal(interpolatedAt({ ...line, tag: { n: 'A', t: 'System.Int32' } }, 4), undefined);
  assert.equal(interpolatedAt({ ...line, tag: { ...line.tag, aggregate: 'average of 10 s' } }, 4), undefined);
});
