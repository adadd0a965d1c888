// A time as somebody types it: relative to now, a shift, a date with or without a time of day, or ISO 8601. What cannot be read
// is answered with what is wrong with it.

import { isRelative, tidyRelative } from './relative-time.ts';
import { formatShiftText, readShiftText } from './shift-text.ts';
import type { PlantShifts } from './shifts.ts';
import { fromZoned, zonedDate } from './time-zone.ts';

/** Milliseconds since 1970, or what moves with the clock: `-2h`, `d-1d`, `this shift`. */
export type Bound = number | string;

export const EXAMPLES =
  'Write -8h, d-1d, yesterday 06:00, 06:00, 27.11.2026 06:00, 2026-11-27 06:00 or ISO 8601; for a shift, this shift.';

/** In words what is wrong with a text. */
export interface TimeFault {
  readonly fault: string;
}

export interface TypingContext {
  /** Whether `27/11/2026` begins with the day, as in most languages. */
  readonly isDayFirst: boolean;
  readonly plant: PlantShifts | undefined;
  readonly nowMs: number;
}

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAY_FORMS: readonly (readonly [form: RegExp, order: 'ymd' | 'dmy' | 'by language'])[] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})/, 'ymd'],
  [/^(\d{4})\/(\d{1,2})\/(\d{1,2})/, 'ymd'],
  [/^(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2})(?!\d|:))?/, 'dmy'],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})/, 'by language'],
];
const CLOCK_FORM =
  /^(?:T|\s+|,\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*(am|pm))?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const MOST_LENGTH = 200;

/** Whether the language of the browser, or another one, puts the day before the month. */
export function isDayFirst(language?: string): boolean {
  const types = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return types.indexOf('day') < types.indexOf('month');
}

export function readTyped(typed: string, context: TypingContext): Bound | TimeFault {
  const text = typed.trim();
  if (text === '') return { fault: `A time is missing. ${EXAMPLES}` };
  if (isRelative(text)) return tidyRelative(text);
  const shift = readShiftText(text, context.plant);
  if (shift !== undefined) return formatShiftText(shift);
  for (const [form, order] of text.length > MOST_LENGTH ? [] : DAY_FORMS) {
    const match = form.exec(text);
    if (match === null) continue;
    const isMonthFirst = order === 'by language' && !context.isDayFirst;
    const parts = order === 'ymd' ? partsOf(match[1], match[2], match[3]) : dayFirst(match, isMonthFirst, context);
    return readDate(text, parts, { rest: text.slice(match[0].length), isMonthFirst });
  }
  return { fault: `'${short(text)}' is no time. ${EXAMPLES}` };
}

function partsOf(year = '', month = '', day = ''): DateParts {
  return { year: Number(year.length === 2 ? `20${year}` : year), month: Number(month), day: Number(day) };
}

/** A day without a year is one of this year. */
function dayFirst(match: RegExpExecArray, isMonthFirst: boolean, { nowMs }: TypingContext): DateParts {
  const [, first, second, year = String(zonedDate(nowMs).getUTCFullYear())] = match;
  return isMonthFirst ? partsOf(year, first, second) : partsOf(year, second, first);
}

interface DateRest {
  /** What stands behind the day. */
  readonly rest: string;
  readonly isMonthFirst: boolean;
}

function readDate(text: string, { year, month, day }: DateParts, { rest, isMonthFirst }: DateRest): number | TimeFault {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (month < 1 || month > 12) {
    const order = isMonthFirst ? ' In the language of this browser the month comes before the day.' : '';
    return { fault: `'${short(text)}' has the month ${month}; there are 12.${order} ${EXAMPLES}` };
  }
  if (midnight.getUTCMonth() !== month - 1 || day < 1)
    return { fault: `'${short(text)}' has the day ${day}, which that month does not have. ${EXAMPLES}` };
  if (rest === '') return fromZoned(midnight.getTime());
  const match = CLOCK_FORM.exec(rest);
  if (match === null) return { fault: `'${short(text)}' has '${short(rest.trim())}' for a time of day. ${EXAMPLES}` };
  const clockMs = clockOf(match);
  if (clockMs === undefined)
    return { fault: `'${short(text)}' has a time of day that no clock shows. Write 06:00, 23:59:59 or 6:00 pm.` };
  const zone = match[6];
  const timeMs = midnight.getTime() + clockMs;
  return zone === undefined ? fromZoned(timeMs) : timeMs - offsetOf(zone);
}

/** Undefined for 25:00 and its like. */
function clockOf([, hours, minutes, seconds = '0', fraction = '', half]: RegExpExecArray): number | undefined {
  const typedHour = Number(hours);
  if (half !== undefined && (typedHour < 1 || typedHour > 12)) return undefined;
  const hour = half === undefined ? typedHour : (typedHour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -offsetMs : offsetMs;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
