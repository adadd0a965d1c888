// Functions of the line through the usable points: what lies between them is passed over, and makes results uncertain.
// The value of the last of them goes on behind it, or the slope.

import { type AggregateRules, Status } from './input/aggregate-rules.ts';
import { type Bound, boundOfPoint, valueBetween } from './input/bound.ts';
import { Integral } from './input/integral.ts';
import type { PointWindow } from './input/point-window.ts';
import { moved, type RunDigest } from './input/run-digest.ts';
import { IntervalWalk } from './interval-walk.ts';
import type { ResultColumn } from './result-column.ts';

export class InterpolatedBounds extends IntervalWalk {
  /** The two newest usable points, and the time of the first point behind them that is not; NaN when there is none. */
  #older: Bound | undefined;
  #newer: Bound | undefined;
  #passedOverAt = Number.NaN;
  /** Time of the newest point, usable or not. */
  #lastTime = Number.NaN;
  /** The value at the start of the interval. */
  #startValue: Bound | undefined;
  /** The integral over the time that is covered. */
  readonly #integral: Integral;
  #isGood = true;

  constructor(rules: AggregateRules, edges: Float64Array, columns: readonly ResultColumn[]) {
    super(rules, edges, columns);
    this.#integral = new Integral(rules.isStepped);
  }

  protected closesAt({ statuses }: PointWindow, i: number): boolean {
    return this.usable(statuses[i] as Status);
  }

  protected take(window: PointWindow, i: number): void {
    const point = boundOfPoint(window, i);
    this.#lastTime = point.time;
    if (!this.usable(point.status)) {
      if (Number.isNaN(this.#passedOverAt)) this.#passedOverAt = point.time;
      return;
    }
    if (this.interval < this.edges.length - 1 && point.time >= this.start) {
      this.#cover(point.time, point);
      if (point.time === this.start) this.#startValue = point;
    }
    this.#older = this.#newer;
    this.#newer = point;
    this.#passedOverAt = Number.NaN;
  }

  /** Does what `take` does, without an object for each point. */
  protected takeRun(window: PointWindow, from: number, to: number): void {
    this.#integral.addRun(window, from, to, this.#newer as Bound);
    this.#older = to - from > 1 ? boundOfPoint(window, to - 2) : this.#newer;
    this.#newer = boundOfPoint(window, to - 1);
    this.#lastTime = this.#newer.time;
  }

  override get takesDigests(): boolean {
    return true;
  }

  override takeDigest({ beforeLast, last, steppedIntegral, slopedIntegral }: RunDigest, offsetMs: number): void {
    this.#integral.addIntegral(this.rules.isStepped ? steppedIntegral : slopedIntegral);
    this.#older = moved(beforeLast, offsetMs);
    this.#newer = moved(last, offsetMs);
    this.#lastTime = this.#newer.time;
  }

  protected close(window: PointWindow, i: number): void {
    this.#cover(this.end, boundOfPoint(window, i));
    this.#give();
  }

  protected closeLast(): void {
    const { start, end } = this;
    if (this.#newer !== undefined) {
      this.#cover(end, undefined);
      // An interval behind the newest point has a value at its start, but nothing that fills it.
      if (start > this.#lastTime) this.#integral.clear();
    }
    this.#give();
  }

  /** Adds the stretch from the newest usable point, or the start, up to a time; `next` is the usable point behind it. */
  #cover(to: number, next: Bound | undefined): void {
    const newer = this.#newer;
    if (newer === undefined) return;
    const { start } = this;
    const from = Math.max(newer.time, start);
    const isBehind = newer.time < start;
    if (isBehind && this.#startValue === undefined) {
      this.#startValue = {
        time: start,
        value: this.#valueAt(newer, next, start),
        status: this.#statusUpTo(newer, next, start, 'reached'),
      };
    }
    if (to <= from) return;
    this.#integral.addStretch(this.#valueAt(newer, next, from), this.#valueAt(newer, next, to), to - from);
    if (this.#statusUpTo(newer, next, to, 'before') !== Status.Good) this.#isGood = false;
  }

  #valueAt(newer: Bound, next: Bound | undefined, time: number): number {
    if (this.rules.isStepped) return newer.value;
    if (next !== undefined) return valueBetween(newer, next, time);
    const older = this.#older;
    if (older === undefined || !this.rules.extrapolatesSlope) return newer.value;
    return older.time === newer.time ? newer.value : valueBetween(older, newer, time);
  }

  /**
   * Status of the stretch before a time, or of that time itself. A step is good until something is passed over; a slope is as
   * good as both of its ends.
   */
  #statusUpTo(newer: Bound, next: Bound | undefined, time: number, which: 'before' | 'reached'): Status {
    const passedOverAt = this.#passedOverAt;
    const nothingPassed = Number.isNaN(passedOverAt);
    if (newer.status !== Status.Good) return Status.Uncertain;
    if (!this.rules.isStepped) {
      return next !== undefined && nothingPassed && next.status === Status.Good ? Status.Good : Status.Uncertain;
    }
    if (nothingPassed) return next === undefined ? Status.Uncertain : Status.Good;
    const isBeforeThat = which === 'before' ? time <= passedOverAt : time < passedOverAt;
    return isBeforeThat ? Status.Good : Status.Uncertain;
  }

  #give(): void {
    const isWhole = this.#startValue !== undefined;
    const status = this.#isGood && isWhole ? Status.Good : Status.Uncertain;
    for (const column of this.columns) this.#put(column, status);
    this.#startValue = undefined;
    this.#integral.clear();
    this.#isGood = true;
  }

  #put(column: ResultColumn, status: Status): void {
    const { interval } = this;
    const start = this.#startValue;
    if (column.fn.name === 'Interpolative') {
      if (start !== undefined) column.put(interval, start.value, start.status);
    } else if (this.#integral.totalMs > 0) {
      const isTotal = column.fn.name === 'Total';
      column.put(interval, isTotal ? this.#integral.total : this.#integral.mean, status);
    }
  }
}
