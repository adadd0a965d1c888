// Points as the columns of a row group, and the schema of these columns.

import { payloadOf, ValueType } from '../../engine/index.ts';
import type { Batch, BatchRun } from '../sink.ts';
import { MICROSECONDS, OPTIONAL, putTime, REQUIRED, TEXT, type TimeColumns } from './column-kinds.ts';

/**
 * `time` is what other tools know as a time, UTC, rounded down; with `time_100ns`, 0 to 9 units of 100 ns behind it, it is
 * exact. `type` is the number of the value's type: Single and Double are in `value_double`; Boolean (0 and 1), all whole
 * numbers, UInt64 as its two's complement bits and DateTime as 100 ns since 0001-01-01 UTC in `value_int64`; String, and
 * Decimal as its digits, in `value_text`. All three are null for a null. `name` is the tag's name when it was written;
 * of late points, which are of a tag of their own, it is that of the tag that they are late for.
 */
const COLUMNS = [
  { name: 'tag', type: 'INT64', repetition_type: REQUIRED },
  { name: 'name', ...TEXT, repetition_type: REQUIRED },
  { name: 'time', ...MICROSECONDS, repetition_type: REQUIRED },
  { name: 'time_100ns', type: 'INT32', repetition_type: REQUIRED },
  { name: 'ordinal', type: 'INT64', repetition_type: REQUIRED },
  { name: 'type', type: 'INT32', repetition_type: REQUIRED },
  { name: 'value_double', type: 'DOUBLE', repetition_type: OPTIONAL },
  { name: 'value_int64', type: 'INT64', repetition_type: OPTIONAL },
  { name: 'value_text', ...TEXT, repetition_type: OPTIONAL },
  { name: 'quality', type: 'INT32', repetition_type: REQUIRED },
] as const;

export const SCHEMA = [{ name: 'points', num_children: COLUMNS.length }, ...COLUMNS];

export class RowGroup {
  readonly #names: string[] = [];
  readonly #doubles: (number | null)[] = [];
  readonly #integers: (bigint | null)[] = [];
  readonly #texts: (string | null)[] = [];
  readonly #tags: BigInt64Array;
  readonly #times: TimeColumns;
  readonly #ordinals: BigInt64Array;
  readonly #types: Int32Array;
  readonly #qualities: Int32Array;
  #count = 0;

  /** Makes room for exactly so many points. */
  constructor(count: number) {
    this.#tags = new BigInt64Array(count);
    this.#times = { times: new BigInt64Array(count), ticks: new Int32Array(count) };
    this.#ordinals = new BigInt64Array(count);
    this.#types = new Int32Array(count);
    this.#qualities = new Int32Array(count);
  }

  add({ points }: Batch, { tag, name, type, start, count, firstOrdinal }: BatchRun): void {
    const id = BigInt(tag.id);
    for (let i = start; i < start + count; i++) {
      const row = this.#count++;
      this.#tags[row] = id;
      this.#names.push(name);
      putTime(this.#times, row, points.timesMs[i] as number, points.ticks[i] as number);
      this.#ordinals[row] = BigInt(firstOrdinal + i - start);
      this.#types[row] = type;
      this.#qualities[row] = points.qualities[i] as number;
      this.#addValue(points, type, i);
    }
  }

  #addValue({ nulls, numbers, bigints, texts }: Batch['points'], type: ValueType, i: number): void {
    let double: number | null = null;
    let integer: bigint | null = null;
    let text: string | null = null;
    if (nulls[i] === 0) {
      const payload = payloadOf(type);
      if (payload === 'text') text = texts.at(numbers[i] as number);
      else if (payload === 'bigint') integer = bigints[i] as bigint;
      else if (type === ValueType.Single || type === ValueType.Double) double = numbers[i] as number;
      else integer = BigInt(numbers[i] as number);
    }
    this.#doubles.push(double);
    this.#integers.push(integer);
    this.#texts.push(text);
  }

  /** Columns in the form that the writer of Parquet takes. */
  columns() {
    const encoding = 'DELTA_BINARY_PACKED' as const;
    return [
      { name: 'tag', data: this.#tags, encoding },
      { name: 'name', data: this.#names, encoding: 'RLE_DICTIONARY' as const },
      { name: 'time', data: this.#times.times, encoding },
      { name: 'time_100ns', data: this.#times.ticks, encoding },
      { name: 'ordinal', data: this.#ordinals, encoding },
      { name: 'type', data: this.#types, encoding },
      // Never a dictionary: it takes 0 and -0 for the same.
      { name: 'value_double', data: this.#doubles, encoding: 'PLAIN' as const },
      { name: 'value_int64', data: this.#integers, encoding },
      { name: 'value_text', data: this.#texts },
      { name: 'quality', data: this.#qualities, encoding },
    ];
  }
}
