// The points of a request in a journal record: runs of columns, row by row as small numbers. Most of a run's head is
// equal to the run before (next id, same count, same type), and is then left out. What writer and reader share.
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

/** Codings of numbers: 0 to 6 are decimals with so many digits behind the point; then: */
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
  /** Points that the server stamped with its own time. */
  stamped: number;
}

/** Coding state that carries over from run to run within one record. */
export class RunContext {
  tagId = 0;
  count = 0;
  ordinal = 0;
  type: number = Types.Open;
  coding = RAW;
  timeMs = 0;
}
