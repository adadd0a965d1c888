// What statistics need of the points of a range besides the functions that there are: the good values for percentiles, and
// the longest time without a point.

import { type AggregateRules, Status } from '../input/aggregate-rules.ts';
import type { PointWindow } from '../input/point-window.ts';
import { IntervalWalk } from '../interval-walk.ts';
import { type TakesMemory, ValueSample } from './value-sample.ts';

export interface StatisticsInput {
  readonly rules: AggregateRules;
  /** Length of the range, ms. */
  readonly spanMs: number;
  /** The present time, ms from the start of the range. */
  readonly nowMs: number;
  /** Values that are kept for percentiles; 0 where the tag has no numbers. */
  readonly sampleLimit: number;
  readonly memory: TakesMemory;
}

export class RangeStatistics extends IntervalWalk {
  readonly sample: ValueSample;
  /** The longest time without a point: from and to, ms from the start of the range; the same when there is none. */
  gapStartMs = 0;
  gapEndMs = 0;
  readonly #hasValues: boolean;
  readonly #endMs: number;
  #lastMs = 0;

  constructor({ rules, spanMs, nowMs, sampleLimit, memory }: StatisticsInput) {
    super(rules, Float64Array.of(0, spanMs), []);
    this.sample = new ValueSample(sampleLimit, memory);
    this.#hasValues = sampleLimit > 0;
    this.#endMs = Math.min(spanMs, nowMs);
  }

  protected closesAt(): boolean {
    return true;
  }

  protected take(window: PointWindow, i: number): void {
    const time = window.times[i] as number;
    if (time < this.start || this.interval === this.edges.length - 1) return;
    this.#endGap(time);
    const value = window.values[i] as number;
    if (this.#hasValues && window.statuses[i] === Status.Good && !Number.isNaN(value)) this.sample.add(value);
  }

  protected takeRun(window: PointWindow, from: number, to: number): void {
    for (let i = from; i < to; i++) this.take(window, i);
  }

  protected close(): void {
    this.closeLast();
  }

  protected closeLast(): void {
    this.#endGap(this.#endMs);
  }

  #endGap(time: number): void {
    if (time - this.#lastMs > this.gapEndMs - this.gapStartMs) {
      this.gapStartMs = this.#lastMs;
      this.gapEndMs = time;
    }
    this.#lastMs = time;
  }
}
