// The value column of types stored in `bigints`, exact over 64 bits and without BigInt arithmetic per point: differences
// from the first value as whole numbers while they are below 2^50, else high and low halves as two columns.

import { corrupt } from '../../errors.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';
import { decodeSplitBits, encodeSplitBits } from './double-bits.ts';

/** The number is the code on disk, so it never changes. */
export const BigintForm = {
  /** First value (8 bytes), the unit of all differences, and a column of differences in that unit. */
  Differences: 8,
  SplitBits: 9,
} as const;

const TWO_32 = 2 ** 32;
const DIFFERENCE_LIMIT = 2 ** 50;
/** Units tried, largest first: 1 s, 1 ms in ticks of 100 ns (DateTime is mostly one of those), and 1. */
const UNITS: readonly number[] = [10_000_000, 10_000];

const differences = new Float64Array(MAX_BLOCK_POINTS);

/** Appends `count` patterns; `words` has the low and the high half of each. */
export function encodeBigints(out: ByteWriter, words: Uint32Array, count: number): void {
  if (!gatherDifferences(words, count)) {
    out.u8(BigintForm.SplitBits);
    encodeSplitBits(out, words, count, 0);
    return;
  }
  const unit = commonUnit(count);
  if (unit > 1) for (let i = 0; i < count; i++) differences[i] = (differences[i] as number) / unit;
  out.u8(BigintForm.Differences);
  out.u32(words[0] as number);
  out.u32(words[1] as number);
  out.varint(unit);
  encodeIntegers(out, differences, 0, count);
}

function gatherDifferences(words: Uint32Array, count: number): boolean {
  const firstLow = words[0] as number;
  const firstHigh = (words[1] as number) | 0;
  for (let i = 0; i < count; i++) {
    const difference =
      (((words[2 * i + 1] as number) | 0) - firstHigh) * TWO_32 + ((words[2 * i] as number) - firstLow);
    if (difference >= DIFFERENCE_LIMIT || difference <= -DIFFERENCE_LIMIT) return false;
    differences[i] = difference;
  }
  return true;
}

function commonUnit(count: number): number {
  for (const unit of UNITS) if (allMultiples(count, unit)) return unit;
  return 1;
}

function allMultiples(count: number, unit: number): boolean {
  let distinct = false;
  for (let i = 0; i < count; i++) {
    const difference = differences[i] as number;
    if (difference % unit !== 0) return false;
    distinct ||= difference !== 0;
  }
  return distinct;
}

/** Fills `words` with the halves of `count` patterns. Throws CORRUPT. */
export function decodeBigints(reader: ByteReader, words: Uint32Array, count: number): void {
  const form = reader.u8();
  if (form === BigintForm.SplitBits) return decodeSplitBits(reader, words, count);
  if (form !== BigintForm.Differences) throw corrupt(`got bigint form ${form}; want 8 or 9`, { offset: reader.offset });
  const firstLow = reader.u32();
  const firstHigh = reader.u32() | 0;
  const unit = reader.varint();
  decodeIntegers(reader, differences, 0, count);
  for (let i = 0; i < count; i++) {
    const low = firstLow + (differences[i] as number) * unit;
    const carry = Math.floor(low / TWO_32);
    words[2 * i] = low - carry * TWO_32;
    words[2 * i + 1] = firstHigh + carry;
  }
}
