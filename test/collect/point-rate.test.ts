import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PointRate } from '../../collect/point-rate.ts';

test('the rate is that of the last ten whole seconds, and falls to nothing when points stop', () => {
  const rate = new PointRate();
  for (let second = 0; second < 20; second++) rate.add(second < 10 ? 1000 : 50, second * 1000 + 500);
  assert.equal(rate.perSecond(20_100), 50);
  rate.add(1000, 20_200);
  assert.equal(rate.perSecond(20_900), 50);
  assert.equal(rate.perSecond(25_500), (5 * 50 + 1000) / 10);
  assert.equal(rate.perSecond(60_000), 0);
});
