// Points of an answer as the columns of a row group, and the schema of these columns.

import { type AggregateLabel, formatValueType, type PointChunk, payloadOf, ValueType } from '../../../engine/index.ts';
import {
  MICROSECONDS,
  OPTIONAL,
  putTime,
  REQUIRED,
  TEXT,
  type TimeColumns,
} from '../../../replication/parquet/column-kinds.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { instantFromTicks, wideInteger } from '../../codec/write-json/wide-values.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';

/** What results of functions have behind their tag. */
export const LABEL_NAMES = ['function', 'state', 'stateName'] as const;

/**
 * `value` holds every number, and Booleans as 0 and 1; of Int64, UInt64 and Decimal it is the nearest double. `value_int64` holds
 * Int64 exactly; `value_text` texts, times in ISO 8601, and the digits of UInt64 and Decimal. `type` is null in the two rows
 * that stand for what cannot be read.
 */
const POINT_COLUMNS = [
  { name: 'time', ...MICROSECONDS, repetition_type: REQUIRED },
  { name: 'time_100ns', type: 'INT32', repetition_type: REQUIRED },
  { name: 'type', ...TEXT, repetition_type: OPTIONAL },
  { name: 'value', type: 'DOUBLE', repetition_type: OPTIONAL },
  { name: 'value_int64', type: 'INT64', repetition_type: OPTIONAL },
  { name: 'value_text', ...TEXT, repetition_type: OPTIONAL },
  { name: 'quality', type: 'INT32', repetition_type: REQUIRED },
] as const;

/** What all rows of an entry share. */
export interface EntryCells {
  readonly tag: string;
  /** Cells of `LABEL_NAMES`; undefined where there are no such columns. */
  readonly label: readonly (string | null)[] | undefined;
}

/** A file, of whatever kind, that an answer is. */
export interface FileAnswer {
  readonly out: OutputBytes;
  readonly memory: HeldMemory;
  readonly dataset: string;
  /** Whether rows say which function they are results of. */
  readonly isOfFunctions: boolean;
}

export function entryCells(tag: string, label: AggregateLabel | undefined, isOfFunctions: boolean): EntryCells {
  return { tag, label: isOfFunctions ? LABEL_NAMES.map((name) => textOf(label?.[name])) : undefined };
}

function textOf(cell: boolean | number | string | null | undefined): string | null {
  return cell === undefined || cell === null ? null : String(cell);
}

export function schemaOf(isOfFunctions: boolean) {
  const labels = isOfFunctions ? LABEL_NAMES.map((name) => ({ name, ...TEXT, repetition_type: OPTIONAL })) : [];
  const columns = [{ name: 'tag', ...TEXT, repetition_type: REQUIRED }, ...labels, ...POINT_COLUMNS];
  return [{ name: 'points', num_children: columns.length }, ...columns];
}

/** Filled, written and filled again. */
export class PointGroup {
  count = 0;
  /** Characters of its texts. */
  characters = 0;
  readonly #entries: EntryCells[] = [];
  readonly #times: TimeColumns;
  readonly #types: (string | null)[] = [];
  readonly #doubles: (number | null)[] = [];
  readonly #integers: (bigint | null)[] = [];
  readonly #texts: (string | null)[] = [];
  readonly #qualities: Int32Array;
  readonly #instant = { ms: 0, ticks: 0 };

  constructor(capacity: number) {
    this.#times = { times: new BigInt64Array(capacity), ticks: new Int32Array(capacity) };
    this.#qualities = new Int32Array(capacity);
  }

  clear(): void {
    this.count = 0;
    this.characters = 0;
    for (const list of [this.#entries, this.#types, this.#doubles, this.#integers, this.#texts]) list.length = 0;
  }

  add(cells: EntryCells, { type, points }: PointChunk, at: number): void {
    const ms = points.timesMs[at] as number;
    this.#addRow(cells, { ms, ticks: points.ticks[at] as number }, points.qualities[at] as number);
    this.#types.push(formatValueType(type) ?? null);
    if (points.nulls[at] === 0) this.#addValue(points, type, at);
    else this.#addNull();
  }

  /** A row for what cannot be read. */
  addGap(cells: EntryCells, time: { readonly ms: number; readonly ticks: number }): void {
    this.#addRow(cells, time, 0);
    this.#types.push(null);
    this.#addNull();
  }

  #addRow(cells: EntryCells, { ms, ticks }: { readonly ms: number; readonly ticks: number }, quality: number): void {
    const row = this.count++;
    this.#entries.push(cells);
    putTime(this.#times, row, ms, ticks);
    this.#qualities[row] = quality;
  }

  #addNull(): void {
    this.#doubles.push(null);
    this.#integers.push(null);
    this.#texts.push(null);
  }

  #addValue({ numbers, bigints, texts }: PointChunk['points'], type: ValueType, at: number): void {
    const payload = payloadOf(type);
    if (payload === 'number') return this.#put(numbers[at] as number, null, null);
    if (payload === 'bigint') return this.#addWide(type, bigints[at] as bigint);
    const text = texts.at(numbers[at] as number);
    this.#put(type === ValueType.Decimal ? Number(text) : null, null, text);
  }

  #addWide(type: ValueType, bits: bigint): void {
    if (type === ValueType.Int64) return this.#put(Number(bits), bits, null);
    if (type === ValueType.UInt64) {
      const integer = wideInteger(type, bits);
      return this.#put(Number(integer), null, String(integer));
    }
    instantFromTicks(bits, this.#instant);
    this.#put(null, null, formatInstant(this.#instant));
  }

  #put(double: number | null, integer: bigint | null, text: string | null): void {
    this.#doubles.push(double);
    this.#integers.push(integer);
    this.#texts.push(text);
    if (text !== null) this.characters += text.length;
  }

  /** Columns in the form that the writer of Parquet takes, valid until the group is cleared. */
  columns() {
    const { count } = this;
    const encoding = 'DELTA_BINARY_PACKED' as const;
    const labels = this.#entries[0]?.label === undefined ? [] : LABEL_NAMES;
    return [
      { name: 'tag', data: this.#entries.map(({ tag }) => tag), encoding: 'RLE_DICTIONARY' as const },
      ...labels.map((name, i) => ({ name, data: this.#entries.map(({ label }) => label?.[i] ?? null) })),
      { name: 'time', data: this.#times.times.subarray(0, count), encoding },
      { name: 'time_100ns', data: this.#times.ticks.subarray(0, count), encoding },
      { name: 'type', data: this.#types },
      // Never a dictionary: it takes 0 and -0 for the same.
      { name: 'value', data: this.#doubles, encoding: 'PLAIN' as const },
      { name: 'value_int64', data: this.#integers, encoding },
      { name: 'value_text', data: this.#texts },
      { name: 'quality', data: this.#qualities.subarray(0, count), encoding },
    ];
  }
}
