// The points of a journal record come back bit for bit, whatever the coding that the run before has left.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../../engine/format/byte-cursors.ts';
import type { RunHead } from '../../../engine/format/run-coding.ts';
import { RunDecoder } from '../../../engine/format/run-decoder.ts';
import { RunEncoder } from '../../../engine/format/run-encoder.ts';
import { PointColumns, ValueType } from '../../../engine/types.ts';
import { checkProperty } from './properties.ts';

interface SentPoint {
  readonly step: number;
  readonly value: number;
  readonly quality: number;
}

const number = fc.oneof(
  fc.integer({ min: -10_000, max: 10_000 }).map((whole) => whole / 100),
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 1e6),
  fc.double(),
  fc.constantFrom(0, -0, 2 ** 50, 2 ** 50 + 1, -(2 ** 51), 1e21, 5e-324, Number.MAX_VALUE),
);
const point = fc.record({
  step: fc.oneof(fc.nat(300), fc.nat(1e10)),
  value: number,
  quality: fc.oneof(fc.constant(192), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
});
const request = fc.array(fc.array(point, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 8 });

const WAYS: Readonly<Record<string, (encoder: RunEncoder, head: RunHead, points: PointColumns) => void>> = {
  'the general way': (encoder, head, points) => encoder.run(head, points, 0),
  'the short cut, where it can be taken': (encoder, head, points) => {
    if (!encoder.plainRun(head, points, 0)) encoder.run(head, points, 0);
  },
};

for (const [way, encode] of Object.entries(WAYS)) {
  test(`runs of doubles come back bit for bit, one behind the other, written by ${way}`, () => {
    checkProperty(request, (runs) => {
      const out = new ByteWriter(16);
      const encoder = new RunEncoder(out);
      for (const [i, run] of runs.entries()) {
        const head = { tagId: 64 + i, firstOrdinal: i, count: run.length, type: ValueType.Double, stamped: 0 };
        encode(encoder, head, columnsOf(run));
      }
      const decoder = new RunDecoder(new ByteReader(out.written()));
      const target = new PointColumns(1);
      for (const run of runs) {
        const { count } = decoder.run(target);
        assert.equal(count, run.length);
        const sent = columnsOf(run);
        for (const column of ['timesMs', 'numbers', 'qualities', 'nulls', 'ticks'] as const) {
          assert.deepEqual(target[column].slice(0, count), sent[column], column);
        }
      }
    });
  });
}

test('the short cut takes good numbers in ascending time, whatever their digits, and writes nothing of others', () => {
  const tryRun = (values: readonly number[], step: number, quality: number): number => {
    const out = new ByteWriter();
    const head = { tagId: 64, firstOrdinal: 0, count: values.length, type: ValueType.Double, stamped: 0 };
    const run = columnsOf(values.map((value) => ({ step, value, quality })));
    assert.equal(new RunEncoder(out).plainRun(head, run, 0), out.length > 0);
    return out.length;
  };
  assert.ok(tryRun([1.5, 20, -3], 1000, 192) > 0);
  assert.ok(tryRun([1.5, Math.PI, -0], 1000, 192) > 0);
  assert.equal(tryRun([1.5, 20], 0, 192), 0, 'the same time twice');
  assert.equal(tryRun([1.5, 20], 1000, 0), 0, 'bad quality');
});

test('a value that needs a digit less than those before it takes no bytes to say so', () => {
  const sizeOf = (values: readonly number[]): number => {
    const out = new ByteWriter();
    const encoder = new RunEncoder(out);
    for (const [i, value] of values.entries()) {
      const head = { tagId: 64 + i, firstOrdinal: 0, count: 1, type: ValueType.Double, stamped: 0 };
      encoder.run(head, columnsOf([{ step: 0, value, quality: 192 }]), 0);
    }
    return out.length;
  };
  assert.equal(sizeOf([20.11, 20.1, 20.12]), sizeOf([20.11, 20.13, 20.12]));
});

function columnsOf(run: readonly SentPoint[]): PointColumns {
  const points = new PointColumns(run.length);
  let ms = Date.UTC(2026, 0, 1);
  for (const [i, { step, value, quality }] of run.entries()) {
    ms += step;
    points.timesMs[i] = ms;
    points.numbers[i] = value;
    points.qualities[i] = quality;
  }
  points.count = run.length;
  return points;
}
