// Functions that go by what was before: over points, whose values hold until the next one, and over results of intervals.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstMoment, parseExpression } from '../../../server/calculation/expression.ts';
import { parseSpan } from '../../../server/calculation/history-functions.ts';

interface Given {
  /** Seconds. */
  readonly at: number;
  readonly v: number;
  readonly q?: number;
  /** Absent for points. */
  readonly to?: number;
}

/** Values and qualities of an expression of the tag `a`, asked for from 0 s on. */
function results(text: string, given: readonly Given[]): [value: number, quality: number][] {
  const expression = parseExpression(text);
  const moment = firstMoment(expression, 0);
  return given.map(({ at, v, q = 192, to = at }) => {
    moment.timeMs = at * 1000;
    moment.endMs = to * 1000;
    moment.qualities[0] = q;
    moment.quality = q;
    const value = expression.evaluate(Float64Array.of(v), moment);
    return [value, moment.quality];
  });
}

function valuesOf(text: string, given: readonly Given[]): number[] {
  return results(text, given).map(([value]) => value);
}

const POINTS = [0, 10, 30].map((at) => ({ at, v: at }));
const INTERVALS = [0, 10, 20].map((at) => ({ at, v: at + 1, to: at + 10 }));

describe('functions of what was before', () => {
  it('know the value before, and its quality', () => {
    assert.deepEqual(valuesOf('previous(a)', POINTS), [Number.NaN, 0, 10]);
    assert.deepEqual(valuesOf('a - previous(a)', INTERVALS), [Number.NaN, 10, 10]);
    assert.deepEqual(valuesOf('previous(previous(a))', POINTS), [Number.NaN, Number.NaN, 0]);
    const [, second] = results('previous(a)', [
      { at: 0, v: 1, q: 64 },
      { at: 1, v: 2 },
    ]);
    assert.deepEqual(second, [1, 64]);
  });

  it('have the rate of change for a second, or for the time that is named', () => {
    assert.deepEqual(valuesOf('rate(a)', POINTS), [Number.NaN, 1, 1]);
    assert.deepEqual(valuesOf("rate(a, 'h')", POINTS), [Number.NaN, 3600, 3600]);
    const gap = [
      { at: 0, v: 0 },
      { at: 5, v: Number.NaN, q: 0 },
      { at: 10, v: 20 },
    ];
    assert.deepEqual(valuesOf('rate(a)', gap), [Number.NaN, Number.NaN, 2], 'over a gap that between its ends');
  });

  it('add up over time: points until now, intervals to their ends', () => {
    assert.deepEqual(valuesOf('integral(a)', POINTS), [0, 0, 200]);
    assert.deepEqual(valuesOf("integral(a, 'm')", [...POINTS, { at: 60, v: 0 }]), [0, 0, 200 / 60, 200 / 60 + 15]);
    assert.deepEqual(valuesOf('integral(a)', INTERVALS), [10, 120, 330]);
  });

  it('add up nothing from before the start, and say when something is missing', () => {
    assert.deepEqual(
      valuesOf('integral(a)', [
        { at: -5, v: 2 },
        { at: 5, v: 0 },
      ]),
      [Number.NaN, 10],
    );
    const broken = [
      { at: 0, v: 1 },
      { at: 10, v: 5, q: 0 },
      { at: 20, v: 1 },
      { at: 30, v: 1 },
    ];
    assert.deepEqual(results('integral(a)', broken), [
      [0, 192],
      [10, 0],
      [10, 64],
      [20, 64],
    ]);
  });

  it('have the average over the last span, by time', () => {
    assert.deepEqual(valuesOf("movingAverage(a, '20s')", [...POINTS, { at: 40, v: 0 }]), [0, 0, 10, 20]);
    assert.deepEqual(valuesOf("movingAverage(a, '15s')", INTERVALS), [
      1,
      (1 * 5 + 11 * 10) / 15,
      (11 * 5 + 21 * 10) / 15,
    ]);
    assert.deepEqual(valuesOf("movingAverage(a, '1s')", INTERVALS), [1, 11, 21], 'shorter than an interval');
  });

  it('have it of what is known, and say when something is missing', () => {
    const given = [0, 10, 20, 30].map((at) => ({
      at,
      v: at === 10 ? Number.NaN : 4,
      to: at + 10,
      q: at === 10 ? 0 : 192,
    }));
    assert.deepEqual(results("movingAverage(a, '20s')", given), [
      [4, 192],
      [4, 0],
      [4, 64],
      [4, 192],
    ]);
  });

  it('keep their digits over very many values, and what they hold within bounds', () => {
    const given = Array.from({ length: 200_000 }, (_, i) => ({ at: i, v: i === 0 ? 1e15 : 0.1 }));
    const last = valuesOf("movingAverage(a, '150000s')", given).at(-1) as number;
    assert.ok(Math.abs(last - 0.1) < 1e-12, String(last));
  });

  it('have a state for each call', () => {
    assert.deepEqual(valuesOf('integral(a) - integral(a) + previous(a)', POINTS), [Number.NaN, 0, 10]);
  });

  it('say how far they go back', () => {
    const leadOf = (text: string) => parseExpression(text).lead;
    assert.equal(leadOf('a + 1'), undefined);
    assert.deepEqual(leadOf('integral(a)'), { intervals: 0, spanMs: 0 });
    assert.deepEqual(leadOf("movingAverage(a, '1h') - movingAverage(b, '2h')"), { intervals: 0, spanMs: 7_200_000 });
    assert.deepEqual(leadOf("rate(movingAverage(previous(a), '1m'))"), { intervals: 2, spanMs: 60_000 });
  });
});

describe('a span', () => {
  for (const [text, spanMs] of [
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['h', 3_600_000],
    ['d', 86_400_000],
    ['2w', 1_209_600_000],
    ['', undefined],
    ['0s', undefined],
    ['10', undefined],
    ['1M', undefined],
    ['-5m', undefined],
  ] as const) {
    it(`is ${spanMs} ms for '${text}'`, () => assert.equal(parseSpan(text), spanMs));
  }
});
