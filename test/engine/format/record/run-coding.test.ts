// The points of a journal record come back bit for bit, whatever the coding that the run before has left.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { RunDecoder } from '../../../../engine/format/record/run-decoder.ts';
import { RunEncoder } from '../../../../engine/format/record/run-encoder.ts';
import { MAX_PLAIN_DECIMALS, NOT_PLAIN, PointColumns, ValueType } from '../../../../engine/types.ts';
import { makePlain } from '../../../support/plain-batches.ts';
import { checkProperty } from '../properties.ts';

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

test('runs of doubles come back bit for bit, one behind the other, plain ones among them', () => {
  checkProperty(request, (runs) => {
    const out = new ByteWriter(16);
    const encoder = new RunEncoder(out);
    for (const [i, run] of runs.entries()) {
      const head = { tagId: 64 + i, firstOrdinal: i, count: run.length, type: ValueType.Double, stamped: 0 };
      const points = columnsOf(run);
      const decimals = makePlain(points, 0, run.length);
      const isWritten = decimals !== NOT_PLAIN && encoder.plainRun(head, points, 0, decimals);
      if (!isWritten) encoder.run(head, columnsOf(run), 0);
    }
    assertCameBack(out, runs.map(columnsOf));
  });
});

const whole = fc.oneof(
  fc.integer({ min: -120, max: 120 }),
  fc.integer({ min: -30_000, max: 30_000 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);
const plainRun = fc.record({
  decimals: fc.nat(MAX_PLAIN_DECIMALS),
  points: fc.array(fc.record({ step: fc.oneof(fc.nat(0xffff), fc.nat(2 ** 31 - 1)), mantissa: whole }), {
    minLength: 1,
    maxLength: 60,
  }),
});

test('plain runs come back whole, whatever the size of their words; those out of order are not written', () => {
  checkProperty(fc.array(plainRun, { minLength: 1, maxLength: 8 }), (runs) => {
    const out = new ByteWriter(16);
    const encoder = new RunEncoder(out);
    const written: PointColumns[] = [];
    for (const [i, run] of runs.entries()) {
      const points = plainColumnsOf(run.points);
      const head = { tagId: 64 + i, firstOrdinal: i, count: points.count, type: ValueType.Double, stamped: 0 };
      const { length } = out;
      const ascends = points.offsets.every((offset, k) => k === 0 || offset > (points.offsets[k - 1] as number));
      const isWritten = encoder.plainRun(head, points, 0, run.decimals);
      assert.equal(isWritten, ascends);
      if (!isWritten) assert.equal(out.length, length);
      points.spread(0, points.count, run.decimals);
      if (isWritten) written.push(points);
    }
    assertCameBack(out, written);
  });
});

test('a point of a steady plain run takes three bytes', () => {
  const points = plainColumnsOf(Array.from({ length: 10 }, (_, i) => ({ step: 1000, mantissa: i })));
  const out = new ByteWriter();
  const head = { tagId: 64, firstOrdinal: 0, count: 10, type: ValueType.Double, stamped: 0 };
  const encoder = new RunEncoder(out);
  assert.ok(encoder.plainRun(head, points, 0, 2));
  assert.equal(out.length - encoder.columnsStart, 1 + 9 * 3);
});

/** The offsets wrap like int32 do, as those of points far from each other would. */
function plainColumnsOf(run: readonly { readonly step: number; readonly mantissa: number }[]): PointColumns {
  const points = new PointColumns(run.length);
  points.baseMs = Date.UTC(2026, 0, 1);
  points.count = run.length;
  let offset = 0;
  for (const [i, { step, mantissa }] of run.entries()) {
    offset = (offset + step) | 0;
    points.offsets[i] = offset;
    points.mantissas[i] = mantissa;
  }
  return points;
}

function assertCameBack(out: ByteWriter, runs: readonly PointColumns[]): void {
  const decoder = new RunDecoder(new ByteReader(out.written()));
  const target = new PointColumns(1);
  for (const sent of runs) {
    const { count } = decoder.run(target);
    assert.equal(count, sent.count);
    for (const column of ['timesMs', 'numbers', 'qualities', 'nulls', 'ticks'] as const) {
      assert.deepEqual(target[column].slice(0, count), sent[column].slice(0, count), column);
    }
  }
}

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
