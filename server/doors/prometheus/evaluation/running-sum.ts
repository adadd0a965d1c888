// A sum that grows from time to time, of which differences are wanted: with what rounding has left over, so that a short stretch
// behind a long one has all digits.

import { ExactSum } from '../../../../engine/index.ts';

export class RunningSum {
  readonly sum = new ExactSum();
  readonly #high: Float64Array;
  readonly #low: Float64Array;
  /** The sum of numbers that would overflow; made with the first of them. */
  #huge: RunningSum | undefined;

  constructor(length: number) {
    this.#high = new Float64Array(length);
    this.#low = new Float64Array(length);
  }

  /** What the sum is at a time. */
  note(at: number): void {
    const { high, low, huge } = this.sum;
    this.#high[at] = high;
    this.#low[at] = low;
    if (huge === undefined) return;
    this.#huge ??= new RunningSum(this.#high.length);
    this.#huge.#high[at] = huge.high;
    this.#huge.#low[at] = huge.low;
  }

  /** What was added between two times. */
  between(from: number, to: number): ExactSum {
    const sum = new ExactSum();
    sum.high = this.#high[to] as number;
    sum.low = (this.#low[to] as number) - (this.#low[from] as number);
    sum.subtract(this.#high[from] as number);
    if (this.#huge !== undefined) sum.huge = this.#huge.between(from, to);
    return sum;
  }
}
