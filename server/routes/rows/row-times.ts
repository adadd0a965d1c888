// Times of rows, in the form that was asked for.

import { MAX_TIME_MS, MIN_TIME_MS } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { TICK_TIME_BYTES, TimeWriter } from '../../codec/write-json/time-writer.ts';
import type { TimeStyle } from '../request/time-style.ts';
import { ZoneClock } from '../request/zone-clock.ts';

const MINUTE_MS = 60_000;
const BLANK = 0x20;
/** Places of the T of a time, and of the point before its fraction. */
const T_AT = 10;
const POINT_AT = 19;
/** `+01:00` */
const OFFSET_BYTES = 6;

export interface RowTimes {
  /** What the column of times is called. */
  readonly heading: string;
  /** ASCII, without quotes. */
  write(out: OutputBytes, ms: number, ticks: number): void;
}

/** `decimal` stands before the fraction of times as clocks show them. */
export function createRowTimes(style: TimeStyle, decimal: '.' | ','): RowTimes {
  if (style.form === 'utc') return new UtcTimes();
  return style.form === 'offset' ? new OffsetTimes(style) : new LocalTimes(style, decimal);
}

/** `2026-11-29T04:00:00.000Z` */
class UtcTimes implements RowTimes {
  readonly heading = 'time';
  readonly #times = new TimeWriter();

  write(out: OutputBytes, ms: number, ticks: number): void {
    out.reserve(TICK_TIME_BYTES);
    out.length = this.#times.write(out.view, out.length, ms, ticks);
  }
}

/** What both forms of times by the clocks of a zone do: the time as these show it, without what says which zone is meant. */
class ZonedTimes {
  readonly #clock: ZoneClock;
  readonly #times = new TimeWriter();
  #offsetMs = Number.NaN;
  #offsetText = '';

  constructor({ zone }: TimeStyle) {
    this.#clock = new ZoneClock(zone);
  }

  writeClock(out: OutputBytes, ms: number, ticks: number): void {
    out.reserve(TICK_TIME_BYTES + OFFSET_BYTES);
    out.length = this.#times.write(out.view, out.length, ms + this.#offsetAt(ms), ticks) - 1;
  }

  writeOffset(out: OutputBytes, ms: number): void {
    const offsetMs = this.#offsetAt(ms);
    if (offsetMs !== this.#offsetMs) {
      this.#offsetMs = offsetMs;
      this.#offsetText = formatOffset(offsetMs);
    }
    out.ascii(this.#offsetText);
  }

  isShownTwice(ms: number): boolean {
    return this.#clock.isShownTwice(ms);
  }

  /** In whole minutes, as ISO 8601 has offsets; none where the local time would be outside the years 1 to 9999. */
  #offsetAt(ms: number): number {
    const offsetMs = Math.trunc(this.#clock.offsetMs(ms) / MINUTE_MS) * MINUTE_MS + 0;
    const localMs = ms + offsetMs;
    return localMs >= MIN_TIME_MS && localMs <= MAX_TIME_MS ? offsetMs : 0;
  }
}

/** `2026-11-29T05:00:00.000+01:00` */
class OffsetTimes extends ZonedTimes implements RowTimes {
  readonly heading = 'time';

  write(out: OutputBytes, ms: number, ticks: number): void {
    this.writeClock(out, ms, ticks);
    this.writeOffset(out, ms);
  }
}

/** `2026-11-29 05:00:00`, with a fraction where there is one, and the offset in an hour that clocks show twice. */
class LocalTimes extends ZonedTimes implements RowTimes {
  /** Nothing else tells the zone. */
  readonly heading: string;
  readonly #point: number;

  constructor(style: TimeStyle, decimal: '.' | ',') {
    super(style);
    this.heading = `time (${style.zoneName})`;
    this.#point = decimal.charCodeAt(0);
  }

  write(out: OutputBytes, ms: number, ticks: number): void {
    const start = out.length;
    this.writeClock(out, ms, ticks);
    out.bytes[start + T_AT] = BLANK;
    out.bytes[start + POINT_AT] = this.#point;
    const isWholeSecond = ticks === 0 && ms % 1000 === 0;
    if (isWholeSecond) out.length = start + POINT_AT;
    if (this.isShownTwice(ms)) this.writeOffset(out, ms);
  }
}

function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
