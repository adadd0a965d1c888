// The points of a request in a journal record: runs of columns, stored as small numbers. Fields of a run's header that equal
// those of the previous run (next id, same count, same type) are left out. Definitions shared by encoder and decoder.
// Benchmark of the hot loops: bench ingest.

import { ValueType as Types, type ValueType } from '../../types.ts';

/** Bits of a run's first byte. */
export const NEXT_ID = 1;
export const SAME_COUNT = 2;
export const SAME_ORDINAL = 4;
export const SAME_CODING = 8;
export const HAS_TICKS = 16;
export const HAS_NULLS = 32;
export const HAS_QUALITIES = 64;
export const HAS_STAMPED = 128;

/** Codings of numbers: 0 to 6 are decimals with this many digits after the point; then: */
export const RAW = 7;
export const BIGINT = 8;
export const TEXT = 9;
export const MAX_DECIMALS = 6;
export const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

export interface RunHead {
  tagId: number;
  firstOrdinal: number;
  count: number;
  type: ValueType;
  /** Number of points that the server stamped with its own time. */
  stamped: number;
}

/** Encoder state that carries over from run to run within one record. */
export class RunContext {
  tagId = 0;
  count = 0;
  ordinal = 0;
  type: number = Types.Open;
  coding = RAW;
  timeMs = 0;
}
