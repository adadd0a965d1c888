// The calculation of all functions of one tag over one range: points in, in time order, and results when all are in. Works in
// steps of bounded length.

import type { AggregateBasis } from './aggregate-functions.ts';
import type { AggregateRules } from './aggregate-rules.ts';
import { InterpolatedBounds } from './interpolated-bounds.ts';
import type { IntervalWalk } from './interval-walk.ts';
import { PointWindow } from './point-window.ts';
import { RawValues } from './raw-values.ts';
import type { ResultColumn } from './result-column.ts';
import { SimpleBounds } from './simple-bounds.ts';
import { type StatesInput, StateTimes } from './state-times.ts';

/** Results that are given in one step, about, by each calculator: a ms or two. */
const RESULTS_AT_ONCE = 8192;

export interface CalculationInput extends StatesInput {
  readonly rules: AggregateRules;
  /** Where intervals begin, and the end of the last: ms from the start of the range. */
  readonly edges: Float64Array;
  readonly columns: readonly ResultColumn[];
  /** Goes over the points beside the functions. */
  readonly observer?: IntervalWalk | undefined;
}

export class Calculation {
  /** Put the next points in here when `step` has said that the last ones are done. */
  readonly window = new PointWindow();
  readonly #walks: readonly IntervalWalk[];
  readonly #fed: number[];
  readonly #raw: RawValues;
  readonly #simple: SimpleBounds;
  readonly #spanMs: number;
  readonly #closedAtOnce: number;

  constructor(input: CalculationInput) {
    const { rules, edges, columns } = input;
    const of = (basis: AggregateBasis): ResultColumn[] => columns.filter(({ fn }) => fn.basis === basis);
    this.#raw = new RawValues(rules, edges, of('raw'));
    this.#simple = new SimpleBounds(rules, edges, of('simple'));
    const walks: IntervalWalk[] = [this.#raw, this.#simple];
    if (of('interpolated').length > 0) walks.push(new InterpolatedBounds(rules, edges, of('interpolated')));
    if (of('state').length > 0) walks.push(new StateTimes(rules, edges, of('state'), input));
    if (input.observer !== undefined) walks.push(input.observer);
    this.#walks = walks;
    this.#fed = walks.map(() => 0);
    this.#closedAtOnce = Math.ceil(RESULTS_AT_ONCE / Math.max(1, columns.length));
    this.#spanMs = edges[edges.length - 1] as number;
  }

  /** Begins with the points that are in the window now. */
  begin(): void {
    this.#fed.fill(0);
  }

  /** True when all points of the window are taken. */
  step(): boolean {
    let isDone = true;
    for (const [k, walk] of this.#walks.entries()) {
      const fed = walk.feed(this.window, this.#fed[k] as number, this.#closedAtOnce);
      this.#fed[k] = fed;
      if (fed < this.window.count) isDone = false;
    }
    return isDone;
  }

  /** To be called when no more points come, until it says true. */
  finish(): boolean {
    let isDone = true;
    for (const walk of this.#walks) if (!walk.finish(this.#closedAtOnce)) isDone = false;
    return isDone;
  }

  get pointCount(): number {
    return this.#raw.pointCount;
  }

  get percentGood(): number {
    return (100 * this.#simple.goodMs) / this.#spanMs;
  }
}
