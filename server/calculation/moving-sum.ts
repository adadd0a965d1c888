// The sum of values over the last span of time, as the span moves on.

import { ExactSum } from '../../engine/index.ts';

/** More parts than these are put together by twos: a span may hold any number of points. */
const MOST_PARTS = 65_536;

export interface SpanPart {
  readonly fromMs: number;
  readonly toMs: number;
  /** Values by the time for which they held. */
  readonly sum: number;
  readonly knownMs: number;
  /** Good part of the known time. */
  readonly goodMs: number;
}

type Amount = 'sum' | 'knownMs' | 'goodMs';

export class MovingSum {
  #parts: SpanPart[] = [];
  /** Index of the first part that counts. */
  #first = 0;
  readonly #totals: Readonly<Record<Amount, ExactSum>> = {
    sum: new ExactSum(),
    knownMs: new ExactSum(),
    goodMs: new ExactSum(),
  };

  /** The part comes behind all others. */
  add(part: SpanPart): void {
    if (this.#parts.length - this.#first >= MOST_PARTS) this.#joinByTwos();
    this.#parts.push(part);
    this.#count(part, 1);
  }

  /** Leaves out what was before a time, which is never earlier than the last one. */
  dropBefore(timeMs: number): void {
    for (;;) {
      const part = this.#parts[this.#first];
      if (part === undefined || part.fromMs >= timeMs) break;
      this.#count(part, -1);
      if (part.toMs > timeMs) {
        const rest = restOf(part, timeMs);
        this.#parts[this.#first] = rest;
        this.#count(rest, 1);
        break;
      }
      this.#first++;
    }
    if (this.#first > this.#parts.length / 2) {
      this.#parts.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Over time; NaN when nothing is known. */
  get mean(): number {
    // Exact for one part: what rounding has left of the others is nothing.
    if (this.#parts.length - this.#first === 1) {
      const { sum, knownMs } = this.#parts[this.#first] as SpanPart;
      return sum / knownMs;
    }
    const knownMs = this.#totals.knownMs.value;
    return knownMs > 0 ? this.#totals.sum.value / knownMs : Number.NaN;
  }

  /** Whether all of the time, from the first part that counts on, was known and good. */
  get isGood(): boolean {
    const [first, last] = [this.#parts[this.#first], this.#parts.at(-1)];
    if (first === undefined || last === undefined) return true;
    const lastedMs = last.toMs - first.fromMs;
    return lastedMs - this.#totals.goodMs.value <= lastedMs * 1e-9;
  }

  #count({ sum, knownMs, goodMs }: SpanPart, sign: 1 | -1): void {
    this.#totals.sum.add(sign * sum);
    this.#totals.knownMs.add(sign * knownMs);
    this.#totals.goodMs.add(sign * goodMs);
  }

  #joinByTwos(): void {
    const joined: SpanPart[] = [];
    for (let i = this.#first; i < this.#parts.length; i += 2) {
      const [a, b] = [this.#parts[i] as SpanPart, this.#parts[i + 1]];
      joined.push(b === undefined ? a : joinedPart(a, b));
    }
    this.#parts = joined;
    this.#first = 0;
    // What a part has lost by rounding, the totals must not have.
    for (const total of Object.values(this.#totals)) total.clear();
    for (const part of joined) this.#count(part, 1);
  }
}

function joinedPart(a: SpanPart, b: SpanPart): SpanPart {
  return {
    fromMs: a.fromMs,
    toMs: b.toMs,
    sum: a.sum + b.sum,
    knownMs: a.knownMs + b.knownMs,
    goodMs: a.goodMs + b.goodMs,
  };
}

function restOf({ fromMs, toMs, sum, knownMs, goodMs }: SpanPart, timeMs: number): SpanPart {
  const share = (toMs - timeMs) / (toMs - fromMs);
  return { fromMs: timeMs, toMs, sum: sum * share, knownMs: knownMs * share, goodMs: goodMs * share };
}
