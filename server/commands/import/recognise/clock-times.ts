// Times as files of other systems write them: which form those of a column have, and the reading of one. Without imports, so
// that a browser can use it.

/** `iso` is the year first, `dmy` the day, `mdy` the month; `s` to `ns` count since 1970, `excel` counts days since 1900. */
export type TimeForm = 'iso' | 'dmy' | 'mdy' | 's' | 'ms' | 'us' | 'ns' | 'excel';

export const TIME_FORMS: readonly TimeForm[] = ['iso', 'dmy', 'mdy', 's', 'ms', 'us', 'ns', 'excel'];

export interface ClockTime {
  readonly ms: number;
  /** Units of 100 ns, below the millisecond. */
  readonly ticks: number;
  /** True where the file does not say how far from UTC its clock is; `ms` is then what the clock shows. */
  readonly isLocal: boolean;
  /** True for a date without a time of day. */
  readonly isDate: boolean;
}

const DATE = String.raw`(\d{1,4})([-/. ])(\d{1,2}|[A-Za-z]{3,9})\2(\d{1,4})`;
const CLOCK = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?[Mm]\.?)?`;
const OFFSET = String.raw`(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)`;
const TEXT_TIME = new RegExp(String.raw`^${DATE}(?:(?:\s*T|\s+|,\s*)${CLOCK}\s*${OFFSET}?)?$`, 'i');
/** `Aug 24, 2026 6:00:00 AM`, with or without the day of the week. */
const MONTH_FIRST = /^(?:[a-z]{3,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})\b,?(.*)$/i;
/** `Mon Aug 24 06:00:00 UTC 2026`; abbreviations of other zones mean several ones. */
const YEAR_LAST = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d\d:\d\d:\d\d)\s+(UTC|GMT)\s+(\d{4})$/i;
const COUNT = /^\d{1,19}(?:[.,]\d{1,12})?$/;
export const CLOCK_ALONE = new RegExp(`^${CLOCK}$`);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Digits before the point of a count: from 1973 to 2286. */
const COUNTED: readonly (readonly [form: TimeForm, least: number, most: number])[] = [
  ['s', 9, 10],
  ['ms', 12, 13],
  ['us', 15, 16],
  ['ns', 18, 19],
];
const DIGITS_BELOW_SECOND: Partial<Record<TimeForm, number>> = { s: 0, ms: 3, us: 6, ns: 9 };
/** The years 1954 to 2119. */
const EXCEL_DAYS = /^[2-7]\d{4}(?:[.,]\d+)?$/;
const EXCEL_1970 = 25_569;
const DAY_MS = 86_400_000;
/** What is longer is no time, and would take the patterns long. */
const MOST_TIME_CHARACTERS = 100;
/** Two digits of a year above it are of the last century. */
const LAST_SHORT_YEAR = 69;

/** The forms that a field can have; none for what is no time. */
export function formsOf(field: string): readonly TimeForm[] {
  if (field.length > MOST_TIME_CHARACTERS) return [];
  if (COUNT.test(field)) {
    const digits = field.split(/[.,]/)[0]?.length ?? 0;
    const counted = COUNTED.find(([, least, most]) => digits >= least && digits <= most);
    if (counted !== undefined) return [counted[0]];
    return EXCEL_DAYS.test(field) ? ['excel'] : [];
  }
  if (!TEXT_TIME.test(dayFirst(field))) return [];
  return (['iso', 'dmy', 'mdy'] as const).filter((form) => readClockTime(field, form) !== undefined);
}

/** Undefined for what is no time of this form. */
export function readClockTime(field: string, form: TimeForm): ClockTime | undefined {
  if (field.length > MOST_TIME_CHARACTERS) return undefined;
  const belowSecond = DIGITS_BELOW_SECOND[form];
  if (belowSecond !== undefined) return COUNT.test(field) ? readCount(field, belowSecond) : undefined;
  return form === 'excel' ? readExcel(field) : readText(field, form);
}

/** Digit by digit: a count of nanoseconds is more than a double holds. */
function readCount(field: string, belowSecond: number): ClockTime | undefined {
  const [whole = '', fraction = ''] = field.split(/[.,]/);
  const digits = (whole + fraction.padEnd(9, '0')).padStart(20, '0');
  const end = digits.length - Math.max(fraction.length, 9) - belowSecond;
  const seconds = Number(digits.slice(0, end));
  const below = digits.slice(end).padEnd(7, '0');
  const ms = seconds * 1000 + Number(below.slice(0, 3));
  return ms > Date.UTC(9999, 11, 31)
    ? undefined
    : { ms, ticks: Number(below.slice(3, 7)), isLocal: false, isDate: false };
}

/** Rounded to milliseconds, which is what the digits of such a number hold. */
function readExcel(field: string): ClockTime | undefined {
  if (!EXCEL_DAYS.test(field)) return undefined;
  const ms = Math.round((Number(field.replace(',', '.')) - EXCEL_1970) * DAY_MS);
  return { ms, ticks: 0, isLocal: true, isDate: false };
}

function readText(field: string, form: TimeForm): ClockTime | undefined {
  const match = TEXT_TIME.exec(dayFirst(field));
  if (match === null) return undefined;
  const [, first = '', , second = '', third = '', ...clock] = match;
  const dayMs = form === 'iso' ? dateOf(first, second, third) : shortDateOf(form, [first, second, third]);
  const ofDayMs = clockOf(clock);
  if (dayMs === undefined || ofDayMs === undefined) return undefined;
  const offset = clock[5];
  const ticks = Number((clock[3] ?? '').padEnd(7, '0').slice(3, 7));
  return {
    ms: dayMs + ofDayMs - offsetOf(offset),
    ticks,
    isLocal: offset === undefined,
    isDate: clock[0] === undefined,
  };
}

/** A time that begins with the name of a month or a day of the week, in the order of others. */
function dayFirst(field: string): string {
  if (!/^[a-z]/i.test(field)) return field;
  return field.replace(YEAR_LAST, '$2 $1 $5 $3 $4').replace(MONTH_FIRST, '$2 $1 $3$4');
}

function shortDateOf(form: TimeForm, [first, second, year]: readonly [string, string, string]): number | undefined {
  if (first.length > 2 || (year.length !== 2 && year.length !== 4)) return undefined;
  const isNamed = /[a-z]/i.test(second);
  if (form === 'mdy' && isNamed) return undefined;
  const century = year.length === 4 ? 0 : 1900 + (Number(year) > LAST_SHORT_YEAR ? 0 : 100);
  const fullYear = String(Number(year) + century);
  return form === 'dmy' ? dateOf(fullYear, second, first) : dateOf(fullYear, first, second);
}

function dateOf(year: string, month: string, day: string): number | undefined {
  if (year.length !== 4 || day.length > 2) return undefined;
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const monthIndex = named === -1 ? Number(month) - 1 : named;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthIndex, Number(day));
  const isThere = date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day) && Number(year) > 0;
  return isThere ? date.getTime() : undefined;
}

/** Milliseconds of the day; undefined for an hour or minute that no clock shows. */
function clockOf([hour, minute, second = '0', fraction = '', half]: readonly (string | undefined)[]):
  | number
  | undefined {
  if (hour === undefined || minute === undefined) return 0;
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const isAfternoon = half?.toLowerCase() === 'p';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function offsetOf(offset: string | undefined): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset ?? '') ?? [];
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
