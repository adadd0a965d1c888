// Functions of an expression that go by what was before: the previous value, the rate of change, the integral, and the moving
// average. Each call has a state of its own, which begins with the read.

import { ExactSum } from '../../engine/index.ts';
import { MovingSum } from './moving-sum.ts';

/** Smaller qualities are bad: such values count as unknown. */
const LEAST_USABLE = 64;
const GOOD = 192;
const SECOND_MS = 1000;

/** The time that a value of the expression is of, and what is told of its quality. */
export interface Moment {
  /** Milliseconds since 1970, with parts of one. */
  timeMs: number;
  /** Until when the value holds, for results of intervals; for points, of which that is not known yet, their time. */
  endMs: number;
  /** Start of what is asked for; values before it are there for those that follow. */
  readonly fromMs: number;
  /** One for each tag of the expression. */
  readonly qualities: Float64Array;
  /** Quality of the value: what functions take in from the past may make it worse. */
  quality: number;
  /** By call; made by the first value. */
  readonly states: HistoryState[];
}

export interface HistoryState {
  /** What the function gives for the next value of its argument, whose quality is given too. */
  next(value: number, quality: number, moment: Moment): number;
}

/** How far behind the start a read has to begin. */
export interface Lead {
  /** In results of intervals. */
  readonly intervals: number;
  /** Besides them. */
  readonly spanMs: number;
}

export interface HistoryFunction {
  /** Whether its second argument, a span, may be missing. */
  readonly span: 'optional' | 'required' | 'none';
  readonly leadOf: (spanMs: number) => Lead;
  readonly start: (spanMs: number) => HistoryState;
}

export const NO_LEAD: Lead = { intervals: 0, spanMs: 0 };
const ONE_BEFORE: Lead = { intervals: 1, spanMs: 0 };

export const HISTORY_FUNCTIONS: ReadonlyMap<string, HistoryFunction> = new Map([
  ['previous', { span: 'none', leadOf: () => ONE_BEFORE, start: () => new Previous() }],
  ['rate', { span: 'optional', leadOf: () => ONE_BEFORE, start: (unitMs) => new Rate(unitMs) }],
  ['integral', { span: 'optional', leadOf: () => NO_LEAD, start: (unitMs) => new Integral(unitMs) }],
  [
    'movingAverage',
    { span: 'required', leadOf: (spanMs) => ({ intervals: 0, spanMs }), start: (spanMs) => new MovingAverage(spanMs) },
  ],
] as const satisfies readonly (readonly [string, HistoryFunction])[]);

/** Span that a function goes by when none is given. */
export const USUAL_SPAN_MS = SECOND_MS;

const UNIT_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 7 * 86_400 * SECOND_MS,
};
const SPAN_FORM = /^(?:[wdhms]|(?:\d{1,9}[wdhms])+)$/;

/** Milliseconds of `10m`, `1h30m`, or `h` for one hour; undefined for what is no span, or one of zero. */
export function parseSpan(text: string): number | undefined {
  if (!SPAN_FORM.test(text)) return undefined;
  let spanMs = 0;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d*)([wdhms])/g))
    spanMs += (count === '' ? 1 : Number(count)) * (UNIT_MS[unit] as number);
  return spanMs > 0 ? spanMs : undefined;
}

/** The longer of two. */
export function longerLead(a: Lead, b: Lead): Lead {
  return { intervals: Math.max(a.intervals, b.intervals), spanMs: Math.max(a.spanMs, b.spanMs) };
}

/** A function of what another one gives. */
export function addedLead(a: Lead, b: Lead): Lead {
  return { intervals: a.intervals + b.intervals, spanMs: a.spanMs + b.spanMs };
}

function isUsable(value: number, quality: number): boolean {
  return Number.isFinite(value) && quality >= LEAST_USABLE;
}

function worsen(moment: Moment, quality: number): void {
  moment.quality = Math.min(moment.quality, quality);
}

class Previous implements HistoryState {
  #value = Number.NaN;
  #quality = GOOD;

