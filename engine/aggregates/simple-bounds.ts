// Functions of the stretches that points cut an interval into, with simple bounding values at its ends. The last
// point of all holds for a millisecond: behind it nothing is known.

import { type AggregateRules, STATUS_QUALITIES, Status, statusOfShares } from './input/aggregate-rules.ts';
import { type Bound, boundOfPoint, simpleBound, unknownAt } from './input/bound.ts';
import { Integral } from './input/integral.ts';
import type { PointWindow } from './input/point-window.ts';
import { moved, type RunDigest } from './input/run-digest.ts';
import { IntervalWalk } from './interval-walk.ts';
import { knownQuality } from './raw-values.ts';
import type { ResultColumn } from './result-column.ts';

const LAST_POINT_MS = 1;

/** Times in an interval, ms. */
class Durations {
  good = 0;
  uncertain = 0;
  bad = 0;

  get total(): number {
    return this.good + this.uncertain + this.bad;
  }

  clear(): void {
    this.good = 0;
    this.uncertain = 0;
    this.bad = 0;
  }
}

export class SimpleBounds extends IntervalWalk {
  /** Good time of all intervals, ms. */
  goodMs = 0;
  /** The newest point so far. */
  #before: Bound | undefined;
  /** Beginning of the present stretch; its values at the ends of the interval are in the two bounds below. */
  #from: Bound | undefined;
  #startBound = unknownAt(0);
  #endBound = unknownAt(0);
  /** By what a stretch begins with alone, and by its slope as well. */
  readonly #held = new Durations();
  readonly #sloped = new Durations();
  #zeroMs = 0;
  #nonZeroMs = 0;
  /** Over the usable stretches. */
  readonly #integral: Integral;
  /** Whether the integral is wanted. */
  readonly #hasMean: boolean;
  #min = unknownAt(0);
  #max = unknownAt(0);
  #worst = Number.POSITIVE_INFINITY;

  constructor(rules: AggregateRules, edges: Float64Array, columns: readonly ResultColumn[]) {
    super(rules, edges, columns);
    this.#integral = new Integral(rules.isStepped);
    this.#hasMean = columns.some(({ fn }) => fn.name === 'TimeAverage2' || fn.name === 'Total2');
  }

  protected closesAt(): boolean {
    return true;
  }

  protected take(window: PointWindow, i: number): void {
    const point = boundOfPoint(window, i);
    if (point.time >= this.start && this.interval < this.edges.length - 1) {
      if (point.time === this.start) this.#startBound = point;
      else {
        this.#open(point);
        this.#endStretch(point);
      }
      this.#from = point;
      this.#offer(point, knownQuality(window, i));
    }
    this.#before = point;
  }

