// How long there was each of several values, how often it began, and its share. A value holds until the next point; the last
// one until the present time, for a state lasts though nobody reports it again.

import { type AggregateRules, Status, statusOfShares } from './input/aggregate-rules.ts';
import type { PointWindow } from './input/point-window.ts';
import { IntervalWalk } from './interval-walk.ts';
import type { ResultColumn } from './result-column.ts';

/** What the times of states need besides the points. */
export interface StatesInput {
  /** Values that functions of states tell of, as numbers, each once. */
  readonly states: readonly number[];
  /** The present time, ms from the start of the range. */
  readonly nowMs: number;
}

export class StateTimes extends IntervalWalk {
  readonly #stateByValue: ReadonlyMap<number, number>;
  /** From the start of the range, ms. */
  readonly #nowMs: number;
  readonly #durations: Float64Array;
  readonly #begun: Float64Array;
  #knownMs = 0;
  #goodMs = 0;
  /** The point in force: since when, its value's place among the states (-1 for none), whether it is good. */
  #since = Number.NaN;
  #state = -1;
  #isGood = false;
  /** The last usable one, over what is not. */
  #lastUsable = -1;

  constructor(rules: AggregateRules, edges: Float64Array, columns: readonly ResultColumn[], input: StatesInput) {
    super(rules, edges, columns);
    const { states, nowMs } = input;
    this.#stateByValue = new Map(states.map((value, place) => [value, place]));
    this.#nowMs = nowMs;
    this.#durations = new Float64Array(states.length);
    this.#begun = new Float64Array(states.length);
  }

  protected closesAt(): boolean {
    return true;
  }

  protected take(window: PointWindow, i: number): void {
    const status = window.statuses[i] as Status;
    const time = window.times[i] as number;
    const isInside = time >= this.start && this.interval < this.edges.length - 1;
    if (isInside) this.#hold(time);
    this.#since = time;
    this.#state = this.usable(status) ? (this.#stateByValue.get(window.values[i] as number) ?? -1) : -1;
    this.#isGood = status === Status.Good;
    if (this.#state < 0) return;
    if (isInside && this.#state !== this.#lastUsable)
      this.#begun[this.#state] = (this.#begun[this.#state] as number) + 1;
    this.#lastUsable = this.#state;
  }

  protected takeRun(window: PointWindow, from: number, to: number): void {
    for (let i = from; i < to; i++) this.take(window, i);
  }

  protected close(): void {
    this.#hold(this.end);
    this.#give();
  }

  protected closeLast(): void {
    this.#hold(Math.min(this.end, this.#nowMs));
    this.#give();
  }

  #hold(to: number): void {
    if (this.#state < 0) return;
    const spanMs = to - Math.max(this.#since, this.start);
    if (spanMs <= 0) return;
    this.#durations[this.#state] = (this.#durations[this.#state] as number) + spanMs;
    this.#knownMs += spanMs;
    if (this.#isGood) this.#goodMs += spanMs;
  }

  #give(): void {
    for (const column of this.columns) if (this.#knownMs > 0) this.#put(column);
    this.#durations.fill(0);
    this.#begun.fill(0);
    this.#knownMs = 0;
    this.#goodMs = 0;
  }

  #put(column: ResultColumn): void {
    const { interval, rules } = this;
    const spanMs = this.end - this.start;
    const good = rules.treatUncertainAsBad ? this.#goodMs : this.#knownMs;
    const status = statusOfShares(rules, good, spanMs - this.#knownMs, spanMs);
    const durationMs = this.#durations[column.state] as number;
    if (column.fn.name === 'StateDuration') column.put(interval, durationMs, status);
    else if (column.fn.name === 'StateCount') column.put(interval, this.#begun[column.state] as number, status);
    else column.put(interval, (100 * durationMs) / this.#knownMs, status);
  }
}
