// Functions of the points that lie in an interval, whatever lies around it.

import { type AggregateRules, Status, statusOfShares, UNCERTAIN_QUALITY } from './input/aggregate-rules.ts';
import type { Bound } from './input/bound.ts';
import { ExactSum } from './input/exact-sum.ts';
import type { PointWindow } from './input/point-window.ts';
import type { RunDigest } from './input/run-digest.ts';
import { IntervalWalk } from './interval-walk.ts';
import type { ResultColumn } from './result-column.ts';

/** A point that a result is. */
interface Kept {
  time: number;
  value: number;
  status: Status;
}

function nothing(): Kept {
  return { time: Number.NaN, value: Number.NaN, status: Status.Bad };
}

function keep(kept: Kept, { times, values, statuses }: PointWindow, i: number): void {
  kept.time = times[i] as number;
  kept.value = values[i] as number;
  kept.status = statuses[i] as Status;
}

function keepMoved(kept: Kept, { time, value, status }: Bound, offsetMs: number): void {
  kept.time = time + offsetMs;
  kept.value = value;
  kept.status = status;
}

/** Quality of a point; a null says nothing, so its quality is bad. */
export function knownQuality({ statuses, qualities }: PointWindow, i: number): number {
  const quality = qualities[i] as number;
  return statuses[i] === Status.Bad && quality >= UNCERTAIN_QUALITY ? 0 : quality;
}

export class RawValues extends IntervalWalk {
  /** Points of all intervals. */
  pointCount = 0;
  readonly #first = nothing();
  readonly #last = nothing();
  readonly #firstGood = nothing();
  readonly #lastGood = nothing();
  readonly #min = nothing();
  readonly #max = nothing();
  #count = 0;
  #good = 0;
  #unusable = 0;
  #transitions = 0;
  #worst = 0;
  readonly #sum = new ExactSum();
  /** Whether the sum is wanted. */
  readonly #hasMean: boolean;
  /**
   * The mean of the good values less the first of them, by Welford: sums of squares of large numbers would lose all digits, and
   * so would a mean that is far larger than the differences from it.
   */
  #mean = 0;
  #squares = 0;
  /** Whether there is any point before the present interval's end, and the last usable value. */
  #hasBefore = false;
  #previous = Number.NaN;

  constructor(rules: AggregateRules, edges: Float64Array, columns: readonly ResultColumn[]) {
    super(rules, edges, columns);
    this.#hasMean = columns.some(({ fn }) => fn.name === 'Average');
    this.#clear();
  }

  protected closesAt(): boolean {
    return true;
  }

