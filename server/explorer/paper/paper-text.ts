// What stands above a chart on paper: whoever finds the sheet in a folder must know what it shows, and of when. Pure.

import { formatTime } from '../model/time/axis-labels.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { zoneText } from '../model/time/time-zone.ts';

/** More names than these do not fit into a line. */
const MOST_NAMES = 3;

/** The name under which the trend was saved, else its tags. */
export function paperTitle(savedAs: string | undefined, tags: readonly string[]): string {
  if (savedAs !== undefined) return savedAs;
  const more = tags.length - MOST_NAMES;
  const named = tags.slice(0, MOST_NAMES).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

/** Such as `2026-01-05 08:00:00 – 2026-01-05 09:00:00 (Europe/Berlin, UTC+01:00)`; both offsets when a clock change lies between. */
export function paperRange({ startMs, endMs }: TimeWindow, zone: string): string {
  const spanMs = endMs - startMs;
  const offsets = [...new Set([zoneText(startMs), zoneText(endMs)])];
  const named = zone === 'UTC' ? zone : `${zone}, ${offsets.join(' to ')}`;
  return `${formatTime(startMs, spanMs)} – ${formatTime(endMs, spanMs)} (${named})`;
}

/** Such as `Printed 2026-01-06 07:30, Varve 1.2.0`. */
export function printedText(atMs: number, version: string): string {
  return `Printed ${formatTime(atMs, Number.POSITIVE_INFINITY).slice(0, -3)}, Varve ${version}`;
}
