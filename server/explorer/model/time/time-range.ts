// The window of the trend: two bounds, each a time or a relative one; what presets, zoom, pan and live make of it.

import { clampTime } from './calendar.ts';
import { formatRelativeSpan, isRelative, isSliding, resolveRelative } from './relative-time.ts';
import { resolveShiftText } from './shift-text.ts';
import { plantShifts } from './shifts.ts';
import { isShownTwice, offsetText, twoDigits, zonedDate } from './time-zone.ts';
import { type Bound, isDayFirst, readTyped, type TimeFault } from './typed-time.ts';

export interface TimeRange {
  readonly from: Bound;
  readonly to: Bound;
}

/** Resolved; the start lies before the end. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

export const PRESETS: readonly { readonly label: string; readonly from: string; readonly name: string }[] = [
  { label: '15m', from: '-15m', name: '15 minutes' },
  { label: '1h', from: '-1h', name: '1 hour' },
  { label: '8h', from: '-8h', name: '8 hours' },
  { label: '24h', from: '-24h', name: '24 hours' },
  { label: '7d', from: '-7d', name: '7 days' },
  { label: '30d', from: '-30d', name: '30 days' },
  { label: '1y', from: '-1y', name: '1 year' },
];

export const SHORTEST_SPAN_MS = 100;
/** Two hundred years: beyond it nothing is to be seen. */
export const LONGEST_SPAN_MS = 200 * 365.25 * 86_400_000;
export const ALL_TIME: TimeWindow = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
/** Shown for a shift while the plant has none of that name. */
const WITHOUT_SHIFT_MS = 8 * 3_600_000;

/** Order of day and month in the language of the browser; asking for it takes a while. */
let ownOrder: boolean | undefined;

/** True when the window follows the clock: its end goes with it, or lies ahead and goes on when it is reached. */
export function isLive({ to }: TimeRange, nowMs: number): boolean {
  return isGliding(to) || (typeof to === 'string' && resolveBound(to, 'to', nowMs) >= nowMs);
}

/** Whether a bound goes with the clock all the time, and not from day to day or from shift to shift. */
export function isGliding(bound: Bound): boolean {
  return typeof bound === 'string' && isSliding(bound);
}

export function resolveRange({ from, to }: TimeRange, nowMs: number): TimeWindow {
  const startMs = clampTime(resolveBound(from, 'from', nowMs));
  const endMs = clampTime(resolveBound(to, 'to', nowMs));
  if (endMs - startMs >= SHORTEST_SPAN_MS) return { startMs, endMs };
  return { startMs: endMs - SHORTEST_SPAN_MS, endMs };
}

/** A shift is its start as the start of a window, and its end as the end. */
export function resolveBound(bound: Bound, side: keyof TimeRange, nowMs: number): number {
  if (typeof bound === 'number') return bound;
  if (isRelative(bound)) return resolveRelative(bound, nowMs);
  const shift = resolveShiftText(bound, nowMs, plantShifts());
  if (shift === undefined) return side === 'to' ? nowMs : nowMs - WITHOUT_SHIFT_MS;
  return side === 'to' ? shift.endMs : shift.startMs;
}

/** What stands in a time field, or what is wrong with it. */
export function typedBound(text: string, nowMs = Date.now()): Bound | TimeFault {
  ownOrder ??= isDayFirst();
  return readTyped(text, { isDayFirst: ownOrder, plant: plantShifts(), nowMs });
}

/** Bound of a text; undefined when it is no time. */
export function parseBound(text: string): Bound | undefined {
  const bound = typedBound(text);
  return typeof bound === 'object' ? undefined : bound;
}

/** What stands in a field for one time that stays, in milliseconds since 1970; or what is wrong with it. */
export function typedTime(text: string, side: keyof TimeRange, nowMs = Date.now()): number | TimeFault {
  const bound = typedBound(text, nowMs);
  if (typeof bound === 'object') return bound;
  if (!isGliding(bound)) return Math.round(resolveBound(bound, side, nowMs));
  return {
    fault: `'${bound}' goes on with the clock; here a time stays. Write 06:00, yesterday 06:00 or 2026-11-27 06:00.`,
  };
}

/** For a time field: relative as it is, times in the chosen zone to the second, with its offset in an hour that comes twice. */
export function formatBound(bound: Bound): string {
  if (typeof bound === 'string') return bound;
  const date = zonedDate(bound);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
  const time = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
  const offset = isShownTwice(bound) ? offsetText(bound) : '';
  return `${day} ${time}${date.getUTCSeconds() === 0 ? '' : `:${twoDigits(date.getUTCSeconds())}`}${offset}`;
}

/** The window moved by a part of its span; no longer live. */
export function panned({ startMs, endMs }: TimeWindow, fraction: number): TimeRange {
  const shiftMs = Math.round((endMs - startMs) * fraction);
  return { from: Math.round(startMs) + shiftMs, to: Math.round(endMs) + shiftMs };
}

/** The window scaled about a time inside it; above 1 shows more. */
export function zoomed({ startMs, endMs }: TimeWindow, factor: number, aboutMs: number): TimeRange {
  const presentMs = endMs - startMs;
  const mostMs = Math.max(presentMs, LONGEST_SPAN_MS);
  const spanMs = Math.min(mostMs, Math.max(SHORTEST_SPAN_MS, presentMs * factor));
  const share = (aboutMs - startMs) / (endMs - startMs);
  const from = clampTime(Math.round(aboutMs - share * spanMs));
  return { from, to: clampTime(Math.round(from + spanMs)) };
}

/** The same span, up to now and moving with it. */
export function liveAgain({ startMs, endMs }: TimeWindow): TimeRange {
  return { from: `-${formatRelativeSpan(endMs - startMs)}`, to: 'now' };
}

/** The window as it stands, no longer moving. */
export function frozen({ startMs, endMs }: TimeWindow): TimeRange {
  return { from: Math.round(startMs), to: Math.round(endMs) };
}
