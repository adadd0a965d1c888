// Points are put in order of time, with all that belongs to them; equal times keep their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PointColumns } from '../../../engine/index.ts';
import { stableOrder } from '../../../engine/points/stable-order.ts';
import { orderByTime } from '../../../engine/points/time-order.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

/** NaN with a pattern of its own, which a copy as a number need not keep. */
const ODD_BITS = 0x7ff4_0000_0000_0001n;

for (const [count, spanMs] of [
  [3, 10],
  [4095, 500],
  [4096, 500],
  [20_000, 100_000],
  [20_000, 2 ** 40],
] as const) {
  test(`${count} times within ${spanMs} ms, before 1970 too, with ticks and without`, () => {
    const random = new SeededRandom(count);
    for (const mostTicks of [1, 10_000]) {
      const timesMs = Float64Array.from({ length: count }, () => random.below(spanMs) - Math.floor(spanMs / 2));
      const ticks = Uint16Array.from({ length: count }, () => random.below(mostTicks));
      const want = Array.from(timesMs.keys()).sort(
        (a, b) => (timesMs[a] as number) - (timesMs[b] as number) || (ticks[a] as number) - (ticks[b] as number),
      );
      assert.deepEqual([...stableOrder(timesMs, ticks)], want);
    }
  });
}

test('each point keeps what belongs to it, bit for bit, and others stay where they are', () => {
  const points = new PointColumns(6);
  points.count = 6;
  for (const [i, ms] of [9, 5, 3, 5, 1, 0].entries()) {
    points.timesMs[i] = ms;
    points.ticks[i] = i;
    points.bigints[i] = ODD_BITS + BigInt(i);
    points.nulls[i] = i % 2;
    points.qualities[i] = 100 + i;
  }
  orderByTime(points, 1, 4);
  assert.deepEqual([...points.timesMs], [9, 1, 3, 5, 5, 0]);
  assert.deepEqual([...points.ticks], [0, 4, 2, 1, 3, 5]);
  assert.deepEqual(
    [...points.bigints],
    [0, 4, 2, 1, 3, 5].map((i) => ODD_BITS + BigInt(i)),
  );
  assert.deepEqual([...points.nulls], [0, 0, 0, 1, 1, 1]);
  assert.deepEqual([...points.qualities], [100, 104, 102, 101, 103, 105]);
});
