// The results of one function: one for each interval.

import type { AggregateFunction } from './aggregate-functions.ts';
import { STATUS_QUALITIES, Status } from './input/aggregate-rules.ts';

/** What one result of a function takes. */
export function resultBytes({ hasOwnTime }: AggregateFunction): number {
  return Float64Array.BYTES_PER_ELEMENT * (hasOwnTime ? 2 : 1) + Uint8Array.BYTES_PER_ELEMENT;
}

export class ResultColumn {
  readonly fn: AggregateFunction;
  /** Place of the state that is meant among all of them; for functions of states only. */
  readonly state: number;
  /** Not finite where there is no result. */
  readonly values: Float64Array;
  readonly qualities: Uint8Array;
  /** From the start of the range, ms; NaN is the start of the interval. Only of functions whose results have own times. */
  readonly times: Float64Array | undefined;

  constructor(fn: AggregateFunction, intervalCount: number, state = 0) {
    this.fn = fn;
    this.state = state;
    this.values = new Float64Array(intervalCount).fill(Number.NaN);
    this.qualities = new Uint8Array(intervalCount);
    this.times = fn.hasOwnTime ? new Float64Array(intervalCount).fill(Number.NaN) : undefined;
  }

  /** A result that is bad has no value. */
  put(interval: number, value: number, status: Status): void {
    if (status === Status.Bad || !Number.isFinite(value)) return;
    this.values[interval] = value;
    this.qualities[interval] = STATUS_QUALITIES[status];
  }

  putAt(interval: number, timeMs: number, value: number, status: Status): void {
    this.put(interval, value, status);
    if (this.times !== undefined) this.times[interval] = timeMs;
  }
}
