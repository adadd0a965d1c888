// The time zone that times are shown and typed in: that of the computer, UTC, or one by its name.

/** `local`, or a name that `Intl` knows, such as `UTC` and `Europe/Berlin`. */
export type ZoneName = string;

let zone: ZoneName = 'local';
let formatter: Intl.DateTimeFormat | undefined;

/** A name that is none leaves it local. */
export function setZone(name: ZoneName): void {
  zone = 'local';
  formatter = undefined;
  if (name === 'local') return;
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
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
    zone = name;
  } catch {
    // Kept by an earlier version of the browser, or by hand.
  }
}

export function currentZone(): ZoneName {
  return zone;
}

/** How far the clocks of the zone are ahead of UTC at a time. */
export function zoneOffsetMs(timeMs: number): number {
  if (formatter === undefined) return -new Date(timeMs).getTimezoneOffset() * 60_000;
  const parts = new Map(formatter.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const clock = new Date(0);
  clock.setUTCFullYear(year, part('month') - 1, part('day'));
  clock.setUTCHours(part('hour'), part('minute'), part('second'));
  return clock.getTime() - Math.floor(timeMs / 1000) * 1000;
}

/** A date whose UTC parts are what the clocks of the zone show. */
export function zonedDate(timeMs: number): Date {
  return new Date(timeMs + zoneOffsetMs(timeMs));
}

/** The time at which the clocks of the zone show what UTC shows at `clockMs`; of two the earlier offset decides. */
export function fromZoned(clockMs: number): number {
  const near = clockMs - zoneOffsetMs(clockMs);
  return clockMs - zoneOffsetMs(near);
}

/** `UTC`, `UTC+01:00`: of the zone at a time. */
export function zoneText(timeMs: number): string {
  const minutes = Math.round(zoneOffsetMs(timeMs) / 60_000);
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
