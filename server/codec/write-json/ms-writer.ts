// Times in whole ms since 1970 into bytes. The upper digits are kept from one time to the next, so that a time costs two
// stores (`bench/server/json.ts`).

import { FOUR_DIGITS, writeFourDigits } from '../scalars/number-text.ts';
import { writeInteger } from './value-writer.ts';

const COMMA = 0x2c;
const STEP_MS = 10_000;
/** Times from here to 10^13 have thirteen digits: nine upper ones, and four below. */
const FIRST_MS = 1e12;
const LAST_MS = 1e13;
const UPPER_DIGITS = 9;

export class MsWriter {
  /** Start of the current ten seconds. */
  #baseMs = Number.NaN;
  /** Its upper digits: eight of them as the double that their bytes make (never NaN), and the ninth. */
  #front = Number.NaN;
  #ninth = 0;
  readonly #scratch = new DataView(new ArrayBuffer(32));

  /** Writes at `offset` and returns the offset after; may overwrite three bytes more. */
  write(view: DataView, offset: number, timeMs: number): number {
    let rest = timeMs - this.#baseMs;
    if (!(rest >= 0 && rest < STEP_MS)) {
      if (!(timeMs >= FIRST_MS && timeMs < LAST_MS)) return writeInteger(view, offset, timeMs);
      rest = this.#turnTo(timeMs);
    }
    view.setFloat64(offset, this.#front, true);
    view.setUint8(offset + 8, this.#ninth);
    writeFourDigits(view, offset + UPPER_DIGITS, rest | 0);
    return offset + UPPER_DIGITS + 4;
  }

  /** Writes times `[start, end)`, a comma after each, and returns the offset after them. `bench/server/json.ts` */
  writeAll(view: DataView, from: number, timesMs: Float64Array, start: number, end: number): number {
    let offset = from;
    let baseMs = this.#baseMs;
    let front = this.#front;
    let ninth = this.#ninth;
    for (let i = start; i < end; i++) {
      const timeMs = timesMs[i] as number;
      const rest = timeMs - baseMs;
      if (rest >= 0 && rest < STEP_MS) {
        view.setFloat64(offset, front, true);
        view.setUint8((offset + 8) | 0, ninth);
        view.setInt32((offset + UPPER_DIGITS) | 0, FOUR_DIGITS[rest | 0] as number, true);
        offset = (offset + UPPER_DIGITS + 4) | 0;
      } else {
        offset = this.write(view, offset, timeMs);
        baseMs = this.#baseMs;
        front = this.#front;
        ninth = this.#ninth;
      }
      view.setUint8(offset, COMMA);
      offset = (offset + 1) | 0;
    }
    return offset;
  }

  /** Makes the ten seconds of a time the current ones; returns the ms of the time within them. */
  #turnTo(timeMs: number): number {
    const upper = Math.floor(timeMs / STEP_MS);
    writeInteger(this.#scratch, 0, upper);
    this.#front = this.#scratch.getFloat64(0, true);
    this.#ninth = this.#scratch.getUint8(8);
    this.#baseMs = upper * STEP_MS;
    return timeMs - this.#baseMs;
  }
}