  protected take(window: PointWindow, i: number): void {
    const status = window.statuses[i] as Status;
    const isUsable = this.usable(status);
    const value = window.values[i] as number;
    const time = window.times[i] as number;
    if (time >= this.start && this.interval < this.edges.length - 1) {
      if (this.#count++ === 0) keep(this.#first, window, i);
      keep(this.#last, window, i);
      this.#worst = Math.min(this.#worst, knownQuality(window, i));
      if (!isUsable) this.#unusable++;
      else if (value !== this.#previous) this.#transitions++;
      if (status === Status.Good) this.#takeGood(window, i, value);
    }
    this.#hasBefore = true;
    if (isUsable) this.#previous = value;
  }

  /** Does what `take` does, without asking what is known. */
  protected takeRun(window: PointWindow, from: number, to: number): void {
    const { values, qualities } = window;
    let [minAt, maxAt] = [-1, -1];
    let [min, max] = [this.#min.value, this.#max.value];
    let [mean, squares, good, worst] = [this.#mean, this.#squares, this.#good, this.#worst];
    let previous = this.#previous;
    const origin = this.#firstGood.value;
    for (let i = from; i < to; i++) {
      const value = values[i] as number;
      const quality = qualities[i] as number;
      if (quality < worst) worst = quality;
      if (value !== previous) this.#transitions++;
      previous = value;
      if (value < min) {
        min = value;
        minAt = i;
      }
      if (value > max) {
        max = value;
        maxAt = i;
      }
      const difference = value - origin;
      const delta = difference - mean;
      mean += delta / ++good;
      squares += delta * (difference - mean);
    }
    if (this.#hasMean) this.#sum.addAll(values, from, to);
    this.#count += to - from;
    this.#good = good;
    this.#worst = worst;
    this.#mean = mean;
    this.#squares = squares;
    this.#previous = previous;
    if (minAt >= 0) keep(this.#min, window, minAt);
    if (maxAt >= 0) keep(this.#max, window, maxAt);
    keep(this.#last, window, to - 1);
    keep(this.#lastGood, window, to - 1);
  }

  override get takesDigests(): boolean {
    return true;
  }

  override takeDigest(digest: RunDigest, offsetMs: number): void {
    const { count, mean, squares, min, max, last } = digest;
    const good = this.#good + count;
    const delta = digest.first.value - this.#firstGood.value + (mean - this.#mean);
    this.#sum.addSum(digest.sum);
    this.#squares += squares + (delta * delta * this.#good * count) / good;
    this.#mean += (delta * count) / good;
    this.#good = good;
    this.#count += count;
    this.#worst = Math.min(this.#worst, digest.worstQuality);
    this.#transitions += digest.transitions;
    this.#previous = last.value;
    if (min.value < this.#min.value) keepMoved(this.#min, min, offsetMs);
    if (max.value > this.#max.value) keepMoved(this.#max, max, offsetMs);
    keepMoved(this.#last, last, offsetMs);
    keepMoved(this.#lastGood, last, offsetMs);
  }

  #takeGood(window: PointWindow, i: number, value: number): void {
    if (this.#good++ === 0) keep(this.#firstGood, window, i);
    keep(this.#lastGood, window, i);
    if (this.#good === 1 || value < this.#min.value) keep(this.#min, window, i);
    if (this.#good === 1 || value > this.#max.value) keep(this.#max, window, i);
    this.#sum.add(value);
    const difference = value - this.#firstGood.value;
    const delta = difference - this.#mean;
    this.#mean += delta / this.#good;
    this.#squares += delta * (difference - this.#mean);
  }

  protected close(window: PointWindow, i: number): void {
    this.#give(this.#hasBefore || (window.times[i] as number) <= this.end);
  }

  protected closeLast(): void {
    this.#give(false);
  }

  /** `isWithinData`: an interval without points has none, instead of lying outside all that is known. */
  #give(isWithinData: boolean): void {
    this.pointCount += this.#count;
    for (const column of this.columns) {
      if (this.#count > 0 || isWithinData) this.#put(column);
    }
    this.#clear();
  }

  #put(column: ResultColumn): void {
    const { name } = column.fn;
    const at = this.interval;
    if (name === 'Count') column.put(at, this.#good, this.#byCounts());
    else if (name === 'NumberOfTransitions') column.put(at, this.#transitions, this.#byCounts());
    else if (this.#count === 0) return;
    else if (name === 'Start') this.#putPoint(column, this.#first);
    else if (name === 'End') this.#putPoint(column, this.#last);
    else if (name === 'WorstQuality') column.put(at, this.#worst, Status.Good);
    else if (this.#good > 0) this.#putOfGood(column);
  }

  #putPoint(column: ResultColumn, { time, value, status }: Kept): void {
    column.putAt(this.interval, time, value, status);
  }

  #putOfGood(column: ResultColumn): void {
    const at = this.interval;
    const [min, max] = [this.#min, this.#max];
    const noneUnusable = this.#unusable === 0 ? Status.Good : Status.Uncertain;
    const allGood = this.#good === this.#count ? Status.Good : Status.Uncertain;
    const sampleSize = Math.max(1, this.#good - 1);
    switch (column.fn.name) {
      case 'Average':
        return column.put(at, this.#sum.over({ high: this.#good, low: 0 }), this.#byCounts());
      case 'Minimum':
      case 'MinimumActualTime':
        return column.putAt(at, min.time, min.value, noneUnusable);
      case 'Maximum':
      case 'MaximumActualTime':
        return column.putAt(at, max.time, max.value, noneUnusable);
      case 'Range':
        return column.put(at, max.value - min.value, noneUnusable);
      case 'Delta':
        return column.put(at, this.#lastGood.value - this.#firstGood.value, allGood);
      case 'StandardDeviationSample':
        return column.put(at, Math.sqrt(this.#squares / sampleSize), allGood);
      case 'VarianceSample':
        return column.put(at, this.#squares / sampleSize, allGood);
      case 'StandardDeviationPopulation':
        return column.put(at, Math.sqrt(this.#squares / this.#good), allGood);
      case 'VariancePopulation':
        return column.put(at, this.#squares / this.#good, allGood);
    }
  }

  #byCounts(): Status {
    return statusOfShares(this.rules, this.#good, this.#unusable, this.#count);
  }

  #clear(): void {
    this.#count = 0;
    this.#good = 0;
    this.#unusable = 0;
    this.#transitions = 0;
    this.#worst = Number.POSITIVE_INFINITY;
    this.#sum.clear();
    this.#mean = 0;
    this.#squares = 0;
  }
}
