// Points of an answer as record batches of Arrow: the columns that files of Parquet have, in the types of Arrow.

import {
  type Data,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Timestamp,
  TimeUnit,
  Utf8,
} from 'apache-arrow';
import { LABEL_NAMES, type PointGroup } from '../parquet/point-group.ts';

const TEXT = new Utf8();
const MICROSECONDS = new Timestamp(TimeUnit.MICROSECOND, 'UTC');
const DOUBLE = new Float64();
const INTEGER = new Int32();
const LONG = new Int64();

const POINT_FIELDS = [
  new Field('time', MICROSECONDS, false),
  new Field('time_100ns', INTEGER, false),
  new Field('type', TEXT, true),
  new Field('value', DOUBLE, true),
  new Field('value_int64', LONG, true),
  new Field('value_text', TEXT, true),
  new Field('quality', INTEGER, false),
];

/** `value`, `value_int64` and `value_text` are as in files of Parquet. */
export function schemaOf(dataset: string, isOfFunctions: boolean): Schema {
  const labels = isOfFunctions ? LABEL_NAMES.map((name) => new Field(name, TEXT, true)) : [];
  return new Schema([new Field('tag', TEXT, false), ...labels, ...POINT_FIELDS], new Map([['varve.dataset', dataset]]));
}

/** Valid until the group is cleared: numbers are not copied. */
export function batchOf(schema: Schema, group: PointGroup): RecordBatch {
  const { count } = group;
  const children = group.columns().map(({ data }, i) => toData((schema.fields[i] as Field).type, data, count));
  const struct = makeData({ type: new Struct(schema.fields), length: count, nullCount: 0, children });
  return new RecordBatch(schema, struct);
}

type Column = ReturnType<PointGroup['columns']>[number]['data'];

function toData(type: Field['type'], column: Column, length: number): Data {
  if (column instanceof BigInt64Array) return makeData({ type: MICROSECONDS, length, nullCount: 0, data: column });
  if (column instanceof Int32Array) return makeData({ type: INTEGER, length, nullCount: 0, data: column });
  const nulls = nullsOf(column);
  if (type === DOUBLE) {
    return makeData({ type: DOUBLE, length, ...nulls, data: Float64Array.from(column as number[], (v) => v ?? 0) });
  }
  if (type === LONG) {
    return makeData({ type: LONG, length, ...nulls, data: BigInt64Array.from(column as bigint[], (v) => v ?? 0n) });
  }
  return makeData({ type: TEXT, length, ...nulls, ...textsOf(column as readonly (string | null)[]) });
}

/** A bit for each row, 1 for what is there; no bits where all is. */
function nullsOf(column: readonly unknown[]): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  const nullBitmap = new Uint8Array((column.length + 7) >> 3);
  for (let i = 0; i < column.length; i++) {
    if (column[i] === null) nullCount++;
    else nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7));
  }
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap };
}

/** All texts one behind the other, and where each begins. Most follow on an equal one: names of tags and types. */
function textsOf(column: readonly (string | null)[]): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(column.length + 1);
  const parts: string[] = [];
  let last = '';
  let [lastBytes, offset] = [0, 0];
  for (let i = 0; i < column.length; i++) {
    const text = column[i] ?? '';
    if (text !== last) {
      last = text;
      lastBytes = Buffer.byteLength(text);
    }
    // A half of a character at the end of a text must not find the other one in the next text.
    parts.push(text.toWellFormed());
    offset += lastBytes;
    valueOffsets[i + 1] = offset;
  }
  return { valueOffsets, data: Buffer.from(parts.join('')) };
}
