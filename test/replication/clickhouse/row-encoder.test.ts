import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { RowReader } from '../../../centre/points/row-reader.ts';
import { MAX_TIME_MS, MIN_TIME_MS, PointColumns, ValueType } from '../../../engine/index.ts';
import { RowEncoder } from '../../../replication/clickhouse/row-encoder.ts';
import type { TagDocument } from '../../../replication/sink.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const TAG: TagDocument = {
  id: 70_000_000_001,
  revision: 1,
  isDeleted: false,
  definition: { name: 'T', type: ValueType.Double },
  isSystem: false,
  lateOf: undefined,
  deleted: [],
};
const TIMES = [0, -1, 1.7e12, MIN_TIME_MS, MAX_TIME_MS, -(2 ** 33), 2 ** 40 + 1];
const NUMBERS = [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE];
const TEXTS = ['', 'a', 'Grüße 🌊', 'x'.repeat(127), 'x'.repeat(128), 'ü'.repeat(20_000)];

function fill(random: SeededRandom, type: ValueType, count: number): PointColumns {
  const points = new PointColumns(count);
  for (let i = 0; i < count; i++) {
    points.count++;
    points.timesMs[i] = random.pick(TIMES);
    points.ticks[i] = random.below(10_000);
    points.qualities[i] = random.pick([192, 0, -5, 2 ** 31 - 1]);
    points.nulls[i] = random.chance(0.2) ? 1 : 0;
    if (points.nulls[i]) continue;
    if (type === ValueType.String) points.numbers[i] = points.texts.push(random.pick(TEXTS));
    else if (type === ValueType.Int64) points.bigints[i] = random.pick([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]);
    else points.numbers[i] = random.pick(NUMBERS);
  }
  return points;
}

/** In pieces of any length, as a network gives them. */
function* pieces(bytes: Buffer, random: SeededRandom): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + 1 + random.below(random.chance(0.5) ? 20 : 50_000));
    yield Buffer.from(bytes.subarray(at, end));
    at = end;
  }
}

test('rows that were written are read as they were, however they are cut', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  for (let trial = 0; trial < 60; trial++) {
    const type = random.pick([ValueType.Double, ValueType.String, ValueType.Int64]);
    const points = fill(random, type, 1 + random.below(40));
    const firstOrdinal = random.pick([0, 2 ** 32 - 3, 2 ** 51]);
    const run = { tag: TAG, name: 'A', type, start: 0, count: points.count, firstOrdinal };
    const writer = new RowEncoder(1);
    for (let i = 0; i < points.count; i++) writer.add(7n, run, { points, runs: [run] }, i);
    // A query selects all columns but the first.
    const selected = withoutDataset(writer.bytes, points, type);
    const reader = new RowReader(Readable.from(pieces(selected, random), { objectMode: false }));
    let at = 0;
    for (let rows = await reader.next(); rows; rows = await reader.next()) {
      for (let i = 0; i < rows.points.count; i++, at++) {
        assert.equal(rows.tags[i], TAG.id);
        assert.equal(rows.ordinals[i], firstOrdinal + at);
        assert.equal(rows.types[i], type);
        assert.equal(rows.points.timesMs[i], points.timesMs[at]);
        assert.equal(rows.points.ticks[i], points.ticks[at]);
        assert.equal(rows.points.qualities[i], points.qualities[at]);
        assert.equal(rows.points.nulls[i], points.nulls[at]);
        assert.deepEqual(valueIn(rows.points, i, type), valueIn(points, at, type));
      }
    }
    assert.equal(at, points.count);
  }
});

test('an answer that ends within a row is no answer', async () => {
  const points = fill(new SeededRandom(1), ValueType.Double, 2);
  const run = { tag: TAG, name: 'A', type: ValueType.Double, start: 0, count: 2, firstOrdinal: 0 };
  const writer = new RowEncoder(1);
  writer.add(7n, run, { points, runs: [run] }, 0);
  const reader = new RowReader(Readable.from([Buffer.from(writer.bytes.subarray(8, 40))], { objectMode: false }));
  await assert.rejects(() => reader.next(), /ends within a row/);
});

function valueIn(points: PointColumns, i: number, type: ValueType): unknown {
  if (points.nulls[i]) return null;
  if (type === ValueType.String) return points.texts.at(points.numbers[i] as number);
  return type === ValueType.Int64 ? points.bigints[i] : points.numbers[i];
}

function withoutDataset(bytes: Buffer, points: PointColumns, type: ValueType): Buffer {
  const rows: Buffer[] = [];
  for (let i = 0, at = 0; i < points.count; i++) {
    const text = type === ValueType.String && !points.nulls[i] ? points.texts.at(points.numbers[i] as number) : '';
    const length = Buffer.byteLength(text);
    let lengthBytes = 1;
    for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) lengthBytes++;
    const end = at + 54 + lengthBytes + length;
    rows.push(bytes.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(rows);
}
