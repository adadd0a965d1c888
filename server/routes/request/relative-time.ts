// Times relative to now: an anchor (now, or the start of the present year, month, week …), then steps from there.
// docs/api.md has the grammar. Pure.

import { type Instant, MAX_TIME_MS, MIN_TIME_MS } from '../../../engine/index.ts';
import { instantOfLocal, type TimeZone } from './time-zone.ts';

/** What a bound may be; anything longer is refused before it is parsed. */
const MAX_LENGTH = 500;
const RELATIVE_FORM = /^(now|[yMwdhm])?(?:([+-]?)((?:\d+[yMwdhms])+))?$/;
const STEP_FORM = /(\d+)([yMwdhms])/g;

const MONTHS_PER_YEAR = 12;
const DAYS_PER_WEEK = 7;
const DAY_MS = 86_400_000;
const MS_BY_UNIT = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
]);

/**
 * The instant that the text means, with calendar and clocks of the zone. `form`: it is no relative time. `years`: it lies
 * outside the years 1 to 9999.
 */
export function resolveRelative(text: string, now: Instant, zone: TimeZone): Instant | 'form' | 'years' {
  const match = text === '' || text.length > MAX_LENGTH ? null : RELATIVE_FORM.exec(text);
  if (match === null) return 'form';
  const [, anchor = 'now', sign, steps = ''] = match;
  const ticks = anchor === 'now' ? now.ticks : 0;
  let timeMs = anchor === 'now' ? now.ms : startOfUnit(now.ms, anchor, zone);
  for (const [, digits, unit = ''] of steps.matchAll(STEP_FORM)) {
    timeMs = addStep(timeMs, sign === '-' ? -Number(digits) : Number(digits), unit, zone);
    // One sign holds for all steps, so none leads back; and the calendar knows no farther times.
    if (!isInYears(timeMs)) return 'years';
  }
  return isInYears(timeMs) ? { ms: timeMs, ticks } : 'years';
}

function isInYears(timeMs: number): boolean {
  return timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS;
}

/** Start of the year, month, week (from Monday on), day, hour or minute that lasts at this time. */
export function startOfUnit(timeMs: number, unit: string, zone: TimeZone): number {
  const localMs = timeMs + zone.offsetMs(timeMs);
  const unitMs = MS_BY_UNIT.get(unit);
  if (unitMs === undefined) return instantOfLocal(zone, startOfLocalDays(localMs, unit), 'first');
  // An hour that occurs twice is two hours: the present one may be the second.
  const startMs = floorTo(localMs, unitMs);
  const second = instantOfLocal(zone, startMs, 'second');
  return second <= timeMs ? second : instantOfLocal(zone, startMs, 'first');
}

function startOfLocalDays(localMs: number, unit: string): number {
  const dayMs = floorTo(localMs, DAY_MS);
  if (unit === 'd') return dayMs;
  const date = new Date(dayMs);
  if (unit === 'w') return dayMs - ((date.getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK) * DAY_MS;
  date.setUTCDate(1);
  if (unit === 'y') date.setUTCMonth(0);
  return date.getTime();
}

/** Hours, minutes and seconds are spans; days, weeks, months and years lead to the same local time of another day. */
export function addStep(timeMs: number, count: number, unit: string, zone: TimeZone): number {
  const unitMs = MS_BY_UNIT.get(unit);
  if (unitMs !== undefined) return timeMs + count * unitMs;
  if (count === 0) return timeMs;
  const localMs = timeMs + zone.offsetMs(timeMs);
  const movedMs = addLocalDays(localMs, count, unit);
  return isInYears(movedMs) ? instantOfLocal(zone, movedMs, 'first') : movedMs;
}

function addLocalDays(localMs: number, count: number, unit: string): number {
  if (unit === 'd') return localMs + count * DAY_MS;
  if (unit === 'w') return localMs + count * DAYS_PER_WEEK * DAY_MS;
  return addMonths(localMs, unit === 'y' ? count * MONTHS_PER_YEAR : count);
}

/** The same day and time of another month; a day the month does not have becomes its last. */
function addMonths(localMs: number, months: number): number {
  const date = new Date(localMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(date.getTime());
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return date.getTime();
}

function floorTo(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}
