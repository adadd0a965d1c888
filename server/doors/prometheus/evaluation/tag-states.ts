// Takes the points of a tag in order and notes its state at given times: the value in force, and sums from which all that
// lies between two of the times can be told. Each point is thus looked at once, however many stretches it is part of.

import { GOOD_QUALITY } from '../../../../engine/index.ts';
import { RunningSum } from './running-sum.ts';

/** Below it a quality is bad, and there is no value. */
const UNCERTAIN_QUALITY = 64;

export class TagStates {
  /** At each time: NaN where there is none. */
  readonly values: Float64Array;
  readonly qualities: Float64Array;
  /** Time of the last point up to it; -Infinity before the first. */
  readonly pointsMs: Float64Array;
  /** From the first time on: value times ms, ms with a value, points with a value, and all that a counter has gained. */
  readonly integrals: RunningSum;
  readonly durations: Float64Array;
  readonly counts: Float64Array;
  readonly gains: RunningSum;
  /** Smallest and largest value in force in the time since the one before. */
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
  /** Points that no time shows, for one behind them comes before the next time. */
  hidden = 0;
  /** How long a value was known, and how long it was good. */
  knownMs = 0;
  goodMs = 0;
  readonly #timesMs: Float64Array;
  readonly #staleMs: number;
  #next = 0;
  #fromMs: number;
  #untilMs = Number.POSITIVE_INFINITY;
  #value = Number.NaN;
  #quality = Number.NaN;
  #pointMs = Number.NEGATIVE_INFINITY;
  #lastValue = Number.NaN;
  #duration = 0;
  #count = 0;
  #min = Number.NaN;
  #max = Number.NaN;
  #pointsInSegment = 0;

  /** @param staleMs for how long a point is in force */
  constructor(timesMs: Float64Array, staleMs: number) {
    const { length } = timesMs;
    this.#timesMs = timesMs;
    this.#staleMs = staleMs;
    this.#fromMs = timesMs[0] as number;
    this.values = new Float64Array(length);
    this.qualities = new Float64Array(length);
    this.pointsMs = new Float64Array(length);
    this.integrals = new RunningSum(length);
    this.durations = new Float64Array(length);
    this.counts = new Float64Array(length);
    this.gains = new RunningSum(length);
    this.smallest = new Float64Array(length);
    this.largest = new Float64Array(length);
  }

  /** The next point; NaN for null. */
  take(timeMs: number, value: number, quality: number): void {
    while (this.#next < this.#timesMs.length && (this.#timesMs[this.#next] as number) < timeMs) this.#note();
    this.#advance(timeMs);
    const isBad = quality < UNCERTAIN_QUALITY || Number.isNaN(value);
    this.#value = isBad ? Number.NaN : value;
    this.#quality = quality;
    this.#pointMs = timeMs;
    this.#untilMs = timeMs + this.#staleMs;
    const isWithin = timeMs > (this.#timesMs[0] as number);
    if (!isBad) this.#takeValue(value, isWithin);
    if (isWithin && this.#pointsInSegment++ > 0) this.hidden++;
  }

  #takeValue(value: number, isWithin: boolean): void {
    if (isWithin) {
      this.#count++;
      // A counter that is smaller than before has begun again at zero.
      if (!Number.isNaN(this.#lastValue))
        this.gains.sum.add(value >= this.#lastValue ? value - this.#lastValue : value);
    }
    this.#lastValue = value;
    if (!(this.#min <= value)) this.#min = value;
    if (!(this.#max >= value)) this.#max = value;
  }

  /** Ends the states after the last point: it is in force up to `holdMs`. */
  finish(holdMs: number): void {
    this.#untilMs = Math.min(this.#untilMs, Math.max(holdMs, this.#pointMs));
    while (this.#next < this.#timesMs.length) this.#note();
  }

  #note(): void {
    const at = this.#next++;
    this.#advance(this.#timesMs[at] as number);
    this.values[at] = this.#value;
    this.qualities[at] = this.#quality;
    this.pointsMs[at] = this.#pointMs;
    this.integrals.note(at);
    this.durations[at] = this.#duration;
    this.counts[at] = this.#count;
    this.gains.note(at);
    this.smallest[at] = this.#min;
    this.largest[at] = this.#max;
    this.#min = this.#value;
    this.#max = this.#value;
    this.#pointsInSegment = 0;
  }

  #advance(toMs: number): void {
    const spanMs = Math.min(toMs, this.#untilMs) - this.#fromMs;
    if (spanMs > 0 && !Number.isNaN(this.#quality)) {
      this.knownMs += spanMs;
      if (this.#quality >= GOOD_QUALITY && !Number.isNaN(this.#value)) this.goodMs += spanMs;
      if (!Number.isNaN(this.#value)) {
        this.integrals.sum.addProduct(this.#value, spanMs);
        this.#duration += spanMs;
      }
    }
    if (toMs > this.#untilMs) {
      this.#value = Number.NaN;
      this.#quality = Number.NaN;
    }
    this.#fromMs = Math.max(this.#fromMs, toMs);
  }
}
