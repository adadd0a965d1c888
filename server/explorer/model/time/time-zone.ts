// The time zone that times are shown and typed in: that of the computer, UTC, or one by its name. Clocks of a zone in numbers:
// what UTC shows at `clockMs` is what they show.

/** `local`, or a name that `Intl` knows, such as `UTC` and `Europe/Berlin`. */
export type ZoneName = string;

export interface Zone {
  readonly name: ZoneName;
  /** How far its clocks are ahead of UTC at a time. */
  offsetMs(timeMs: number): number;
}

/** `first`: of the two times at which clocks show what they show twice, the earlier one. */
export type Occurrence = 'first' | 'second';

const DAY_MS = 86_400_000;
/** What `Date` can hold is a little more. */
const MOST_MS = 8.6e15;
/** Since 1980 clocks change at quarters of an hour only. */
const QUARTER_MS = 900_000;
const QUARTERS_FROM_MS = Date.UTC(1980, 0);
const MOST_KNOWN = 4096;
const LOCAL: Zone = { name: 'local', offsetMs: (timeMs) => -new Date(timeMs).getTimezoneOffset() * 60_000 };

let zone = LOCAL;

/** Undefined for a name that is none. */
export function findZone(name: ZoneName): Zone | undefined {
  if (name === 'local') return LOCAL;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return { name, offsetMs: remembering((timeMs) => offsetBy(formatter, timeMs)) };
  } catch {
    return undefined;
  }
}

/** Asking a formatter takes long, and shifts and labels ask for the same times again and again. */
function remembering(offsetMs: Zone['offsetMs']): Zone['offsetMs'] {
  const known = new Map<number, number>();
  return (timeMs) => {
    if (!(timeMs >= QUARTERS_FROM_MS)) return offsetMs(timeMs);
    const quarter = Math.floor(timeMs / QUARTER_MS);
    const found = known.get(quarter) ?? offsetMs(timeMs);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(quarter, found);
    return found;
  };
}

function offsetBy(formatter: Intl.DateTimeFormat, timeMs: number): number {
  const parts = new Map(formatter.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const clock = new Date(0);
  clock.setUTCFullYear(year, part('month') - 1, part('day'));
  clock.setUTCHours(part('hour'), part('minute'), part('second'));
  return clock.getTime() - Math.floor(timeMs / 1000) * 1000;
}

/** A name that is none, such as one kept by an earlier version of the browser, leaves it local. */
export function setZone(name: ZoneName): void {
  zone = findZone(name) ?? LOCAL;
}

export function shownZone(): Zone {
  return zone;
}

export function currentZone(): ZoneName {
  return zone.name;
}

/** The name by which a server knows the zone that is shown. */
export function zoneForServer(): string {
  if (zone.name !== 'local') return zone.name;
  const own: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own === undefined || own === 'Etc/Unknown' ? 'UTC' : own;
}

export function zoneOffsetMs(timeMs: number): number {
  return zone.offsetMs(timeMs);
}

/** A date whose UTC parts are what the clocks of the zone show. */
export function zonedDate(timeMs: number): Date {
  return new Date(timeMs + zoneOffsetMs(timeMs));
}

/** The time at which the clocks of the zone show what UTC shows at `clockMs`; of two the first. */
export function fromZoned(clockMs: number): number {
  return timeOfClock(zone, clockMs, 'first');
}

/** What clocks skip when they are put forward is moved on by as much as they are; so does the server. */
export function timeOfClock({ offsetMs }: Zone, clockMs: number, occurrence: Occurrence): number {
  if (Math.abs(clockMs) > MOST_MS) return clockMs;
  const before = offsetMs(clockMs - DAY_MS);
  const after = offsetMs(clockMs + DAY_MS);
  const isShownBefore = offsetMs(clockMs - before) === before;
  const isShownAfter = offsetMs(clockMs - after) === after;
  if (isShownBefore && isShownAfter) return clockMs - (occurrence === 'first' ? before : after);
  return isShownAfter ? clockMs - after : clockMs - before;
}

/** Whether the clocks of the zone show at another time what they show at this one: in the hour after they were put back. */
export function isShownTwice(timeMs: number): boolean {
  const clockMs = timeMs + zoneOffsetMs(timeMs);
  return timeOfClock(zone, clockMs, 'first') !== timeOfClock(zone, clockMs, 'second');
}

/** `UTC`, `UTC+01:00`: of the zone at a time. */
export function zoneText(timeMs: number): string {
  const text = offsetText(timeMs);
  return text === '+00:00' ? 'UTC' : `UTC${text}`;
}

/** `+01:00`, `-03:30`: behind a time that clocks show twice, it says which of the two is meant. */
export function offsetText(timeMs: number): string {
  const minutes = Math.round(zoneOffsetMs(timeMs) / 60_000);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** A number of clocks and calendars: `07`. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
