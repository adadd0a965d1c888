// The calculation of all functions of one tag over one range: points in, in time order, and results when all are in. Works in
// steps of bounded length.

import type { AggregateBasis } from './aggregate-functions.ts';
import { type DigestNeeds, digestNeedsOf } from './digest-needs.ts';
import type { AggregateRules } from './input/aggregate-rules.ts';
import { PointWindow } from './input/point-window.ts';
import type { RunDigest } from './input/run-digest.ts';
import { InterpolatedBounds } from './interpolated-bounds.ts';
import type { IntervalWalk } from './interval-walk.ts';
import { RawValues } from './raw-values.ts';
import type { ResultColumn } from './result-column.ts';
import { SimpleBounds } from './simple-bounds.ts';
import { type StatesInput, StateTimes } from './state-times.ts';

/** Results that are given in one step, about, by each calculator: a ms or two. */
const RESULTS_AT_ONCE = 8192;

/** Intervals that are closed at most before a digest is taken, all at once. */
const CLOSED_BEFORE_DIGEST = 64;
/** Cuts of one block at most; the beginning of its first interval counts. */
const MOST_CUTS = 4;

export interface CalculationInput extends StatesInput {
  readonly rules: AggregateRules;
  /** Beginnings of the intervals, and the end of the last: ms from the start of the range. */
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
  readonly #takesDigests: boolean;
  readonly #closedAtOnce: number;
  /** Beginnings of the intervals, and the end of the last: ms from the start of the range. */
  readonly edges: Float64Array;
  /** What digests have to tell; undefined where points are needed. */
  readonly digestNeeds: DigestNeeds | undefined;

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
    this.edges = edges;
    this.#takesDigests = walks.every(({ takesDigests }) => takesDigests);
    this.digestNeeds = this.#takesDigests ? digestNeedsOf(rules, columns) : undefined;
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

  /**
   * Gives the times at which digests of points between two times have to be cut, ms from the start of the range: the beginnings
   * of intervals. The first is the beginning of the interval that holds the first point. Undefined where points are needed:
   * for functions of states, outside of the range, far from what was taken last, and where there are many cuts.
   */
  cutsWithin(firstMs: number, lastMs: number): readonly number[] | undefined {
    if (!this.#takesDigests || firstMs < 0) return undefined;
    const { edges } = this;
    const end = edges.length - 1;
    let { interval } = this.#raw;
    for (const walk of this.#walks) interval = Math.min(interval, walk.interval);
    const most = Math.min(end, interval + CLOSED_BEFORE_DIGEST);
    let next = interval + 1;
    while (next < most && (edges[next] as number) <= firstMs) next++;
    if (next > end || (edges[next] as number) <= firstMs || (edges[next - 1] as number) > firstMs) return undefined;
    const cuts = [edges[next - 1] as number];
    for (; (edges[next] as number) <= lastMs; next++) {
      if (next === end || cuts.length === MOST_CUTS) return undefined;
      cuts.push(edges[next] as number);
    }
    return cuts;
  }

  /** Takes a digest that is not to be cut; its first point is `offsetMs` from the start. The window must be done. */
  takeDigest(digest: RunDigest, offsetMs: number): void {
    const { first, firstQuality } = digest;
    this.window.setGood(offsetMs, first.value, firstQuality);
    this.begin();
    while (!this.step());
    this.takeRest(digest, offsetMs);
  }

  /** Takes what a digest tells of the points behind its first, which was taken last. */
  takeRest(digest: RunDigest, offsetMs: number): void {
    if (digest.count > 0) for (const walk of this.#walks) walk.takeDigest(digest, offsetMs);
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
