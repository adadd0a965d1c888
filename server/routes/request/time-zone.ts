// Time zones of the IANA database: what local clocks show at an instant, and when they show it. The rules come with Node (Intl).

const LOCAL_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** Longest name of the database is about half as long. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;
const DAY_MS = 86_400_000;

/** Making the formatter of a zone takes a tenth of a millisecond and some memory: so many are kept. */
const REMEMBERED_ZONES = 64;
const remembered = new Map<string, TimeZone>();

/** All times are milliseconds; local ones are those that a clock in UTC would have to stand at to show the same. */
export interface TimeZone {
  /** What has to be added to an instant to get the local time. */
  offsetMs(timeMs: number): number;
}

export const UTC: TimeZone = { offsetMs: () => 0 };

/** The zone of an IANA name in any case; undefined when there is none of that name. */
export function findTimeZone(name: string): TimeZone | undefined {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const zone = ZONE_NAME.test(name) ? createTimeZone(name) : undefined;
  if (zone === undefined) return undefined;
  if (remembered.size >= REMEMBERED_ZONES) remembered.clear();
  remembered.set(name, zone);
  return zone;
}

/** `first`: of the two instants at which clocks show a local time that occurs twice, the earlier one. */
export type Occurrence = 'first' | 'second';

/**
 * The instant at which clocks of the zone show the local time. One that is skipped when clocks are put forward is moved on
 * by as much as they are.
 */
export function instantOfLocal(zone: TimeZone, localMs: number, occurrence: Occurrence): number {
  const before = zone.offsetMs(localMs - DAY_MS);
  const after = zone.offsetMs(localMs + DAY_MS);
  const isShownBefore = zone.offsetMs(localMs - before) === before;
  const isShownAfter = zone.offsetMs(localMs - after) === after;
  if (isShownBefore && isShownAfter) return localMs - (occurrence === 'first' ? before : after);
  return isShownAfter ? localMs - after : localMs - before;
}

/** The next change of the offset within a day, or a day behind the time. */
export function constantUntil(zone: TimeZone, fromMs: number, offsetMs: number): number {
  let [same, other] = [fromMs, fromMs + DAY_MS];
  if (zone.offsetMs(other) === offsetMs) return other;
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (zone.offsetMs(middle) === offsetMs) same = middle;
    else other = middle;
  }
  return other;
}

/** Whether clocks of the zone show the same at another instant, before or behind this one. */
export function isShownTwice(zone: TimeZone, timeMs: number): boolean {
  const localMs = timeMs + zone.offsetMs(timeMs);
  return instantOfLocal(zone, localMs, 'first') !== instantOfLocal(zone, localMs, 'second');
}

function createTimeZone(name: string): TimeZone | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { offsetMs: (timeMs) => parseOffset(format.format(timeMs)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Offset in a text that ends in `GMT`, `GMT+05:30` or, for times before zones, `GMT+00:53:28`. */
function parseOffset(text: string): number {
  const match = LOCAL_OFFSET.exec(text);
  if (match === null) throw new Error(`BUG: '${text}' has no offset`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offsetMs : offsetMs;
}