  /** Does what `take` does, without an object for each point. */
  protected takeRun(window: PointWindow, from: number, to: number): void {
    const { times, values, qualities } = window;
    let { time, value } = this.#from as Bound;
    if (this.#hasMean) this.#integral.addRun(window, from, to, { time, value });
    let [min, max] = [this.#min.value, this.#max.value];
    let [minAt, maxAt] = [-1, -1];
    let [zeroMs, nonZeroMs, goodMs] = [this.#zeroMs, this.#nonZeroMs, 0];
    for (let i = from; i < to; i++) {
      const nextTime = times[i] as number;
      const next = values[i] as number;
      const spanMs = nextTime - time;
      goodMs += spanMs;
      if (value === 0) zeroMs += spanMs;
      else nonZeroMs += spanMs;
      if (next < min) {
        min = next;
        minAt = i;
      }
      if (next > max) {
        max = next;
        maxAt = i;
      }
      this.#worst = Math.min(this.#worst, qualities[i] as number);
      time = nextTime;
      value = next;
    }
    this.#zeroMs = zeroMs;
    this.#nonZeroMs = nonZeroMs;
    this.#held.good += goodMs;
    this.#sloped.good += goodMs;
    if (minAt >= 0) this.#min = boundOfPoint(window, minAt);
    if (maxAt >= 0) this.#max = boundOfPoint(window, maxAt);
    this.#from = boundOfPoint(window, to - 1);
    this.#before = this.#from;
  }

  override get takesDigests(): boolean {
    return true;
  }

  override takeDigest(digest: RunDigest, offsetMs: number): void {
    const { min, max } = digest;
    const spanMs = digest.last.time;
    const last = moved(digest.last, offsetMs);
    this.#integral.addIntegral(this.rules.isStepped ? digest.steppedIntegral : digest.slopedIntegral);
    this.#zeroMs += digest.zeroMs;
    this.#nonZeroMs += digest.nonZeroMs;
    this.#held.good += spanMs;
    this.#sloped.good += spanMs;
    this.#worst = Math.min(this.#worst, digest.worstQuality);
    if (min.value < this.#min.value) this.#min = moved(min, offsetMs);
    if (max.value > this.#max.value) this.#max = moved(max, offsetMs);
    this.#from = last;
    this.#before = last;
  }

  protected close(window: PointWindow, i: number): void {
    const point = boundOfPoint(window, i);
    const { end, rules } = this;
    this.#open(point);
    const bound = point.time === end ? point : simpleBound(rules, this.#before, point, end);
    this.#endStretch(bound);
    this.#endBound = bound;
    if (!rules.isStepped) this.#offer(bound, point.time === end ? knownQuality(window, i) : qualityOf(bound));
    if (this.#before !== undefined || point.time <= end) this.#give();
    this.#clear();
    this.#from = undefined;
    if (point.time > end) this.#begin(bound);
  }

  protected closeLast(): void {
    const from = this.#from;
    if (from === undefined) return;
    const { end } = this;
    const endOfData = this.usable(from.status) ? Math.min(end, from.time + LAST_POINT_MS) : end;
    this.#endStretch(unknownAt(endOfData));
    this.#endBound = unknownAt(end);
    if (!this.rules.isStepped) this.#offer(this.#endBound, 0);
    this.#give();
    this.#clear();
    this.#from = undefined;
  }

  /** Finds the value at the start of the first interval, when the first point behind it has come. */
  #open(point: Bound): void {
    if (this.#from === undefined) this.#begin(simpleBound(this.rules, this.#before, point, this.start));
  }

  #begin(bound: Bound): void {
    this.#from = bound;
    this.#startBound = bound;
    this.#offer(bound, qualityOf(bound));
  }

  #offer(bound: Bound, quality: number): void {
    this.#worst = Math.min(this.#worst, quality);
    if (!this.usable(bound.status)) return;
    if (!(bound.value >= this.#min.value)) this.#min = bound;
    if (!(bound.value <= this.#max.value)) this.#max = bound;
  }

  #endStretch(to: Bound): void {
    const from = this.#from as Bound;
    const spanMs = to.time - from.time;
    if (!this.usable(from.status)) {
      this.#held.bad += spanMs;
      this.#sloped.bad += spanMs;
      return;
    }
    if (from.status === Status.Good) {
      this.#held.good += spanMs;
      if (from.value === 0) this.#zeroMs += spanMs;
      else this.#nonZeroMs += spanMs;
    } else this.#held.uncertain += spanMs;
    const { isStepped } = this.rules;
    const isLine = !isStepped && this.usable(to.status);
    const isGood = from.status === Status.Good && (isStepped || (isLine && to.status === Status.Good));
    if (isGood) this.#sloped.good += spanMs;
    else this.#sloped.uncertain += spanMs;
    this.#integral.addStretch(from.value, isLine ? to.value : from.value, spanMs);
  }

  #give(): void {
    this.goodMs += this.#held.good;
    for (const column of this.columns) this.#put(column);
  }

  #put(column: ResultColumn): void {
    const at = this.interval;
    const held = this.#held;
    const [min, max] = [this.#min, this.#max];
    switch (column.fn.name) {
      case 'TimeAverage2':
        return column.put(at, this.#integral.mean, this.#statusOf(this.#sloped));
      case 'Total2':
        if (this.#integral.totalMs > 0) column.put(at, this.#integral.total, this.#statusOf(this.#sloped));
        return;
      case 'Minimum2':
      case 'MinimumActualTime2':
        return this.#putExtreme(column, min);
      case 'Maximum2':
      case 'MaximumActualTime2':
        return this.#putExtreme(column, max);
      case 'Range2':
        return column.put(at, max.value - min.value, this.#statusOf(this.#sloped));
      case 'DurationInStateZero':
        return column.put(at, this.#zeroMs, this.#statusOf(held));
      case 'DurationInStateNonZero':
        return column.put(at, this.#nonZeroMs, this.#statusOf(held));
      case 'DurationGood':
        return column.put(at, held.good, Status.Good);
      case 'DurationBad':
        return column.put(at, held.bad, Status.Good);
      case 'PercentGood':
        return column.put(at, (100 * held.good) / held.total, Status.Good);
      case 'PercentBad':
        return column.put(at, (100 * held.bad) / held.total, Status.Good);
      case 'WorstQuality2':
        return column.put(at, this.#worst, Status.Good);
      default:
        return this.#putBounds(column);
    }
  }

  /** One at the end of the interval was reached just before it. */
  #putExtreme(column: ResultColumn, { time, value }: Bound): void {
    const status = this.#statusOf(this.#sloped);
    if (status === Status.Bad || Number.isNaN(value)) return;
    const reached = time === this.end ? Math.max(this.start, time - LAST_POINT_MS) : time;
    column.putAt(this.interval, reached, value, status);
  }

  #putBounds(column: ResultColumn): void {
    const [first, last] = [this.#startBound, this.#endBound];
    const worse = Math.min(first.status, last.status) as Status;
    if (column.fn.name === 'StartBound') column.put(this.interval, first.value, first.status);
    else if (column.fn.name === 'EndBound') column.put(this.interval, last.value, last.status);
    else if (column.fn.name === 'DeltaBounds') column.put(this.interval, last.value - first.value, worse);
  }

  /** Uncertain time counts as what uncertain values are treated as. */
  #statusOf({ good, uncertain, bad, total }: Durations): Status {
    const { treatUncertainAsBad } = this.rules;
    const uncertainAsGood = treatUncertainAsBad ? 0 : uncertain;
    const uncertainAsBad = treatUncertainAsBad ? uncertain : 0;
    return statusOfShares(this.rules, good + uncertainAsGood, bad + uncertainAsBad, total);
  }

  #clear(): void {
    this.#held.clear();
    this.#sloped.clear();
    this.#zeroMs = 0;
    this.#nonZeroMs = 0;
    this.#integral.clear();
    this.#min = unknownAt(0);
    this.#max = unknownAt(0);
    this.#worst = Number.POSITIVE_INFINITY;
  }
}

/** Quality of a value between points. */
function qualityOf({ status }: Bound): number {
  return STATUS_QUALITIES[status];
}
