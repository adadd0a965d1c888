// Kinds of columns that all files of Parquet have in common, and times as these take them.

import { TICKS_PER_MS } from '../../engine/index.ts';

export const REQUIRED = 'REQUIRED' as const;
export const OPTIONAL = 'OPTIONAL' as const;
export const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
export const MICROSECONDS = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;

const TICKS_PER_MICROSECOND = TICKS_PER_MS / 1000;
const MICROSECONDS_PER_MS = 1000n;

/** Columns of times: microseconds, rounded down, and units of 100 ns behind them, 0 to 9. */
export interface TimeColumns {
  readonly times: BigInt64Array;
  readonly ticks: Int32Array;
}

export function putTime({ times, ticks }: TimeColumns, row: number, ms: number, ticksOfMs: number): void {
  const microseconds = Math.floor(ticksOfMs / TICKS_PER_MICROSECOND);
  times[row] = BigInt(ms) * MICROSECONDS_PER_MS + BigInt(microseconds);
  ticks[row] = ticksOfMs - microseconds * TICKS_PER_MICROSECOND;
}
