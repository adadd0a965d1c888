// What is in a file of points, as another program reads it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import { ValueType } from '../../../engine/index.ts';
import { encodePoints } from '../../../replication/parquet/points-file.ts';
import { rowsOf } from './read-rows.ts';
import { batchOf, DATASET, plainPoints, pointsOfAllTypes, rowOf, type SamplePoint } from './sample-points.ts';

function encode(points: readonly SamplePoint[]): Promise<Uint8Array> {
  const batch = batchOf(points);
  return encodePoints(DATASET, batch, batch.runs);
}

test('points of all types are read back as they were: values, nulls, qualities, times to 100 ns', async () => {
  const points = pointsOfAllTypes(64);
  assert.deepStrictEqual(await rowsOf(await encode(points)), points.map(rowOf));
});

test('each type alone is read back: also where all values of a column are null', async () => {
  const all = pointsOfAllTypes(64);
  for (const type of Object.values(ValueType)) {
    const points = all.filter((point) => point.type === type).map((point, ordinal) => ({ ...point, ordinal }));
    assert.notEqual(points.length, 0, `no value of type ${type}`);
    assert.deepStrictEqual(await rowsOf(await encode(points)), points.map(rowOf), `type ${type}`);
  }
});

test('0 and -0 stay apart among many equal values', async () => {
  const points = plainPoints(64, 0, 10_000).map((point) => ({ ...point, value: point.ordinal % 3 === 0 ? -0 : 0 }));
  assert.deepStrictEqual(await rowsOf(await encode(points)), points.map(rowOf));
});

test('one point makes a file', async () => {
  const points = plainPoints(64, 2 ** 40, 1);
  assert.deepStrictEqual(await rowsOf(await encode(points)), points.map(rowOf));
});

test('many points make several row groups, which say which tags and times they have', async () => {
  const points = [64, 65, 66].flatMap((tag) => plainPoints(tag, 10, 5_000));
  const file = await encode(points);
  assert.deepStrictEqual(await rowsOf(file), points.map(rowOf));
  const { row_groups: groups } = parquetMetadata(new Uint8Array(file).buffer);
  assert.ok(groups.length > 2, `${groups.length} row groups`);
  const tags = groups.map(({ columns }) => columns[0]?.meta_data?.statistics);
  assert.deepEqual([tags[0]?.min_value, tags.at(-1)?.max_value], [64n, 66n]);
});

test('long texts make row groups of fewer points, and all are read back', async () => {
  const points = plainPoints(64, 0, 500).map((point) => ({
    ...point,
    type: ValueType.String,
    value: `${point.ordinal} `.repeat(1_000),
  }));
  const file = await encode(points);
  assert.deepStrictEqual(await rowsOf(file), points.map(rowOf));
  assert.ok(parquetMetadata(new Uint8Array(file).buffer).row_groups.length > 3);
});

test('a file says what it is of, and the same points have the same bytes', async () => {
  const points = pointsOfAllTypes(64);
  const file = await encode(points);
  assert.deepEqual(await encode(points), file);
  const { key_value_metadata: about } = parquetMetadata(new Uint8Array(file).buffer);
  assert.deepEqual(about, [
    { key: 'varve.dataset', value: DATASET.name },
    { key: 'varve.identity', value: DATASET.identity },
  ]);
});
