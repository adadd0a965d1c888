// Sums and means against rational numbers of any size: right to the last bit, or the one before, in whatever parts they are
// added up, and never outside of the values.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExactSum } from '../../../../engine/aggregates/input/exact-sum.ts';
import { Integral } from '../../../../engine/aggregates/input/integral.ts';
import { PointWindow } from '../../../../engine/aggregates/input/point-window.ts';
import { chooseSeed, SeededRandom } from '../../../support/seeded-random.ts';

/** A double in units of 2^-1074, of which every one is a whole number. */
function rational(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const magnitude = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** Whether a double is within a unit of its last place of a fraction. */
function isNearest(value: number, top: bigint, bottom: bigint): boolean {
  const error = rational(value) * bottom - top;
  const place = rational(Math.max(Number.MIN_VALUE, Math.abs(value) * Number.EPSILON)) * bottom;
  return 2n * (error < 0n ? -error : error) <= place + 2n * bottom;
}

type Kind = 'near' | 'wild' | 'huge' | 'alike';

function valuesOf(random: SeededRandom, kind: Kind, count: number): number[] {
  const alike = random.below(2 ** 30) / 7;
  return Array.from({ length: count }, () => {
    if (kind === 'alike') return alike;
    if (kind === 'near') return 1e15 + random.below(10);
    if (kind === 'huge') return (random.chance(0.5) ? 1.7e308 : -1.7e308) * random.pick([1, 0.5, 1e-10]);
    return (random.below(2 ** 30) - 2 ** 29) * 10 ** (random.below(60) - 30);
  });
}

describe('sums of very many numbers', () => {
  const seed = chooseSeed();
  const random = new SeededRandom(seed);

  for (const kind of ['near', 'wild', 'huge', 'alike'] as const) {
    test(`sums and means of ${kind} values, SEED=${seed}`, () => {
      for (let trial = 0; trial < 50; trial++) {
        const values = valuesOf(random, kind, 1 + random.below(500));
        const cut = random.below(values.length);
        const [sum, part] = [new ExactSum(), new ExactSum()];
        for (const value of values.slice(0, cut)) sum.add(value);
        part.addAll(Float64Array.from(values), cut, values.length);
        sum.addSum(part);
        const mean = sum.over({ high: values.length, low: 0 });
        const exact = values.reduce((total, value) => total + rational(value), 0n);
        assert.ok(isNearest(mean, exact, BigInt(values.length)), `${mean}`);
        assert.ok(mean >= Math.min(...values) && mean <= Math.max(...values), `${mean} is outside`);
        if (Number.isFinite(sum.value)) assert.ok(isNearest(sum.value, exact, 1n), `${sum.value}`);
      }
    });

    test(`means over time of ${kind} values, SEED=${seed}`, () => {
      for (const isStepped of [true, false]) {
        for (let trial = 0; trial < 50; trial++) {
          const values = valuesOf(random, kind, 2 + random.below(300));
          let time = 0;
          const times = values.map(() => (time += random.below(10_000) / random.pick([1, 10, 10_000])));
          const integral = integralIn(times, values, isStepped, random);
          if (integral.totalMs === 0) continue;
          const [top, bottom] = exactMean(times, values, isStepped);
          assert.ok(isNearest(integral.mean, top, bottom), `${integral.mean}`);
          const held = isStepped ? values.slice(0, -1) : values;
          assert.ok(integral.mean >= Math.min(...held) && integral.mean <= Math.max(...held));
        }
      }
    });
  }
});

/** Added up in two parts. */
function integralIn(times: number[], values: number[], isStepped: boolean, random: SeededRandom): Integral {
  const window = new PointWindow();
  Object.assign(window, { times: Float64Array.from(times), values: Float64Array.from(values), count: times.length });
  const [whole, part] = [new Integral(isStepped), new Integral(isStepped)];
  const cut = 1 + random.below(times.length - 1);
  const at = (i: number): { time: number; value: number } => ({ time: times[i] as number, value: values[i] as number });
  whole.addRun(window, 1, cut, at(0));
  part.addRun(window, cut, times.length, at(cut - 1));
  whole.addIntegral(part);
  return whole;
}

/** By the spans as doubles, as a fraction. */
function exactMean(times: number[], values: number[], isStepped: boolean): [bigint, bigint] {
  let [top, bottom] = [0n, 0n];
  for (let i = 1; i < times.length; i++) {
    const span = rational((times[i] as number) - (times[i - 1] as number));
    const from = rational(values[i - 1] as number);
    const to = isStepped ? from : rational(values[i] as number);
    top += (from + to) * span;
    bottom += 2n * span;
  }
  return [top, bottom];
}
