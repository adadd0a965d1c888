// The clocks of a zone along a run of instants. What was looked up holds for a stretch of up to a day: a look costs as much as
// writing some dozens of rows.

import { constantUntil, isShownTwice, type TimeZone } from './time-zone.ts';

const DAY_MS = 86_400_000;

export class ZoneClock {
  readonly #zone: TimeZone;
  #fromMs = Number.NaN;
  #untilMs = Number.NaN;
  #offsetMs = 0;
  /** Whether clocks are put back in the stretch, or within a day of it. */
  #isNearRepeat = false;

  constructor(zone: TimeZone) {
    this.#zone = zone;
  }

  /** What has to be added to an instant to get the local time. */
  offsetMs(timeMs: number): number {
    if (!(timeMs >= this.#fromMs && timeMs < this.#untilMs)) this.#look(timeMs);
    return this.#offsetMs;
  }

  /** Whether the clocks show the same at another instant. */
  isShownTwice(timeMs: number): boolean {
    this.offsetMs(timeMs);
    return this.#isNearRepeat && isShownTwice(this.#zone, timeMs);
  }

  #look(timeMs: number): void {
    const zone = this.#zone;
    this.#fromMs = timeMs;
    this.#offsetMs = zone.offsetMs(timeMs);
    this.#untilMs = constantUntil(zone, timeMs, this.#offsetMs);
    this.#isNearRepeat = zone.offsetMs(timeMs - DAY_MS) > zone.offsetMs(this.#untilMs + DAY_MS);
  }
}
