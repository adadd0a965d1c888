// The window of the trend: two bounds, each a time or a relative time; what presets, zoom, pan and live make of it.

import { formatRelativeSpan, isRelative, resolveRelative } from './relative-time.ts';
import { fromZoned, zonedDate } from './time-zone.ts';

/** Milliseconds since 1970, or a relative time such as `-2h` or `now`. */
export type Bound = number | string;

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
export const EARLIEST_MS = -62_135_596_800_000;
export const ALL_TIME: TimeWindow = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
export const LATEST_MS = 253_402_300_799_999;

/** True when the window moves with the clock. */
export function isLive({ to }: TimeRange): boolean {
  return typeof to === 'string';
}

export function resolveRange({ from, to }: TimeRange, nowMs: number): TimeWindow {
  const startMs = clampTime(resolveBound(from, nowMs));
  const endMs = clampTime(resolveBound(to, nowMs));
  if (endMs - startMs >= SHORTEST_SPAN_MS) return { startMs, endMs };
  return { startMs: endMs - SHORTEST_SPAN_MS, endMs };
}

function resolveBound(bound: Bound, nowMs: number): number {
  return typeof bound === 'number' ? bound : resolveRelative(bound, nowMs);
}

function clampTime(timeMs: number): number {
  return Math.min(LATEST_MS, Math.max(EARLIEST_MS, timeMs));
}

/** What stands in a time field: relative, `now`, ISO 8601, or `2024-03-01 08:00` in the chosen zone. Undefined when it is none. */
export function parseBound(text: string): Bound | undefined {
  const trimmed = text.trim();
  if (isRelative(trimmed)) return trimmed;
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return undefined;
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? `${trimmed}T00:00` : trimmed.replace(' ', 'T');
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(iso.slice(10));
  const timeMs = Date.parse(hasZone ? iso : `${iso}Z`);
  if (Number.isNaN(timeMs)) return undefined;
  return hasZone ? timeMs : fromZoned(timeMs);
}

/** For a time field: relative as it is, times in the chosen zone to the second. */
export function formatBound(bound: Bound): string {
  if (typeof bound === 'string') return bound;
  const date = zonedDate(bound);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return date.getUTCSeconds() === 0 ? `${day} ${time}` : `${day} ${time}:${two(date.getUTCSeconds())}`;
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

/** How far back the period compared with lies. `previous` is the period just before the window. */
export function compareShiftMs(compare: string, { startMs, endMs }: TimeWindow): number {
  if (compare === 'previous') return endMs - startMs;
  return isRelative(compare) ? endMs - resolveRelative(`-${compare}`, endMs) : 0;
}
