// Labels of the time axis: local, 24 hours, with the day where it changes.

const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One label for each time; a second line says the day, at the first label and where the day changes. */
export function timeLabels(timesMs: readonly number[], stepMs: number): string[] {
  let shownDay = '';
  return timesMs.map((timeMs) => {
    const date = new Date(timeMs);
    if (stepMs >= 27 * DAY_MS) return monthLabel(date);
    const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
    if (stepMs >= DAY_MS) return day;
    const isNew = day !== shownDay;
    shownDay = day;
    return isNew ? `${clockLabel(date, stepMs)}\n${day}` : clockLabel(date, stepMs);
  });
}

function monthLabel(date: Date): string {
  const month = MONTHS[date.getMonth()] ?? '';
  return date.getMonth() === 0 ? `${month}\n${date.getFullYear()}` : month;
}

function clockLabel(date: Date, stepMs: number): string {
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (stepMs >= 60_000) return minutes;
  const seconds = `${minutes}:${two(date.getSeconds())}`;
  return stepMs >= 1000 ? seconds : `${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `2024-03-01 08:00:05.250`, local; without the milliseconds for windows in which they do not matter. */
export function formatTime(timeMs: number, spanMs: number): string {
  const date = new Date(timeMs);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return spanMs < 60_000 ? `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}` : `${day} ${time}`;
}

/** The local zone as `UTC+01:00`. */
export function zoneText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  const size = Math.abs(minutes);
  return minutes === 0 ? 'UTC' : `UTC${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
