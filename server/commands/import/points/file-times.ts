// The times of a file as instants: of the form that was recognised, and by the clock of a zone where they do not say their own.

import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { findTimeZone, type TimeZone } from '../../../routes/request/time-zone.ts';
import { type ClockTime, readClockTime, type TimeForm } from '../recognise/clock-times.ts';
import { CsvFault } from '../recognise/csv-records.ts';
import type { CsvTime } from './csv-times.ts';
import { LocalClock } from './local-clock.ts';
import type { ReaderOptions, StretchFindings } from './point-reader.ts';

export interface FileTimesOptions extends ReaderOptions {
  readonly zone: string | undefined;
  /** Which of two hours local times are of where no row tells it. */
  readonly twice: 'first' | 'second' | undefined;
}

export class FileTimes {
  readonly #form: TimeForm;
  readonly #zone: string | undefined;
  readonly #clock: LocalClock;

  constructor(form: TimeForm, isNewestFirst: boolean, options: FileTimesOptions) {
    this.#form = form;
    this.#zone = options.zone;
    this.#clock = new LocalClock(findTimeZone(options.zone ?? 'UTC') as TimeZone, {
      isNewestFirst,
      verdicts: options.isOnePass === true ? undefined : options.findings?.stretches,
      twice: options.twice,
      isOnePass: options.isOnePass ?? false,
    });
  }

  /** `tag` is empty for a row that has several. Throws a `CsvFault`. */
  read(field: string, tag: string, line: number): CsvTime {
    const time = readClockTime(field, this.#form);
    if (time === undefined)
      throw new CsvFault(line, `got the time ${field.slice(0, 60)}; want one of the form ${this.#form}`);
    return this.#instantOf(time, { field, tag, line });
  }

  /** A time of the day that `field` is; `ofDayMs` is what the clock shows, in milliseconds. Throws a `CsvFault`. */
  readOfDay(field: string, ofDayMs: number, tag: string, line: number): CsvTime {
    const day = readClockTime(field, this.#form);
    if (day?.isDate !== true)
      throw new CsvFault(line, `got ${field.slice(0, 60)}; want a day without a time, as columns are times of day`);
    return this.#instantOf({ ...day, ms: day.ms + ofDayMs, isDate: false }, { field, tag, line });
  }

  /** Throws a `CsvFault`. */
  #instantOf(time: ClockTime, { field, tag, line }: { field: string; tag: string; line: number }): CsvTime {
    if (time.isLocal && !time.isDate && this.#zone === undefined)
      throw new CsvFault(line, `${field} does not say in which time zone it is; want --tz <zone>`);
    const ms = time.isLocal ? this.#clock.instantOf(time.ms, tag, line) : time.ms;
    if (ms === 'skipped')
      throw new CsvFault(line, `clocks in ${this.#zone} never show ${field}: they were put forward; want another --tz`);
    if (ms === 'mixed')
      throw new CsvFault(
        line,
        `clocks in ${this.#zone} show ${field} twice, and the order of the rows does not tell which it is; want rows sorted by time, or --twice first or --twice second`,
      );
    return { ms, ticks: time.ticks, text: formatInstant({ ms, ticks: time.ticks }) };
  }

  /** After the last row. */
  findings(): StretchFindings {
    const { verdicts, isFinal } = this.#clock.end();
    return { stretches: verdicts, isFinal };
  }

  *doubts(): Generator<string> {
    const { untold } = this.#clock;
    if (untold === undefined) return;
    const { count, firstLine, taken } = untold;
    const other = taken === 'first' ? 'second' : 'first';
    yield `Line ${firstLine}: clocks in ${this.#zone} show this hour twice, and no row tells which it is (${count.toLocaleString('en')} rows); it is taken for the ${taken} one. --twice ${other} where it is the other.`;
  }
}
