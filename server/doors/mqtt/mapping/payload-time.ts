// Times of payloads: ISO texts, or numbers since 1970 in some unit, exact to 100 ns.

import { MAX_TIME_MS, MIN_TIME_MS, TICKS_PER_MS } from '../../../../engine/index.ts';
import { formatInstant, parseInstant, TIME_FORM } from '../../../codec/scalars/timestamp.ts';
import { numberLiteral } from './exact-json.ts';
import { PayloadFault } from './faults.ts';

export const TIME_UNITS = ['s', 'ms', 'us', 'ns'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** Powers of ten from each unit to ticks of 100 ns. */
const TICK_POWER: Readonly<Record<TimeUnit, number>> = { s: 7, ms: 4, us: 1, ns: -2 };
/** From here on a number without a unit is ms, as in the API. */
const FEWEST_MS = 1e11;
const DECIMAL = /^(-?)(\d{1,20})(?:\.(\d+))?$/;
const WITH_EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;
const MOST_EXPONENT = 30;

/** A time as text of the API. Without a unit numbers below 1e11 are seconds, others ms. */
export function timeText(value: unknown, unit: TimeUnit | undefined): string {
  const literal = numberLiteral(value) ?? (typeof value === 'string' && DECIMAL.test(value) ? value : undefined);
  if (literal !== undefined) return numberTime(literal, unit);
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) throw new PayloadFault(`the time is not ${TIME_FORM}, nor a number`);
  return formatInstant(instant);
}

function numberTime(literal: string, unit: TimeUnit | undefined): string {
  const number = Number(literal);
  const ticks = ticksOf(literal, unit ?? (Math.abs(number) < FEWEST_MS ? 's' : 'ms'));
  const ms = ticks === undefined ? Number.NaN : Number(floorDivide(ticks, BigInt(TICKS_PER_MS)));
  if (ticks === undefined || !(ms >= MIN_TIME_MS && ms <= MAX_TIME_MS))
    throw new PayloadFault(`the time ${literal.slice(0, 30)} is outside of the years 0001 to 9999`);
  return formatInstant({ ms, ticks: Number(ticks - BigInt(ms) * BigInt(TICKS_PER_MS)) });
}

/** Digits below a tick are left out. */
function ticksOf(literal: string, unit: TimeUnit): bigint | undefined {
  const match = DECIMAL.exec(literal) ?? DECIMAL.exec(plainDigits(literal));
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const power = TICK_POWER[unit];
  const digits = power >= 0 ? whole + fraction.padEnd(power, '0').slice(0, power) : whole.slice(0, power) || '0';
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

/** A number that was written with an exponent, without it: its point is moved, so that no digit changes. */
function plainDigits(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] = WITH_EXPONENT.exec(literal) ?? [];
  const shift = Number(exponent);
  if (whole === '' || shift > MOST_EXPONENT) return '';
  if (shift < -MOST_EXPONENT) return '0';
  const digits = '0'.repeat(Math.max(0, 1 - shift - whole.length)) + whole + fraction.padEnd(Math.max(0, shift), '0');
  const point = Math.max(1, whole.length + shift);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}0`;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a >= 0n || a % b === 0n ? a / b : a / b - 1n;
}
