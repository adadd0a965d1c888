// The times at which a query is answered, and durations.

import { type Instant, MAX_TIME_MS, MIN_TIME_MS, TICKS_PER_MS } from '../../../../engine/index.ts';
import { parseTime, parseUnix } from '../../../routes/request/time-range.ts';
import { badQuery } from './bad-query.ts';

/** Most steps of one series, as Prometheus has it. */
const MAX_STEPS = 11_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};
const MAX_DURATION_MS = 100 * 31_536_000_000;

export interface StepGrid {
  readonly startMs: number;
  readonly stepMs: number;
  readonly count: number;
}

export function stepTime({ startMs, stepMs }: StepGrid, index: number): number {
  return startMs + index * stepMs;
}

/** A time in ms, with a fraction. Throws a 400. */
export function parseMs(name: string, text: string): number {
  const { ms, ticks } = /^[+-]?\d/.test(text) && !text.includes('-', 1) ? parseUnix(name, text) : parseTime(name, text);
  return ms + ticks / TICKS_PER_MS;
}

/** In ms: seconds, or a text such as 1h30m. Throws a 400. */
export function parseDuration(what: string, text: string): number {
  const ms = /^\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) * 1000 : sumOfUnits(text);
  if (ms > 0 && ms <= MAX_DURATION_MS) return ms;
  throw badQuery(
    `${what} is '${text.slice(0, 100)}'; want a duration above zero, in seconds or such as 15s, 5m or 1h30m.`,
  );
}

/** Source of an expression: each unit once, the longest first. */
export const DURATION = `(?=\\d)${['y', 'w', 'd', 'h', 'm(?!s)', 's', 'ms'].map((unit) => `(?:\\d{1,15}${unit})?`).join('')}`;
const WHOLE_DURATION = new RegExp(`^${DURATION}$`);

function sumOfUnits(text: string): number {
  if (!WHOLE_DURATION.test(text)) return Number.NaN;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g)) ms += Number(count) * (UNIT_MS[unit ?? ''] ?? 0);
  return ms;
}

/** Throws a 400 for a start after the end, and for too many steps. */
export function stepsOf(startMs: number, endMs: number, stepMs: number): StepGrid {
  if (startMs > endMs) throw badQuery(`'end' is before 'start'.`);
  const count = Math.floor((endMs - startMs) / stepMs) + 1;
  if (count <= MAX_STEPS) return { startMs, stepMs, count };
  throw badQuery(
    `The range has ${count} steps; ${MAX_STEPS} are possible: a longer step (Grafana: Min step) or a shorter range.`,
  );
}

/** The last whole millisecond and tick that is not behind a time. */
export function instantAt(timeMs: number): Instant {
  const clamped = Math.min(Math.max(timeMs, MIN_TIME_MS), MAX_TIME_MS);
  const ms = Math.floor(clamped);
  return { ms, ticks: Math.min(TICKS_PER_MS - 1, Math.floor((clamped - ms) * TICKS_PER_MS)) };
}
