// The integral of a value over time: value x ms, and the ms, so that the mean of values lies within them.

import type { Bound } from './bound.ts';
import { ExactSum, HUGE, HUGE_SCALE, lostOfProduct, SPLITTER } from './exact-sum.ts';
import type { PointWindow } from './point-window.ts';

/** A whole number of ms below has no more digits than half of a double. */
const SHORT_MS = 2 ** 26;

export class Integral {
  readonly values = new ExactSum();
  readonly spansMs = new ExactSum();
  /** Whether a value holds until the next one; otherwise there is a line between both. */
  readonly #isStepped: boolean;

  constructor(isStepped: boolean) {
    this.#isStepped = isStepped;
  }

  static unknown(): Integral {
    const integral = new Integral(false);
    integral.values.addSum(ExactSum.unknown());
    return integral;
  }

  /** A stretch from one value to another, whatever is between values otherwise. */
  addStretch(value: number, to: number, spanMs: number): void {
    this.values.addProduct(value, spanMs / 2);
    this.values.addProduct(to, spanMs / 2);
    this.spansMs.add(spanMs);
  }

  /** The stretches between `first` and points `[from, to)`. */
  addRun({ times, values }: PointWindow, from: number, to: number, first: Pick<Bound, 'time' | 'value'>): void {
    const isStepped = this.#isStepped;
    let { time, value } = first;
    let { high, low } = this.values;
    let [spansHigh, spansLow] = [this.spansMs.high, this.spansMs.low];
    for (let i = from; i < to; i++) {
      const nextTime = times[i] as number;
      const next = values[i] as number;
      const spanMs = nextTime - time;
      const other = isStepped ? value : next;
      const ends = value + other;
      if (ends < HUGE && ends > -HUGE) {
        const added = ends - value;
        const mean = ends / 2;
        const product = mean * spanMs;
        const sum = high + product;
        const kept = sum - high;
        // Nearly all spans: a product with half of the mean's digits is exact then.
        const isShort = spanMs < SHORT_MS && Math.floor(spanMs) === spanMs;
        const scaled = SPLITTER * mean;
        const upper = scaled - (scaled - mean);
        const lost = isShort
          ? (mean - upper) * spanMs - (product - upper * spanMs)
          : lostOfProduct(mean, spanMs, product);
        low +=
          high - (sum - kept) + (product - kept) + lost + ((value - (ends - added) + (other - added)) / 2) * spanMs;
        high = sum;
      } else {
        const huge = this.values.toHuge();
        huge.addProduct(value / HUGE_SCALE, spanMs / 2);
        huge.addProduct(other / HUGE_SCALE, spanMs / 2);
      }
      const spans = spansHigh + spanMs;
      const keptMs = spans - spansHigh;
      spansLow += spansHigh - (spans - keptMs) + (spanMs - keptMs);
      spansHigh = spans;
      time = nextTime;
      value = next;
    }
    this.values.high = high;
    this.values.low = low;
    this.spansMs.high = spansHigh;
    this.spansMs.low = spansLow;
  }

  addIntegral({ values, spansMs }: Integral): void {
    this.values.addSum(values);
    this.spansMs.addSum(spansMs);
  }

  get totalMs(): number {
    return this.spansMs.value;
  }

  get mean(): number {
    return this.values.over(this.spansMs);
  }

  /** In seconds. */
  get total(): number {
    return this.values.over(MS_PER_S);
  }

  clear(): void {
    this.values.clear();
    this.spansMs.clear();
  }
}

const MS_PER_S = { high: 1000, low: 0 } as const;
