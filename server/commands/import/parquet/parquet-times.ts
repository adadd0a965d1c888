// Times and days of Parquet as texts of ISO 8601, with all their digits; whether they are UTC is what the schema says.

import type { SchemaElement } from 'hyparquet';

const NS_PER_MS = 1_000_000n;
const DAY_MS = 86_400_000;

export const TIME_PARSERS = {
  timestampFromMilliseconds: (millis: bigint) => clockText(millis * NS_PER_MS),
  timestampFromMicroseconds: (micros: bigint) => clockText(micros * 1000n),
  timestampFromNanoseconds: (nanos: bigint) => clockText(nanos),
  dateFromDays: (days: number) => dayText(days),
};

/** Whether the times of a column are instants; what clocks show otherwise. */
export function isUtc({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC;
  return type === 'INT96' || converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS';
}

export function isTime({ type, logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  return type === 'INT96' || logical?.type === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP') === true;
}

/** Without a zone; undefined for a time that no calendar has. */
function clockText(nanos: bigint): string | undefined {
  const below = ((nanos % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  const date = new Date(Number((nanos - below) / NS_PER_MS));
  if (Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().slice(0, -1) + String(below).padStart(6, '0');
}

function dayText(days: number): string | undefined {
  const date = new Date(days * DAY_MS);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
