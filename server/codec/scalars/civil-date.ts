// Days since 1970-01-01 and calendar dates (proleptic Gregorian), in whole-number arithmetic, for any year from 0 to 9999.

const DAYS_PER_ERA = 146_097; // 400 years
/** From 0000-03-01, where the eras begin, to 1970-01-01. */
const EPOCH_SHIFT_DAYS = 719_468;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] as number);
}

/** Days from 1970-01-01 to a date; the month counts from 1. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year; // years begin in March: the leap day comes last
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  const dayOfEra = yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT_DAYS;
}

export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** The date that is `days` after 1970-01-01, written into `target`. */
export function civilFromDays(days: number, target: CivilDate): void {
  const shifted = days + EPOCH_SHIFT_DAYS;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0;
  target.day = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1;
  target.month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  target.year = yearOfEra + era * 400 + (target.month <= 2 ? 1 : 0);
}
