// Beginnings of intervals by the clocks of a zone, equal in every read: at full seconds, minutes and hours, at midnights, on
// Mondays.

import { floorTo, startOfUnit } from './calendar.ts';
import { shownZone, timeOfClock, type Zone } from './time-zone.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** How the server is asked for it: days and weeks go by the calendar, which may put an hour more or less into one. */
export function intervalForServer(intervalMs: number): string {
  if (intervalMs % WEEK_MS === 0) return `${intervalMs / WEEK_MS}w`;
  return intervalMs % DAY_MS === 0 ? `${intervalMs / DAY_MS}d` : `${intervalMs}ms`;
}

/**
 * A beginning of an interval at or before a time, from which the server finds the ones behind it. Spans of hours begin at the
 * midnight before: where clocks change, only the server knows the others.
 */
export function intervalStart(timeMs: number, intervalMs: number, zone: Zone = shownZone()): number {
  if (intervalMs % WEEK_MS === 0) return startOfUnit(timeMs, 'w', zone);
  const clockMs = timeMs + zone.offsetMs(timeMs);
  if (intervalMs < HOUR_MS) return timeMs - (clockMs - floorTo(clockMs, intervalMs));
  const daysMs = Math.max(DAY_MS, intervalMs);
  return timeOfClock(zone, floorTo(clockMs, daysMs), 'first');
}

/** End of the interval that begins at a time: a day ends at the same time of the clocks. */
export function intervalEnd(startMs: number, intervalMs: number, zone: Zone = shownZone()): number {
  if (intervalMs % DAY_MS !== 0) return startMs + intervalMs;
  return timeOfClock(zone, startMs + zone.offsetMs(startMs) + intervalMs, 'first');
}
