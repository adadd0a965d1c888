// Times and values of points as JSON that the other server reads back to the same bits.

import { type Instant, type PointColumns, payloadOf, TICKS_PER_MS, ValueType } from '../../../engine/index.ts';

/** Ms from 0001-01-01, where a DateTime counts from, to 1970. */
const YEAR_ONE_MS = 62_135_596_800_000n;
const TICK_DIGITS = 4;

/** ISO 8601 with all seven digits. */
export function formatInstant({ ms, ticks }: Instant): string {
  const text = new Date(ms).toISOString();
  return `${text.slice(0, -1)}${String(ticks).padStart(TICK_DIGITS, '0')}Z`;
}

/** Reads the time of an answer: ms, or ISO 8601 with 3 or 7 digits of a second. */
export function parseInstant(time: number | string): Instant {
  if (typeof time === 'number') return { ms: time, ticks: 0 };
  const [, whole = '', below = ''] = /^(.*\.\d{3})(\d{4})?Z$/.exec(time) ?? [];
  return { ms: Date.parse(`${whole}Z`), ticks: Number(below) };
}

/** The time of point `i`, as an entry of a column. */
export function timeText({ timesMs, ticks }: PointColumns, i: number): string {
  const ms = timesMs[i] as number;
  return ticks[i] === 0 ? String(ms) : `"${formatInstant({ ms, ticks: ticks[i] as number })}"`;
}

/** The value of point `i`; undefined for one that JSON does not have. */
export function valueText(
  { nulls, numbers, bigints, texts }: PointColumns,
  i: number,
  type: ValueType,
): string | undefined {
  if (nulls[i] !== 0) return 'null';
  switch (payloadOf(type)) {
    case 'text':
      return JSON.stringify(texts.at(numbers[i] as number));
    case 'bigint':
      return bigintText(bigints[i] as bigint, type);
    default:
      return numberText(numbers[i] as number);
  }
}

function numberText(value: number): string | undefined {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : undefined;
}

/** In quotes: digits of 64 bits, or a time. UInt64 lies there as its two's complement. */
function bigintText(value: bigint, type: ValueType): string {
  if (type === ValueType.Int64) return `"${value}"`;
  if (type === ValueType.UInt64) return `"${BigInt.asUintN(64, value)}"`;
  const perMs = BigInt(TICKS_PER_MS);
  return `"${formatInstant({ ms: Number(value / perMs - YEAR_ONE_MS), ticks: Number(value % perMs) })}"`;
}
