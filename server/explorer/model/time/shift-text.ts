// Shifts in words: `this shift`, `previous shift`, `shift-3`, `Early shift yesterday`. As the start of a window such a text is
// when the shift begins, as its end when it ends.

import { isRelative, readRelative, resolveRelative, tidyRelative } from './relative-time.ts';
import {
  isCalled,
  MOST_SHIFTS_AWAY,
  namedShift,
  type PlantShifts,
  type ShiftSpan,
  shiftAway,
  shortName,
} from './shifts.ts';

interface ShiftText {
  /** Distance from the present one. */
  readonly by?: number;
  readonly name?: string;
  /** A relative day or `2026-11-27`; undefined: the last one that has begun. */
  readonly day?: string | undefined;
}

const WORDS: ReadonlyMap<string, number> = new Map([
  ['shift', 0],
  ['this shift', 0],
  ['current shift', 0],
  ['previous shift', -1],
  ['last shift', -1],
  ['next shift', 1],
]);
const KEPT_WORDS: ReadonlyMap<number, string> = new Map([
  [0, 'this shift'],
  [-1, 'previous shift'],
  [1, 'next shift'],
]);
const COUNT_FORM = /^shift ?([+-]) ?(\d{1,4})$/i;
const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const MOST_LENGTH = 200;

/** Undefined for what is none. A name alone is known by the plant's shifts, one with the word `shift` always. */
export function readShiftText(text: string, plant: PlantShifts | undefined): ShiftText | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const tidy = text.trim().replace(/\s+/g, ' ');
  const by = WORDS.get(tidy.toLowerCase()) ?? countOf(tidy);
  if (by !== undefined) return { by };
  return readNamed(tidy, plant);
}

function countOf(text: string): number | undefined {
  const [, sign, digits] = COUNT_FORM.exec(text) ?? [];
  if (digits === undefined || Number(digits) > MOST_SHIFTS_AWAY) return undefined;
  return sign === '-' ? -Number(digits) : Number(digits);
}

function readNamed(text: string, plant: PlantShifts | undefined): ShiftText | undefined {
  for (const { name } of plant?.shifts ?? []) {
    const known = [name, `${shortName(name)} shift`, shortName(name)].find((one) => isStart(text, one));
    if (known === undefined) continue;
    const day = readDay(text.slice(known.length));
    if (day !== 'none') return { name, day };
  }
  for (const { index } of [...text.matchAll(/ shift\b/gi)].reverse()) {
    const day = readDay(text.slice(index + ' shift'.length));
    if (day !== 'none') return { name: text.slice(0, index), day };
  }
  return undefined;
}

function isStart(text: string, name: string): boolean {
  const next = text[name.length];
  return text.toLowerCase().startsWith(name.toLowerCase()) && (next === undefined || next === ' ');
}

function readDay(text: string): string | undefined | 'none' {
  const day = text.trim();
  if (day === '' || DAY_FORM.test(day)) return day === '' ? undefined : day;
  const read = readRelative(day);
  return read === undefined || read.clockMs !== undefined ? 'none' : tidyRelative(day);
}

/** Text that is kept of it. */
export function formatShiftText({ by, name = '', day }: ShiftText): string {
  if (by !== undefined) return KEPT_WORDS.get(by) ?? `shift${by < 0 ? '' : '+'}${by}`;
  return `${shortName(name)} shift${day === undefined ? '' : ` ${day}`}`;
}

/** Undefined when there are no shifts, none of that name, or the text is none of theirs. */
export function resolveShiftText(text: string, nowMs: number, plant: PlantShifts | undefined): ShiftSpan | undefined {
  const read = readShiftText(text, plant);
  if (read === undefined || plant === undefined) return undefined;
  const { by, name, day } = read;
  if (by !== undefined) return shiftAway(plant, nowMs, by);
  const own = { ...plant, shifts: plant.shifts.filter((shift) => isCalled(shift, name ?? '')) };
  return day === undefined ? shiftAway(own, nowMs, 0) : namedShift(own, name ?? '', dayTime(day, nowMs, plant));
}

function dayTime(day: string, nowMs: number, { zone }: PlantShifts): number {
  if (isRelative(day)) return resolveRelative(day, nowMs, zone);
  const noonMs = Date.parse(`${day}T12:00Z`);
  return noonMs - zone.offsetMs(noonMs);
}
