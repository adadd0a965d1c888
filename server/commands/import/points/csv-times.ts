// Times of the project's own form of CSV.

import { formatInstant, parseInstant } from '../../../codec/scalars/timestamp.ts';
import { CsvFault } from '../recognise/csv-records.ts';

/** An instant, and its text for the server. */
export interface CsvTime {
  readonly ms: number;
  /** Units of 100 ns, below the millisecond. */
  readonly ticks: number;
  readonly text: string;
}

const TIME_FORM = 'ISO 8601 such as 2024-03-01T08:00:00Z, or milliseconds since 1970';
const BLANK_DATE_TIME = /^(\d{4}-\d\d-\d\d) +(\d\d:.*)$/;
/** From 1973 on; what has fewer digits is probably seconds. */
const MILLISECONDS = /^\d{12,15}$/;
const SECONDS = /^\d{9,10}$/;
/** `2024-03-01T08:00:00.000Z`, as times are written for the server: most files have this form. */
const PLAIN_LENGTH = 24;

/** Throws a `CsvFault`. */
export function readCsvTime(field: string, line: number): CsvTime {
  if (field.length === PLAIN_LENGTH && field[10] === 'T' && field[19] === '.' && field[23] === 'Z') {
    const plain = parseInstant(field);
    if (plain !== undefined) return { ...plain, text: field };
  }
  const instant = MILLISECONDS.test(field)
    ? { ms: Number(field), ticks: 0 }
    : parseInstant(field.replace(BLANK_DATE_TIME, '$1T$2'));
  if (instant === undefined || instant.ms > Date.UTC(9999, 11, 31)) {
    const hint = SECONDS.test(field) ? ` (${field}000 where these are seconds)` : '';
    throw new CsvFault(
      line,
      `got ${field === '' ? 'no time' : `the time ${field.slice(0, 60)}`}; want ${TIME_FORM}${hint}`,
    );
  }
  return { ...instant, text: formatInstant(instant) };
}
