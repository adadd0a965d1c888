// The time parameters of a read: texts and the present time in, one range out. Pure.

import {
  compareInstants,
  type Instant,
  MAX_TIME_MS,
  MIN_TIME_MS,
  type ReadRange,
  TICKS_PER_MS,
} from '../../../engine/index.ts';
import { parseInstant } from '../../codec/scalars/timestamp.ts';
import { ProblemError } from '../../problem.ts';
import { resolveRelative } from './relative-time.ts';
import { findTimeZone, type TimeZone, UTC } from './time-zone.ts';

/** The time parameters as they were sent; absent ones are undefined. */
export interface TimeParameters {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly unixStart?: string | undefined;
  readonly unixEnd?: string | undefined;
  readonly relativeStart?: string | undefined;
  readonly relativeEnd?: string | undefined;
  /** IANA name of the zone whose calendar and clocks the relative times go by; UTC when absent. */
  readonly tz?: string | undefined;
}

export const TIME_PARAMETER_NAMES = [
  'start',
  'end',
  'unixStart',
  'unixEnd',
  'relativeStart',
  'relativeEnd',
  'tz',
] as const satisfies readonly (keyof TimeParameters)[];

/** From here up (and down, below zero) a UNIX time is one of milliseconds: as seconds it would lie outside the years 1 to 9999. */
const UNIX_MS_FROM = 1e11;
const EPOCH_MS_FORM = /^[+-]?[1-9]\d{11,14}(?:\.\d*)?$/;
const UNIX_FORM = /^([+-]?)(\d{1,15})(?:\.(\d*))?$/;

/**
 * The range that the parameters name: nothing given is the newest point, only an end is the value at that time, an
 * absent end is now. A start after such a defaulted end gives a range without points (`start` after `end`).
 * Throws a 400 `ProblemError` for a text that is no time or no zone, two forms of one bound, and a start after a given end.
 */
export function resolveTimeRange(parameters: TimeParameters, now: Instant): ReadRange {
  const zone = parseZone(parameters.tz);
  const start = resolveBound(parameters, 'start', now, zone);
  const end = resolveBound(parameters, 'end', now, zone);
  if (start === undefined) return end === undefined ? { kind: 'newest' } : { kind: 'at', end };
  if (end !== undefined && compareInstants(start, end) > 0) {
    throw badTime('The start of the range is after its end.');
  }
  return { kind: 'range', start, end: end ?? now };
}

function resolveBound(
  parameters: TimeParameters,
  bound: 'start' | 'end',
  now: Instant,
  zone: TimeZone,
): Instant | undefined {
  const suffix = bound === 'start' ? 'Start' : 'End';
  const names = [bound, `unix${suffix}`, `relative${suffix}`] as const;
  const given = names.filter((name) => parameters[name] !== undefined);
  const [name, second] = given;
  if (name === undefined) return undefined;
  if (second !== undefined) throw badTime(`'${name}' and '${second}' were both given; a bound has one form.`);
  const text = parameters[name] ?? '';
  if (name === bound) return parseTime(name, text);
  return name.startsWith('unix') ? parseUnix(name, text) : parseRelative(name, text, now, zone);
}

/** A time of a parameter, ISO 8601 or ms since 1970. Throws a 400 for anything else, seconds too: they are too easily meant as ms. */
export function parseTime(name: string, text: string): Instant {
  if (EPOCH_MS_FORM.test(text)) return parseUnix(name, text);
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw badTime(
      `'${name}' is ${quote(text)}; want an ISO 8601 time such as 2024-01-31T08:00:00Z, or one in ms since 1970 such as 1706688000000.`,
    );
  }
  return instant;
}

/** Seconds since 1970, or milliseconds from 1e11 up; digits below 100 ns are dropped. Exact, so without doubles. */
export function parseUnix(name: string, text: string): Instant {
  const match = UNIX_FORM.exec(text);
  if (match === null) throw badTime(`'${name}' is ${quote(text)}; want seconds since 1970, such as 1706688000.5.`);
  const [, sign, whole = '', fraction = ''] = match;
  const isMs = Number(whole) >= UNIX_MS_FROM;
  const ticksPerUnit = isMs ? TICKS_PER_MS : TICKS_PER_MS * 1_000;
  const fractionDigits = String(ticksPerUnit).length - 1;
  const fractionTicks = Number(fraction.slice(0, fractionDigits).padEnd(fractionDigits, '0'));
  const ticks = BigInt(whole) * BigInt(ticksPerUnit) + BigInt(fractionTicks);
  const signed = sign === '-' ? -ticks : ticks;
  const below = Number(((signed % 10_000n) + 10_000n) % 10_000n);
  return checkYears(name, text, { ms: Number((signed - BigInt(below)) / 10_000n), ticks: below });
}

function parseRelative(name: string, text: string, now: Instant, zone: TimeZone): Instant {
  const resolved = resolveRelative(text, now, zone);
  if (resolved === 'years') throw outsideYears(name, text);
  if (resolved !== 'form') return resolved;
  throw badTime(
    `'${name}' is ${quote(text)}; want [now|y|M|w|d|h|m][+-]<n><unit>… with whole numbers and the units y M w d h m s, such as -1d12h or d-1d.`,
  );
}

/** UTC without a name. Throws a 400 for one that is no zone's. */
export function parseZone(name: string | undefined): TimeZone {
  if (name === undefined) return UTC;
  const zone = findTimeZone(name);
  if (zone !== undefined) return zone;
  throw badTime(`'tz' is ${quote(name)}; want the IANA name of a time zone, such as Europe/Berlin.`);
}

function checkYears(name: string, text: string, instant: Instant): Instant {
  if (instant.ms >= MIN_TIME_MS && instant.ms <= MAX_TIME_MS) return instant;
  throw outsideYears(name, text);
}

function outsideYears(name: string, text: string): ProblemError {
  return badTime(`'${name}' is ${quote(text)}; that lies outside the years 1 to 9999.`);
}

function quote(text: string): string {
  return `'${text.length > 100 ? `${text.slice(0, 100)}…` : text}'`;
}

function badTime(detail: string): ProblemError {
  return new ProblemError(400, detail, { key: 'Error.BadTime' });
}