  next(value: number, quality: number, moment: Moment): number {
    const before = this.#value;
    worsen(moment, this.#quality);
    this.#value = value;
    this.#quality = quality;
    return before;
  }
}

/** From the last value that is usable: a gap has the rate between its ends. */
class Rate implements HistoryState {
  readonly #unitMs: number;
  #value = Number.NaN;
  #timeMs = 0;
  #quality = GOOD;

  constructor(unitMs: number) {
    this.#unitMs = unitMs;
  }

  next(value: number, quality: number, moment: Moment): number {
    if (!isUsable(value, quality)) return Number.NaN;
    const rate = ((value - this.#value) / (moment.timeMs - this.#timeMs)) * this.#unitMs;
    worsen(moment, this.#quality);
    this.#value = value;
    this.#timeMs = moment.timeMs;
    this.#quality = quality;
    return rate;
  }
}

interface HeldValue {
  readonly value: number;
  readonly quality: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Values with the time for which they hold: that of a point is known when the next one comes. */
class HeldValues {
  #value = Number.NaN;
  #quality = 0;
  #sinceMs: number | undefined;

  /** What was held until now, then what holds from now on, as far as each is known. */
  take(value: number, quality: number, { timeMs, endMs }: Moment, take: (held: HeldValue) => void): void {
    const sinceMs = this.#sinceMs;
    if (sinceMs !== undefined && sinceMs < timeMs)
      take({ value: this.#value, quality: this.#quality, fromMs: sinceMs, toMs: timeMs });
    if (endMs > timeMs) take({ value, quality, fromMs: timeMs, toMs: endMs });
    this.#value = value;
    this.#quality = quality;
    this.#sinceMs = Math.max(timeMs, endMs);
  }
}

/** From the start of what is asked for on. What is unknown adds nothing, and makes all that follows uncertain. */
class Integral implements HistoryState {
  readonly #unitMs: number;
  readonly #held = new HeldValues();
  readonly #total = new ExactSum();
  #quality = GOOD;
  #isBegun = false;

  constructor(unitMs: number) {
    this.#unitMs = unitMs;
  }

  next(value: number, quality: number, moment: Moment): number {
    this.#held.take(value, quality, moment, (held) => this.#add(held, moment.fromMs));
    this.#isBegun ||= isUsable(value, quality);
    worsen(moment, this.#quality);
    return this.#isBegun && moment.timeMs >= moment.fromMs ? this.#total.value : Number.NaN;
  }

  #add({ value, quality, fromMs, toMs }: HeldValue, startMs: number): void {
    const lastedMs = toMs - Math.max(fromMs, startMs);
    if (lastedMs <= 0) return;
    const usable = isUsable(value, quality);
    if (usable) this.#total.add((value * lastedMs) / this.#unitMs);
    this.#quality = Math.min(this.#quality, usable ? quality : LEAST_USABLE);
  }
}

/** Over time, of the span that ends with the value; of what is known of it. */
class MovingAverage implements HistoryState {
  readonly #spanMs: number;
  readonly #held = new HeldValues();
  readonly #sum = new MovingSum();

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  next(value: number, quality: number, moment: Moment): number {
    this.#held.take(value, quality, moment, (held) => this.#add(held));
    this.#sum.dropBefore(Math.max(moment.timeMs, moment.endMs) - this.#spanMs);
    if (!this.#sum.isGood) worsen(moment, LEAST_USABLE);
    const mean = this.#sum.mean;
    return Number.isNaN(mean) && isUsable(value, quality) ? value : mean;
  }

  #add({ value, quality, fromMs, toMs }: HeldValue): void {
    const lastedMs = toMs - fromMs;
    const usable = isUsable(value * lastedMs, quality);
    this.#sum.add({
      fromMs,
      toMs,
      sum: usable ? value * lastedMs : 0,
      knownMs: usable ? lastedMs : 0,
      goodMs: usable && quality >= GOOD ? lastedMs : 0,
    });
  }
}
