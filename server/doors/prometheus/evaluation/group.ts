// Series put together step by step, by the rules of Prometheus: a sum with NaN is NaN, a smallest or largest value is one of
// the others.

import type { Aggregator } from '../promql/promql.ts';
import type { Series } from './one-series.ts';

/** What a group takes for each step, and besides: its labels by name and as a key. */
const STEP_BYTES = 29;
const LABEL_BYTES = 1024;

/** About what a group holds until it is given. */
export function groupBytes(key: string, length: number): number {
  return LABEL_BYTES + 2 * key.length + STEP_BYTES * length;
}

export class Group {
  readonly #labels: Series['labels'];
  readonly #aggregator: Aggregator;
  readonly #results: Float64Array;
  /** What rounding has left over of the sums. */
  readonly #rests: Float64Array;
  /** Means for averages, where sums overflow. */
  readonly #means: Float64Array;
  readonly #counts: Int32Array;

  constructor(labels: Series['labels'], aggregator: Aggregator, length: number) {
    this.#labels = labels;
    this.#aggregator = aggregator;
    this.#results = new Float64Array(length);
    const isSum = aggregator === 'sum' || aggregator === 'avg';
    this.#rests = new Float64Array(isSum ? length : 0);
    this.#means = new Float64Array(aggregator === 'avg' ? length : 0);
    this.#counts = new Int32Array(length);
  }

  add({ values, present }: Series): void {
    for (let i = 0; i < values.length; i++) {
      if (present[i] === 0) continue;
      const count = (this.#counts[i] as number) + 1;
      this.#counts[i] = count;
      this.#addValue(i, values[i] as number, count);
    }
  }

  #addValue(i: number, value: number, count: number): void {
    const before = this.#results[i] as number;
    switch (this.#aggregator) {
      case 'count':
        return;
      case 'min':
        if (count === 1 || Number.isNaN(before) || value < before) this.#results[i] = value;
        return;
      case 'max':
        if (count === 1 || Number.isNaN(before) || value > before) this.#results[i] = value;
        return;
      case 'sum':
        return this.#addToSum(i, value);
      case 'avg':
        this.#addToSum(i, value);
        this.#means[i] = nextMean(this.#means[i] as number, value, count);
    }
  }

  #addToSum(i: number, value: number): void {
    const before = this.#results[i] as number;
    const sum = before + value;
    const lost = Math.abs(before) >= Math.abs(value) ? before - sum + value : value - sum + before;
    this.#results[i] = sum;
    this.#rests[i] = Number.isFinite(sum) ? (this.#rests[i] as number) + lost : 0;
  }

  result(): Series {
    const values = this.#results;
    const present = new Uint8Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const count = this.#counts[i] as number;
      present[i] = count > 0 ? 1 : 0;
      values[i] = this.#resultAt(i, count);
    }
    return { labels: this.#labels, values, present };
  }

  #resultAt(i: number, count: number): number {
    const result = this.#results[i] as number;
    if (this.#aggregator === 'count') return count;
    if (this.#rests.length === 0) return result;
    const sum = result + (this.#rests[i] as number);
    if (this.#aggregator === 'sum') return sum;
    return Number.isFinite(sum) ? sum / count : (this.#means[i] as number);
  }
}

/** The mean of one value more. An infinite one stays, unless the value is infinite to the other side or NaN. */
function nextMean(mean: number, value: number, count: number): number {
  const staysInfinite = Math.abs(mean) === Number.POSITIVE_INFINITY && (Number.isFinite(value) || mean === value);
  return staysInfinite ? mean : mean + (value / count - mean / count);
}
