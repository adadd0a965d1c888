// Labels of the time axis: in the chosen zone, 24 hours, with the day where it changes.

import { zonedDate } from './time-zone.ts';

const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One label for each time; a second line says the day, at the first label and where the day changes. */
export function timeLabels(timesMs: readonly number[], stepMs: number): string[] {
  let shownDay = '';
  return timesMs.map((timeMs) => {
    const date = zonedDate(timeMs);
    if (stepMs >= 27 * DAY_MS) return monthLabel(date);
    const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
    if (stepMs >= DAY_MS) return day;
    const isNew = day !== shownDay;
    shownDay = day;
    return isNew ? `${clockLabel(date, stepMs)}\n${day}` : clockLabel(date, stepMs);
  });
}

function monthLabel(date: Date): string {
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return date.getUTCMonth() === 0 ? `${month}\n${date.getUTCFullYear()}` : month;
}

function clockLabel(date: Date, stepMs: number): string {
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  if (stepMs >= 60_000) return minutes;
  const seconds = `${minutes}:${two(date.getUTCSeconds())}`;
  return stepMs >= 1000 ? seconds : `${seconds}.${String(date.getUTCMilliseconds()).padStart(3, '0')}`;
}

/** `2024-03-01 08:00:05.250`, in the chosen zone; without the milliseconds for windows in which they do not matter. */
export function formatTime(timeMs: number, spanMs: number): string {
  const date = zonedDate(timeMs);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return spanMs < 60_000 ? `${day} ${time}.${String(date.getUTCMilliseconds()).padStart(3, '0')}` : `${day} ${time}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
