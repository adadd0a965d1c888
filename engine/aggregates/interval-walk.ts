// What all calculators have in common: they walk over the points of a range in order, and close one interval after the
// other as soon as what its results hang on is known.

import { EngineError } from '../errors.ts';
import { type AggregateRules, isUsable, Status } from './input/aggregate-rules.ts';
import type { PointWindow } from './input/point-window.ts';
import type { RunDigest } from './input/run-digest.ts';
import type { ResultColumn } from './result-column.ts';

export abstract class IntervalWalk {
  protected readonly rules: AggregateRules;
  /** Beginnings of the intervals, and the end of the last one: ms from the start of the range, in order. */
  protected readonly edges: Float64Array;
  protected readonly columns: readonly ResultColumn[];
  /** The present interval. */
  interval = 0;

  constructor(rules: AggregateRules, edges: Float64Array, columns: readonly ResultColumn[]) {
    this.rules = rules;
    this.edges = edges;
    this.columns = columns;
  }

  /**
   * Takes points from index `from` on. Closes some `mostClosed` intervals at most, so that one point behind very many of
   * them does not take long: the index of the first point that was not taken.
   */
  feed(window: PointWindow, from: number, mostClosed: number): number {
    const { edges } = this;
    const { times, count } = window;
    const last = edges.length - 1;
    let left = mostClosed;
    for (let i = from; i < count; ) {
      if (this.closesAt(window, i)) {
        while (this.interval < last && (edges[this.interval + 1] as number) <= (times[i] as number)) {
          if (left-- === 0) return i;
          this.close(window, i);
          this.interval++;
        }
      }
      const to = this.#endOfRun(window, i);
      this.take(window, i);
      if (to - i > 1) this.takeRun(window, i + 1, to);
      i = Math.max(to, i + 1);
    }
    return count;
  }

  /** Index behind the good points from `i` on that lie within the present interval, not at its start: nearly all of them. */
  #endOfRun({ times, statuses, count }: PointWindow, i: number): number {
    const { edges, interval } = this;
    if (interval === edges.length - 1 || (times[i] as number) <= (edges[interval] as number)) return i;
    const end = edges[interval + 1] as number;
    let to = i;
    while (to < count && statuses[to] === Status.Good && (times[to] as number) < end) to++;
    return to;
  }

  /** Closes what is left when no more points come, some `mostClosed` at a time; true when that is done. */
  finish(mostClosed: number): boolean {
    const last = this.edges.length - 1;
    for (let left = mostClosed; this.interval < last; left--) {
      if (left === 0) return false;
      this.closeLast();
      this.interval++;
    }
    return true;
  }

  /** Whether this point says how intervals that end at or before it end. */
  protected abstract closesAt(window: PointWindow, i: number): boolean;
  /** Gives the results of the present interval, which ends at or before point `i`. */
  protected abstract close(window: PointWindow, i: number): void;
  /** Gives the results of the present interval when no more points come. */
  protected abstract closeLast(): void;
  /** Takes a point that lies in the present interval, before the first or behind the last. */
  protected abstract take(window: PointWindow, i: number): void;

  /** Whether a digest will do instead of points. */
  get takesDigests(): boolean {
    return false;
  }

  /** Does what `takeRun` does, for all points of the digest behind its first, which is `offsetMs` from the start of the range. */
  takeDigest(_digest: RunDigest, _offsetMs: number): void {
    throw new EngineError('BUG', 'BUG: a digest was given where points are needed');
  }

  /** Takes good points `[from, to)` that lie in the present interval, behind a good point in it that was just taken. */
  protected abstract takeRun(window: PointWindow, from: number, to: number): void;

  protected get start(): number {
    return this.edges[this.interval] as number;
  }

  protected get end(): number {
    return this.edges[this.interval + 1] as number;
  }

  protected usable(status: Status): boolean {
    return isUsable(this.rules, status);
  }
}
