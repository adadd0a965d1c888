// Starts of days, weeks, months and years by the clocks of a zone, and steps in its calendar, as the server has them.

import { timeOfClock, type Zone } from './time-zone.ts';

export type CalendarUnit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's';

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
const SPAN_MS: Readonly<Partial<Record<CalendarUnit, number>>> = { h: 3_600_000, m: 60_000, s: 1000 };
/** The years 1 to 9999. */
export const EARLIEST_MS = -62_135_596_800_000;
export const LATEST_MS = 253_402_300_799_999;

export function clampTime(timeMs: number): number {
  return Math.min(LATEST_MS, Math.max(EARLIEST_MS, timeMs));
}

/** Start of the year, month, week (from Monday on), day, hour or minute that lasts at this time. */
export function startOfUnit(timeMs: number, unit: CalendarUnit, zone: Zone): number {
  const clockMs = timeMs + zone.offsetMs(timeMs);
  const spanMs = SPAN_MS[unit];
  if (spanMs === undefined) return timeOfClock(zone, startOfClockDays(clockMs, unit), 'first');
  // An hour that occurs twice is two hours: the present one may be the second.
  const startMs = floorTo(clockMs, spanMs);
  const second = timeOfClock(zone, startMs, 'second');
  return second <= timeMs ? second : timeOfClock(zone, startMs, 'first');
}

function startOfClockDays(clockMs: number, unit: CalendarUnit): number {
  const dayMs = floorTo(clockMs, DAY_MS);
  if (unit === 'd') return dayMs;
  if (unit === 'w') return dayMs - (weekdayOf(dayMs) - 1) * DAY_MS;
  const date = new Date(dayMs);
  date.setUTCDate(1);
  if (unit === 'y') date.setUTCMonth(0);
  return date.getTime();
}

/** 1 is Monday, 7 Sunday; of a time of clocks. */
export function weekdayOf(clockMs: number): number {
  return ((new Date(clockMs).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK) + 1;
}

/**
 * Hours, minutes and seconds are spans; days, weeks, months and years lead to the same time of clocks of another day. Never
 * beyond the years 1 to 9999.
 */
export function addStep(timeMs: number, count: number, unit: CalendarUnit, zone: Zone): number {
  const spanMs = SPAN_MS[unit];
  if (spanMs !== undefined) return clampTime(timeMs + count * spanMs);
  if (count === 0) return timeMs;
  const movedMs = addClockDays(timeMs + zone.offsetMs(timeMs), count, unit);
  if (Number.isNaN(movedMs)) return count < 0 ? EARLIEST_MS : LATEST_MS;
  return clampTime(timeOfClock(zone, clampTime(movedMs), 'first'));
}

function addClockDays(clockMs: number, count: number, unit: CalendarUnit): number {
  if (unit === 'd') return clockMs + count * DAY_MS;
  if (unit === 'w') return clockMs + count * DAYS_PER_WEEK * DAY_MS;
  return addMonths(clockMs, unit === 'y' ? 12 * count : count);
}

/** Equal day and time of another month; a day that the month does not have becomes its last. */
function addMonths(clockMs: number, months: number): number {
  const date = new Date(clockMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(date.getTime());
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return date.getTime();
}

/** The time at which the clocks of the zone show so much past midnight, on the day that lasts at a time. */
export function atClock(timeMs: number, pastMidnightMs: number, zone: Zone): number {
  const dayMs = floorTo(timeMs + zone.offsetMs(timeMs), DAY_MS);
  return timeOfClock(zone, dayMs + pastMidnightMs, 'first');
}

/** The last multiple of a unit at or before a time. */
export function floorTo(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}
