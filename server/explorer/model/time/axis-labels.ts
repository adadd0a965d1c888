// Labels of the time axis: in the chosen zone, 24 hours, with the day where it changes.

import { isShownTwice, offsetText, twoDigits, zonedDate } from './time-zone.ts';

const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * One label for each time; a second line says the day, at the first label and where the day changes, and the offset of the
 * zone in an hour that comes twice.
 */
export function timeLabels(timesMs: readonly number[], stepMs: number): string[] {
  let shownDay = '';
  return timesMs.map((timeMs) => {
    const date = zonedDate(timeMs);
    if (stepMs >= 27 * DAY_MS) return monthLabel(date);
    const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
    if (stepMs >= DAY_MS) return day;
    const isNew = day !== shownDay;
    shownDay = day;
    const below = [...(isNew ? [day] : []), ...(isShownTwice(timeMs) ? [offsetText(timeMs)] : [])].join(' ');
    return below === '' ? clockLabel(date, stepMs) : `${clockLabel(date, stepMs)}\n${below}`;
  });
}

function monthLabel(date: Date): string {
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return date.getUTCMonth() === 0 ? `${month}\n${date.getUTCFullYear()}` : month;
}

function clockLabel(date: Date, stepMs: number): string {
  const minutes = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
  if (stepMs >= 60_000) return minutes;
  const seconds = `${minutes}:${twoDigits(date.getUTCSeconds())}`;
  return stepMs >= 1000 ? seconds : `${seconds}.${String(date.getUTCMilliseconds()).padStart(3, '0')}`;
}

/**
 * `2024-03-01 08:00:05.250`, in the chosen zone, with its offset in an hour that comes twice; without the milliseconds for
 * windows in which they do not matter.
 */
export function formatTime(timeMs: number, spanMs: number): string {
  const date = zonedDate(timeMs);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
  const time = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())}`;
  const fraction = spanMs < 60_000 ? `.${String(date.getUTCMilliseconds()).padStart(3, '0')}` : '';
  return `${day} ${time}${fraction}${isShownTwice(timeMs) ? offsetText(timeMs) : ''}`;
}
