import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TIME_MS, MIN_TIME_MS, PointColumns, ValueType } from '../../../engine/index.ts';
import { formatInstant, parseInstant, timeText, valueText } from '../../../replication/varve/http/point-text.ts';

function onePoint(): PointColumns {
  const points = new PointColumns(1);
  points.count = 1;
  return points;
}

test('times come back to the same tick, from the first year to the last', () => {
  for (const ms of [0, -1, 1.7e12, MIN_TIME_MS, MAX_TIME_MS])
    for (const ticks of [0, 1, 9_999]) {
      assert.deepEqual(parseInstant(formatInstant({ ms, ticks })), { ms, ticks });
      const points = onePoint();
      points.timesMs[0] = ms;
      points.ticks[0] = ticks;
      assert.deepEqual(parseInstant(JSON.parse(timeText(points, 0)) as number | string), { ms, ticks });
    }
  assert.deepEqual(parseInstant('2024-01-01T00:00:00.123Z'), { ms: Date.parse('2024-01-01T00:00:00.123Z'), ticks: 0 });
});

test('numbers keep every digit and the sign of zero; what JSON does not have is not written', () => {
  const points = onePoint();
  const written = (value: number): string | undefined => {
    points.numbers[0] = value;
    return valueText(points, 0, ValueType.Double);
  };
  assert.deepEqual([0.1, -0, 5e-324, -1e300].map(written), ['0.1', '-0', '5e-324', '-1e+300']);
  assert.deepEqual([Number.NaN, Number.POSITIVE_INFINITY].map(written), [undefined, undefined]);
});

test('whole numbers of 64 bits and times are texts with all of their digits', () => {
  const points = onePoint();
  const written = (value: bigint, type: ValueType): string | undefined => {
    points.bigints[0] = value;
    return valueText(points, 0, type);
  };
  assert.equal(written(-(2n ** 63n), ValueType.Int64), '"-9223372036854775808"');
  assert.equal(written(-1n, ValueType.UInt64), '"18446744073709551615"');
  assert.equal(written(1n, ValueType.DateTime), '"0001-01-01T00:00:00.0000001Z"');
  points.nulls[0] = 1;
  assert.equal(written(0n, ValueType.Int64), 'null');
});
