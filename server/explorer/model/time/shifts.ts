// The shifts of the plant: their names, times and days by the clocks of the plant's zone, and when each of them begins and ends.

import { addStep, floorTo, startOfUnit, weekdayOf } from './calendar.ts';
import { findZone, timeOfClock, type Zone, type ZoneName } from './time-zone.ts';

export interface Shift {
  readonly name: string;
  /** Minutes past midnight; an end that is not later than the start is on the next day. */
  readonly from: number;
  readonly to: number;
  /** On which days it begins: 1 is Monday, 7 Sunday. */
  readonly days: readonly number[];
}

export interface ShiftPlan {
  /** Whose clocks the shifts go by, wherever they are looked at. */
  readonly zone: ZoneName;
  readonly shifts: readonly Shift[];
}

/** A plan with its zone looked up. */
export interface PlantShifts {
  readonly zone: Zone;
  readonly shifts: readonly Shift[];
}

export interface ShiftSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const MINUTE_MS = 60_000;
/** Farthest shift from the present one that is looked for. */
export const MOST_SHIFTS_AWAY = 1000;

let plant: PlantShifts | undefined;

/** Undefined, an unknown zone, and a plan without shifts leave none. */
export function setShifts(plan: ShiftPlan | undefined): void {
  const zone = plan === undefined ? undefined : findZone(plan.zone);
  plant = plan === undefined || zone === undefined || plan.shifts.length === 0 ? undefined : { ...plan, zone };
}

/** The shifts of the plant; undefined while none are set. */
export function plantShifts(): PlantShifts | undefined {
  return plant;
}

/** Shifts that begin in a stretch of time, from `startMs` to before `endMs`, in order. */
export function shiftsIn({ zone, shifts }: PlantShifts, startMs: number, endMs: number): ShiftSpan[] {
  const spans: ShiftSpan[] = [];
  const firstDayMs = floorTo(startMs + zone.offsetMs(startMs), DAY_MS);
  for (let dayMs = firstDayMs; dayMs <= endMs + DAY_MS; dayMs += DAY_MS) {
    for (const shift of shifts) {
      if (!shift.days.includes(weekdayOf(dayMs))) continue;
      const span = spanOf(shift, dayMs, zone);
      if (span.startMs >= startMs && span.startMs < endMs) spans.push(span);
    }
  }
  return spans.sort((a, b) => a.startMs - b.startMs);
}

function spanOf({ name, from, to }: Shift, dayMs: number, zone: Zone): ShiftSpan {
  const endDayMs = to > from ? dayMs : dayMs + DAY_MS;
  const startMs = timeOfClock(zone, dayMs + from * MINUTE_MS, 'first');
  return { name, startMs, endMs: timeOfClock(zone, endDayMs + to * MINUTE_MS, 'first') };
}

/** Shift that is so many behind, or before, the one that began last at a time; undefined when there are no shifts. */
export function shiftAway(among: PlantShifts, timeMs: number, by: number): ShiftSpan | undefined {
  const aWeek = among.shifts.reduce((sum, { days }) => sum + days.length, 0);
  if (aWeek === 0) return undefined;
  const weeks = Math.ceil((Math.min(MOST_SHIFTS_AWAY, Math.abs(by)) + 1) / aWeek) + 1;
  if (by > 0) return shiftsIn(among, timeMs + 1, timeMs + weeks * WEEK_MS)[by - 1];
  return shiftsIn(among, timeMs - weeks * WEEK_MS, timeMs + 1).at(by - 1);
}

/** The shift of a name that began on the day of a time, or last before that day; undefined when none has the name. */
export function namedShift({ zone, shifts }: PlantShifts, name: string, dayMs: number): ShiftSpan | undefined {
  const own = { zone, shifts: shifts.filter((shift) => isCalled(shift, name)) };
  const nextDayMs = addStep(startOfUnit(dayMs, 'd', zone), 1, 'd', zone);
  return shiftAway(own, nextDayMs - 1, 0);
}

/** `early`, `Early shift` and `EARLY` are one name. */
export function isCalled({ name }: Shift, text: string): boolean {
  return bareName(name) === bareName(text);
}

export function bareName(name: string): string {
  return shortName(name).toLowerCase();
}

/** Without the word `shift` at its end. */
export function shortName(name: string): string {
  return name
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ shift$/i, '');
}
