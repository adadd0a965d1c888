// What a window is compared with: periods before it, each as a text that stays relative.

import { isRelative, resolveRelative } from './relative-time.ts';
import { MOST_SHIFTS_AWAY, plantShifts, shiftAway } from './shifts.ts';
import type { TimeWindow } from './time-range.ts';

/** More are not told apart. */
export const MOST_COMPARED = 4;

const SHIFTS_FORM = /^(\d{1,4}) shifts?$/;

/** True for `previous`, a span such as `8h` or `1d`, and `3 shifts`. */
export function isCompare(text: string): boolean {
  const [, shifts] = SHIFTS_FORM.exec(text) ?? [];
  if (shifts !== undefined) return Number(shifts) >= 1 && Number(shifts) <= MOST_SHIFTS_AWAY;
  return text === 'previous' || (/^\d/.test(text) && !text.includes(':') && isRelative(text));
}

/** Each once, without what is none, and no more than can be told apart. */
export function tidyComparisons(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim().replace(/\s+/g, ' ')).filter(isCompare))].slice(0, MOST_COMPARED);
}

/** What somebody types, with commas between several; in words what is wrong with it. */
export function readComparisons(typed: string): string[] | string {
  const texts = typed.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  const wrong = texts.find((text) => !isCompare(text.replace(/\s+/g, ' ')));
  if (wrong !== undefined)
    return `'${wrong}' is nothing to compare with: write previous, 8h, 1d, 2w or 3 shifts; several with commas between them.`;
  if (texts.length > MOST_COMPARED) return `At most ${MOST_COMPARED} periods are compared; ${texts.length} were typed.`;
  return tidyComparisons(texts);
}

/** How far back the period compared with lies. `previous` is the period just before the window. */
export function compareShiftMs(compare: string, { startMs, endMs }: TimeWindow): number {
  const [, shifts] = SHIFTS_FORM.exec(compare) ?? [];
  if (shifts !== undefined) return shiftsBackMs(Number(shifts), { startMs, endMs });
  if (compare === 'previous') return endMs - startMs;
  return isRelative(compare) ? startMs - resolveRelative(`-${compare}`, startMs) : 0;
}

/**
 * From the start of the shift in which the window begins to that of an earlier one; while there are no shifts as long as the
 * window.
 */
function shiftsBackMs(count: number, { startMs, endMs }: TimeWindow): number {
  const plant = plantShifts();
  const [own, earlier] = [0, -count].map((by) => (plant === undefined ? undefined : shiftAway(plant, startMs, by)));
  return own === undefined || earlier === undefined ? count * (endMs - startMs) : own.startMs - earlier.startMs;
}

/** `1d earlier`, `3 shifts earlier`, `the period before`. */
export function compareText(compare: string): string {
  return compare === 'previous' ? 'the period before' : `${compare} earlier`;
}
