// The shifts of the plant as they are kept on the server and as they are typed. What comes from anywhere is left out where it
// is not understood.

import { bareName, type Shift, type ShiftPlan } from './shifts.ts';
import { findZone, twoDigits, type ZoneName } from './time-zone.ts';

export const MOST_SHIFTS = 24;
export const MOST_SHIFT_CHARACTERS = 40;
/** 1 is Monday. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Words with another meaning before `shift`. */
const TAKEN = ['', 'this', 'current', 'previous', 'last', 'next', 'shift'];
const CLOCK_FORM = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MINUTES_A_WEEK = 7 * 1440;

/** One shift in the form. */
export interface TypedShift {
  readonly name: string;
  /** `06:00`. */
  readonly from: string;
  readonly to: string;
  readonly days: readonly number[];
}

/** Plan in the content of the view that keeps it; undefined when there is none. */
export function parsePlan(content: unknown): ShiftPlan | undefined {
  const { zone, shifts } = asObject(content);
  if (typeof zone !== 'string' || zone === 'local' || findZone(zone) === undefined || !Array.isArray(shifts))
    return undefined;
  return { zone, shifts: shifts.slice(0, MOST_SHIFTS).flatMap(parseShift) };
}

function parseShift(value: unknown): Shift[] {
  const { name, from, to, days } = asObject(value);
  if (typeof name !== 'string' || typeof from !== 'string' || typeof to !== 'string' || !Array.isArray(days)) return [];
  const read = readShift({ name, from, to, days: days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 7) });
  return typeof read === 'string' ? [] : [read];
}

/** Content of the view that keeps it; `parsePlan` reads it. */
export function formatPlan({ zone, shifts }: ShiftPlan): object {
  return { zone, shifts: shifts.map(formatShift) };
}

export function formatShift({ name, from, to, days }: Shift): TypedShift {
  return { name, from: formatClock(from), to: formatClock(to), days };
}

function formatClock(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** The plan, or in words what is wrong with what was typed. */
export function readPlan(zone: ZoneName, typed: readonly TypedShift[]): ShiftPlan | string {
  const read = typed.map(readShift);
  const fault = read.find((one) => typeof one === 'string');
  if (fault !== undefined) return fault;
  const shifts = read as Shift[];
  const twice = shifts.find(
    ({ name }, index) => shifts.findIndex((one) => bareName(one.name) === bareName(name)) < index,
  );
  if (twice !== undefined) return `Two shifts are called ${twice.name}; each needs a name of its own.`;
  return overlapFault(shifts) ?? { zone, shifts };
}

function readShift({ name, from, to, days }: TypedShift): Shift | string {
  const tidy = name.trim().replace(/\s+/g, ' ');
  if (TAKEN.includes(bareName(tidy)))
    return `'${tidy}' is no name for a shift: give it one such as Early, Late or Night.`;
  if (tidy.length > MOST_SHIFT_CHARACTERS)
    return `The name '${tidy}' has ${tidy.length} characters; at most ${MOST_SHIFT_CHARACTERS} are shown.`;
  const [fromMinutes, toMinutes] = [minutesOf(from), minutesOf(to)];
  if (fromMinutes === undefined || toMinutes === undefined)
    return `${tidy} needs the time that it begins and the time that it ends, such as 06:00 and 14:00.`;
  if (days.length === 0) return `${tidy} needs a day at least on which it begins.`;
  return { name: tidy, from: fromMinutes, to: toMinutes, days: [...new Set(days)].sort((a, b) => a - b) };
}

function minutesOf(clock: string): number | undefined {
  const [, hours, minutes] = CLOCK_FORM.exec(clock) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** One moment is in one shift: which one `this shift` is must be known. */
function overlapFault(shifts: readonly Shift[]): string | undefined {
  const starts = shifts
    .flatMap((shift) => shift.days.map((day) => ({ shift, at: (day - 1) * 1440 + shift.from })))
    .sort((a, b) => a.at - b.at);
  for (const [index, { shift, at }] of starts.entries()) {
    const next = starts[(index + 1) % starts.length];
    if (next === undefined || starts.length === 1) return undefined;
    const gap = (next.at - at + MINUTES_A_WEEK) % MINUTES_A_WEEK;
    const length = shift.to > shift.from ? shift.to - shift.from : shift.to + 1440 - shift.from;
    if (length > gap)
      return `${shift.name} on ${WEEKDAYS[Math.floor(at / 1440)]} has not ended when ${next.shift.name} begins.`;
  }
  return undefined;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
