// Spans of a fixed length by the clocks of a zone: they begin at whole multiples of the span from midnight of 1970, local time.
// A span in which clocks change is as much longer or shorter, so that those behind it begin at the same times of day.

import { constantUntil, type TimeZone } from './time-zone.ts';

const DAY_MS = 86_400_000;

export class AlignedSpans {
  readonly #spanMs: number;
  readonly #zone: TimeZone;
  /** The newest beginning, the offset there, and up to where the zone has that offset. */
  #timeMs: number;
  #offsetMs: number;
  #untilMs: number;

  /** Begins at or before a time. */
  constructor(spanMs: number, zone: TimeZone, fromMs: number) {
    const localMs = fromMs + zone.offsetMs(fromMs);
    this.#spanMs = spanMs;
    this.#zone = zone;
    this.#timeMs = fromMs - (localMs - Math.floor(localMs / spanMs) * spanMs);
    this.#offsetMs = zone.offsetMs(this.#timeMs);
    this.#untilMs = this.#timeMs + 1;
  }

  get timeMs(): number {
    return this.#timeMs;
  }

  /** Goes on to the next beginning. */
  next(): number {
    let localMs = this.#wholeSpans(Math.floor((this.#timeMs + this.#offsetMs) / this.#spanMs) + 1);
    for (;;) {
      const timeMs = localMs - this.#offsetMs;
      if (timeMs < this.#untilMs) {
        this.#timeMs = timeMs;
        return timeMs;
      }
      if (!(timeMs < Number.MAX_SAFE_INTEGER)) return Number.POSITIVE_INFINITY;
      const change = this.#lookFurther(timeMs);
      if (change !== undefined) localMs = this.#localBehind(change);
    }
  }

  #wholeSpans(count: number): number {
    return count * this.#spanMs;
  }

  /** The first beginning behind a change. A local time that comes again begins a span only when the one before has its length. */
  #localBehind({ timeMs, byMs }: ClockChange): number {
    const localMs = this.#wholeSpans(Math.ceil((timeMs + this.#offsetMs) / this.#spanMs));
    const isShort = localMs - this.#offsetMs - this.#timeMs < this.#spanMs;
    return byMs < 0 && isShort ? localMs + this.#spanMs : localMs;
  }

  /** Knows the offset for a day more, or up to the next change; gives the change where it is right there. */
  #lookFurther(wantedMs: number): ClockChange | undefined {
    const zone = this.#zone;
    if (wantedMs - this.#untilMs > 2 * DAY_MS) this.#untilMs = wantedMs - DAY_MS;
    const offsetMs = zone.offsetMs(this.#untilMs);
    const byMs = offsetMs - this.#offsetMs;
    const timeMs = this.#untilMs;
    this.#offsetMs = offsetMs;
    this.#untilMs = constantUntil(zone, timeMs, offsetMs);
    return byMs === 0 ? undefined : { timeMs, byMs };
  }
}

interface ClockChange {
  readonly timeMs: number;
  readonly byMs: number;
}
