import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Unpackr } from 'msgpackr';
import { buildLoad, type LoadShape, W1 } from '../../bench/workloads/write-load.ts';

interface Point {
  readonly t: string | number;
  readonly v: number;
  readonly q?: number;
}
type Columns = { readonly t: ArrayLike<number>; readonly v: ArrayLike<number>; readonly q: number };

const SHAPE: LoadShape = { ...W1, tagCount: 4, pointsATag: 70, pointsARequest: 7 };
const unpackr = new Unpackr({ useRecords: false, structuredClone: true });

/** Points by tag, `[ms, value]` each, of a whole load in order. */
function pointsOf(shape: LoadShape): Map<string, [number, number][]> {
  const points = new Map<string, [number, number][]>();
  for (const { body } of buildLoad(shape, 7).requests.flat()) {
    for (const [name, run] of Object.entries(decode(shape, body))) {
      points.set(name, [...(points.get(name) ?? []), ...listOf(run)]);
    }
  }
  return points;
}

function decode({ format }: LoadShape, body: Buffer): Record<string, Point[] | Columns> {
  if (format.startsWith('msgpack')) return unpackr.unpack(body) as Record<string, Point[] | Columns>;
  return JSON.parse((format === 'gzip-json' ? gunzipSync(body) : body).toString()) as Record<string, Point[]>;
}

function listOf(run: Point[] | Columns): [number, number][] {
  if (!Array.isArray(run)) return Array.from(run.t, (ms, i) => [ms, run.v[i] as number]);
  return run.map(({ t, v }) => [typeof t === 'number' ? t : Date.parse(t), v]);
}

test('every format carries the same points', () => {
  const expected = pointsOf(SHAPE);
  assert.equal(expected.size, SHAPE.tagCount);
  for (const points of expected.values()) assert.equal(points.length, SHAPE.pointsATag);
  for (const format of ['gzip-json', 'json-columns', 'msgpack', 'msgpack-columns'] as const) {
    assert.deepEqual(pointsOf({ ...SHAPE, format }), expected, format);
  }
});

test('times of a tag ascend, values have two decimals, and the seed decides', () => {
  const points = pointsOf(SHAPE);
  for (const list of points.values()) {
    for (const [i, [ms, value]] of list.entries()) {
      assert.ok(i === 0 || ms > (list[i - 1] as [number, number])[0]);
      assert.equal(Number(value.toFixed(2)), value);
    }
  }
  assert.deepEqual(buildLoad(SHAPE, 7).requests, buildLoad(SHAPE, 7).requests);
  assert.notDeepEqual(buildLoad(SHAPE, 7).requests, buildLoad(SHAPE, 8).requests);
});

test('the untidy body is JSON with keys in several orders', () => {
  const { requests } = buildLoad({ ...SHAPE, format: 'untidy-json', kind: 'mixed' }, 7);
  const orders = new Set<string>();
  for (const { body } of requests.flat()) {
    const runs = JSON.parse(body.toString()) as Record<string, Point[]>;
    for (const point of Object.values(runs).flat()) orders.add(Object.keys(point).join());
  }
  assert.ok(orders.size >= 4, [...orders].join(' '));
});
