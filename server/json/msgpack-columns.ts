// The short cut for columns of numbers in msgpack, in typed arrays or ordinary ones. Whatever else it meets it leaves
// alone, for the general way through columns, which gives the same.

import { GOOD_QUALITY, MAX_TIME_MS, MIN_TIME_MS, type PointColumns, ValueType } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { Column, NOT_TYPED, TYPED_BYTES, TypedCode } from './column.ts';
import { numberAt, typedEntry } from './msgpack-numbers.ts';
import type { MsgpackReader } from './msgpack-reader.ts';
import { settleValue, takesNumbers } from './plain-numbers.ts';
import { TimeReader } from './timestamp.ts';
import { Token, TokenKind } from './token.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const firstMs = MIN_TIME_MS;
const lastMs = MAX_TIME_MS;

const NIL = 0xc0;
const [KEY_T, KEY_V, KEY_Q] = [0x74, 0x76, 0x71];

export class MsgpackColumns {
  private readonly times = new Column();
  private readonly values = new Column();
  private readonly qualities = new Column();
  private readonly token = new Token();
  private readonly quality = new Token();
  private readonly instant = new TimeReader();
  private hasQualities = false;
  private nullCount = 0;

  /** Adds the points of the object just entered; false when it cannot: then what it read counts for nothing. */
  add(reader: MsgpackReader, builder: BatchBuilder): boolean {
    if (!takesNumbers(builder.type) || !this.findColumns(reader)) return false;
    const { points, type } = builder;
    const { count } = this.times;
    if (this.values.count !== count || (this.hasQualities && this.qualities.count !== count)) return false;
    builder.reserveTo(points.count + count);
    const { view } = reader;
    if (!this.addTimes(view, builder) || !this.addValues(view, builder) || !this.addQualities(view, builder))
      return false;
    points.count += count;
    if (type === ValueType.Open && this.nullCount < count) builder.type = ValueType.Double;
    return true;
  }

  private findColumns(reader: MsgpackReader): boolean {
    const { token, quality } = this;
    this.hasQualities = false;
    this.times.clear();
    this.values.clear();
    quality.kind = TokenKind.Absent;
    do {
      reader.key(token);
      if (token.end - token.start !== 1) return false;
      const key = reader.bytes[token.start];
      if (key === KEY_Q) {
        this.hasQualities = reader.column(this.qualities);
        if (!this.hasQualities) reader.value(quality);
      } else if (key !== KEY_T && key !== KEY_V) {
        return false;
      } else if (!reader.column(key === KEY_T ? this.times : this.values)) {
        return false;
      }
    } while (reader.more(TokenKind.Object));
    return this.times.count > 0;
  }

  /** Numbers of ms (`bench/server/json.ts`). */
  private addTimes(view: DataView, { points }: BatchBuilder): boolean {
    const { times: column, instant } = this;
    const { timesMs, ticks, count: first } = points;
    for (let i = addWholeMs(view, column, points); i < column.count; i++) {
      const timeMs = numberOf(view, column, i);
      if (!instant.readMs(timeMs)) return false;
      timesMs[first + i] = instant.ms;
      ticks[first + i] = instant.ticks;
    }
    return true;
  }

  private addValues(view: DataView, builder: BatchBuilder): boolean {
    const { values: column } = this;
    const { type, points } = builder;
    const { numbers, nulls, count: first } = points;
    const isDouble = type === ValueType.Double || type === ValueType.Open;
    this.nullCount = 0;
    if (column.typedCode >= TypedCode.BigInt64) return this.addWide(view, builder);
    if (isDouble && column.typedCode === TypedCode.Float64) return addDoubles(view, column, points);
    for (let i = 0; i < column.count; i++) {
      const isNull = column.typedCode === NOT_TYPED && view.getUint8(column.places[i] as number) === NIL;
      nulls[first + i] = isNull ? 1 : 0;
      if (isNull) {
        numbers[first + i] = 0;
        this.nullCount++;
      } else if (!settleValue(builder, first + i, numberOf(view, column, i))) return false;
    }
    return true;
  }

  /** 64-bit integers of the very type that the tag has. */
  private addWide(view: DataView, { type, points, words }: BatchBuilder): boolean {
    const { values: column } = this;
    const wanted = column.typedCode === TypedCode.BigInt64 ? ValueType.Int64 : ValueType.UInt64;
    if (type !== wanted) return false;
    const { nulls, count: first } = points;
    for (let i = 0; i < column.count; i++) {
      const place = column.typedStart + i * 8;
      words[(first + i) * 2] = view.getInt32(place, true);
      words[(first + i) * 2 + 1] = view.getInt32(place + 4, true);
      nulls[first + i] = 0;
    }
    return true;
  }

  private addQualities(view: DataView, { points }: BatchBuilder): boolean {
    const { qualities: column, quality, hasQualities } = this;
    const { count } = this.times;
    const { qualities, count: first } = points;
    const isUsual = quality.kind === TokenKind.Absent || quality.kind === TokenKind.Null;
    if (!isUsual && quality.kind !== TokenKind.Number && !hasQualities) return false;
    const shared = isUsual ? GOOD_QUALITY : quality.number;
    for (let i = 0; i < count; i++) {
      const value = hasQualities ? numberOf(view, column, i) : shared;
      if ((value | 0) !== value) return false;
      qualities[first + i] = value;
    }
    return true;
  }
}

/** The times of a typed array as far as they are whole ms; how many those are (`bench/server/json.ts`). */
function addWholeMs(view: DataView, column: Column, points: PointColumns): number {
  if (column.typedCode !== TypedCode.Float64) return 0;
  const { timesMs, ticks, count: first } = points;
  const { count, typedStart } = column;
  for (let i = 0; i < count; i++) {
    const timeMs = view.getFloat64((typedStart + i * 8) | 0, true);
    if (!(timeMs >= firstMs && timeMs <= lastMs) || Math.floor(timeMs) !== timeMs) return i;
    timesMs[first + i] = timeMs;
    ticks[first + i] = 0;
  }
  return count;
}

/** Double values of a typed array; false when one is not finite (`bench/server/json.ts`). */
function addDoubles(view: DataView, column: Column, points: PointColumns): boolean {
  const { numbers, nulls, count: first } = points;
  const { count, typedStart } = column;
  for (let i = 0; i < count; i++) {
    const value = view.getFloat64((typedStart + i * 8) | 0, true);
    if (value - value !== 0) return false; // NaN and the infinities
    numbers[first + i] = value;
    nulls[first + i] = 0;
  }
  return true;
}

/** An entry as a double; NaN when it is no number. */
function numberOf(view: DataView, { typedCode, typedStart, places }: Column, i: number): number {
  if (typedCode === TypedCode.Float64) return view.getFloat64(typedStart + i * 8, true);
  if (typedCode === NOT_TYPED) return numberAt(view, places[i] as number);
  return typedEntry(view, typedCode, typedStart + i * (TYPED_BYTES[typedCode] as number));
}
