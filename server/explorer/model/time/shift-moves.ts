// From one shift to another: which one a window is, the ones beside it, and how they are called.

import { formatShiftText, readShiftText, resolveShiftText } from './shift-text.ts';
import { MOST_SHIFTS_AWAY, type PlantShifts, plantShifts, type ShiftSpan, shiftAway, shiftsIn } from './shifts.ts';
import type { TimeRange, TimeWindow } from './time-range.ts';
import { zonedDate } from './time-zone.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The shift that a range is from its start to its end; undefined for any other range. */
export function shiftOf({ from, to }: TimeRange, nowMs: number): ShiftSpan | undefined {
  return typeof from === 'string' && from === to ? resolveShiftText(from, nowMs, plantShifts()) : undefined;
}

/** Range of a shift, relative to the present shift. */
export function rangeOfShift(span: ShiftSpan, nowMs: number): TimeRange {
  const text = textOfShift(span, nowMs);
  return { from: text, to: text };
}

function textOfShift({ name, startMs }: ShiftSpan, nowMs: number): string {
  const plant = plantShifts();
  const current = plant === undefined ? undefined : shiftAway(plant, nowMs, 0);
  if (plant === undefined || current === undefined) return formatShiftText({ name });
  const by = countBetween(plant, current.startMs, startMs);
  if (Math.abs(by) <= MOST_SHIFTS_AWAY) return formatShiftText({ by });
  const day = new Date(startMs + plant.zone.offsetMs(startMs)).toISOString().slice(0, 10);
  return formatShiftText({ name, day });
}

/** Number of shifts that begin behind one time and up to another; below zero when the other lies before. */
function countBetween(plant: PlantShifts, fromMs: number, toMs: number): number {
  if (toMs < fromMs) return -countBetween(plant, toMs, fromMs);
  return shiftsIn(plant, fromMs + 1, toMs + 1).length;
}

/** The shift before or behind the one that a range is; undefined when it is none. */
export function shiftBeside(range: TimeRange, by: -1 | 1, nowMs: number): TimeRange | undefined {
  const [plant, shown] = [plantShifts(), shiftOf(range, nowMs)];
  const beside = plant === undefined || shown === undefined ? undefined : shiftAway(plant, shown.startMs, by);
  return beside === undefined ? undefined : rangeOfShift(beside, nowMs);
}

/** The shifts before the one in which a window begins, the nearest first. */
export function shiftsBefore({ startMs }: TimeWindow, count: number): ShiftSpan[] {
  const plant = plantShifts();
  if (plant === undefined) return [];
  return Array.from({ length: count }, (_, index) => shiftAway(plant, startMs, -index - 1)).flatMap((one) => one ?? []);
}

/** `Early, Fri 27 Nov`: by the clocks that are shown. */
export function shiftLabel({ name, startMs }: ShiftSpan): string {
  const date = zonedDate(startMs);
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return `${name}, ${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${month}`;
}

/** What is wrong with the shifts that a range names; undefined when they are there, or it names none. */
export function shiftFault({ from, to }: TimeRange): string | undefined {
  const plant = plantShifts();
  for (const bound of [from, to]) {
    if (typeof bound !== 'string' || readShiftText(bound, plant) === undefined) continue;
    if (plant === undefined) return `'${bound}' is a shift, and no shifts are set for this plant.`;
    if (resolveShiftText(bound, 0, plant) !== undefined) continue;
    const names = plant.shifts.map(({ name }) => name).join(', ');
    return `'${bound}' is none of the plant's shifts: these are ${names}.`;
  }
  return undefined;
}
