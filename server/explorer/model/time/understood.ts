// What a time that is being typed means, in words: a letter may be another word elsewhere. Pure.

import { formatTime } from './axis-labels.ts';
import { formatBound, resolveBound, type TimeRange, typedBound } from './time-range.ts';
import { zoneText } from './time-zone.ts';

/** With seconds, without parts of one. */
const TOLD_SPAN_MS = 3_600_000;
/** The API, and other programs, have it for the start of the year. */
const YESTERDAY_LETTER = /^y(?![a-z])/i;

/** Undefined where the text says it itself: a whole time, or nothing. What is no time is told when it is used. */
export function understood(typed: string, side: keyof TimeRange, nowMs = Date.now()): string | undefined {
  const text = typed.trim();
  const bound = text === '' ? undefined : typedBound(text, nowMs);
  if (bound === undefined || typeof bound === 'object') return undefined;
  if (typeof bound === 'number' && formatBound(bound) === text) return undefined;
  const timeMs = resolveBound(bound, side, nowMs);
  const time = `${formatTime(timeMs, TOLD_SPAN_MS)} ${zoneText(timeMs)}`;
  const words = typeof bound === 'string' && bound !== text ? `${bound}: ${time}` : time;
  return YESTERDAY_LETTER.test(text) ? `${words}. The start of the year, y in the API, is year here.` : words;
}
