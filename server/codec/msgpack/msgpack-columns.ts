// The fast path for columns of numbers in msgpack, in typed arrays or ordinary ones. Everything else is left to the general
// path (column-reader.ts), which gives the same points.

import {
  GOOD_QUALITY,
  MAX_TIME_MS,
  MIN_TIME_MS,
  NOT_PLAIN,
  type PointColumns,
  ValueType,
} from '../../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from '../body/batch-builder.ts';
import type { PointEntries } from '../body/fast-path.ts';
import { convertValue, takesNumbers, type WholeRange, wholeRange } from '../body/plain-numbers.ts';
import { Column, NOT_TYPED, TYPED_BYTES, TypedCode } from '../scalars/column.ts';
import { DECIMAL_POWERS, mantissaOf } from '../scalars/plain-decimals.ts';
import { TimeReader } from '../scalars/timestamp.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import { numberAt, numberBytes, typedEntry } from './msgpack-numbers.ts';

/** More than any two offsets lie apart. */
const OFFSETS = 2 ** 32;
const ALL_INT32: WholeRange = [-2_147_483_648, 2_147_483_647];
const NIL = 0xc0;
const DOUBLE = 0xcb;
const [KEY_T, KEY_V, KEY_Q] = [0x74, 0x76, 0x71];

/** The object that has the columns as its members, as the reader of the body goes through it. */
export interface ColumnMembers {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  key(token: Token): void;
  /** Whether another member follows. */
  more(kind: TokenKind): boolean;
  fastColumn(column: Column): boolean;
  fastScalar(token: Token): boolean;
}

export class MsgpackColumns {
  readonly #times = new Column();
  readonly #values = new Column();
  readonly #qualities = new Column();
  readonly #token = new Token();
  readonly #quality = new Token();
  readonly #instant = new TimeReader();
  #hasQualities = false;
  #nullCount = 0;

  /** Adds the points of the object just entered; false, and none added, when it cannot. */
  add(reader: ColumnMembers, builder: BatchBuilder): boolean {
    if (!takesNumbers(builder.type) || !this.#findColumns(reader)) return false;
    const times = this.#times;
    const values = this.#values;
    const qualities = this.#qualities;
    const quality = this.#quality;
    const hasQualities = this.#hasQualities;
    const { count } = times;
    if (values.count !== count || (hasQualities && qualities.count !== count)) return false;
    return this.addNext(
      reader.view,
      { times, values, qualities: hasQualities ? qualities : undefined, quality },
      count,
      builder,
    );
  }

  /** Adds the next `count` points of columns that have so many; false, and no column has advanced, when it cannot. */
  addNext(view: DataView, entries: PointEntries, count: number, builder: BatchBuilder): boolean {
    const { points, type } = builder;
    const { times, values, qualities } = entries;
    if (!takesNumbers(type)) return false;
    const [time, value, quality] = [times.next, values.next, qualities?.next ?? 0];
    builder.reserveTo(points.count + count);
    this.#nullCount = 0;
    if (!addPlain(view, entries, count, builder)) {
      rollback(entries, time, value, quality);
      if (!this.#addGeneral(view, entries, count, builder)) {
        rollback(entries, time, value, quality);
        return false;
      }
    }
    points.count += count;
    if (type === ValueType.Open && this.#nullCount < count) builder.type = ValueType.Double;
    return true;
  }

  #addGeneral(view: DataView, entries: PointEntries, count: number, builder: BatchBuilder): boolean {
    builder.makeGeneral();
    return (
      this.#addTimes(view, entries.times, count, builder) &&
      this.#addValues(view, entries.values, count, builder) &&
      addQualities(view, entries, count, builder)
    );
  }

  #findColumns(reader: ColumnMembers): boolean {
    const token = this.#token;
    const quality = this.#quality;
    this.#hasQualities = false;
    this.#times.clear();
    this.#values.clear();
    quality.kind = TokenKind.Absent;
    do {
      reader.key(token);
      if (token.end - token.start !== 1) return false;
      const key = reader.bytes[token.start];
      if (key === KEY_Q) {
        this.#hasQualities = reader.fastColumn(this.#qualities);
        if (!this.#hasQualities && !reader.fastScalar(quality)) return false;
      } else if (key !== KEY_T && key !== KEY_V) {
        return false;
      } else if (!reader.fastColumn(key === KEY_T ? this.#times : this.#values)) {
        return false;
      }
    } while (reader.more(TokenKind.Object));
    return this.#times.count > 0;
  }

  /** Numbers of ms (`bench/server/json.ts`). */
  #addTimes(view: DataView, column: Column, count: number, { points }: BatchBuilder): boolean {
    const instant = this.#instant;
    const { timesMs, ticks, count: first } = points;
    for (let i = addWholeMs(view, column, count, points); i < count; i++) {
      const timeMs = nextNumber(view, column);
      if (!instant.readMs(timeMs)) return false;
      timesMs[first + i] = instant.ms;
      ticks[first + i] = instant.ticks;
    }
    return true;
  }

  #addValues(view: DataView, column: Column, count: number, builder: BatchBuilder): boolean {
    const { type, points } = builder;
    const { numbers, nulls, count: first } = points;
    const isDouble = type === ValueType.Double || type === ValueType.Open;
    if (column.typedCode >= TypedCode.BigInt64) return addWide(view, column, count, builder);
    if (isDouble && column.typedCode === TypedCode.Float64) return addDoubles(view, column, count, points);
    for (let i = 0; i < count; i++) {
      const isNull = column.typedCode === NOT_TYPED && view.getUint8(column.next) === NIL;
      nulls[first + i] = isNull ? 1 : 0;
      if (isNull) {
        numbers[first + i] = 0;
        this.#nullCount++;
        column.next++;
      } else if (!convertValue(builder, first + i, nextNumber(view, column))) return false;
    }
    return true;
  }
}

function rollback({ times, values, qualities }: PointEntries, time: number, value: number, quality: number): void {
  times.next = time;
  values.next = value;
  if (qualities !== undefined) qualities.next = quality;
}

/** Adds points as plain ones; false when they, or those of the run before them, cannot be. */
function addPlain(view: DataView, entries: PointEntries, count: number, builder: BatchBuilder): boolean {
  return (
    builder.decimals !== NOT_PLAIN &&
    areGood(view, entries, count) &&
    addOffsets(view, entries.times, count, builder) &&
    addMantissas(view, entries.values, count, builder)
  );
}

/** Whether the next qualities are good. */
function areGood(view: DataView, { qualities: column, quality }: PointEntries, count: number): boolean {
  if (column === undefined)
    return quality.kind === TokenKind.Absent || quality.kind === TokenKind.Null || isGood(quality);
  for (let i = 0; i < count; i++) if (nextNumber(view, column) !== GOOD_QUALITY) return false;
  return true;
}

function isGood({ kind, number }: Token): boolean {
  return kind === TokenKind.Number && number === GOOD_QUALITY;
}

/** Times in whole ms (`bench/server/json.ts`). */
function addOffsets(view: DataView, column: Column, count: number, builder: BatchBuilder): boolean {
  const { points } = builder;
  const { next } = column;
  const firstMs = nextNumber(view, column);
  column.next = next;
  const firstOffset = builder.offsetOf(firstMs);
  if (firstOffset === TOO_FAR || !(firstMs - OFFSETS >= MIN_TIME_MS && firstMs + OFFSETS <= MAX_TIME_MS)) return false;
  const first = points.count;
  const isTyped = column.typedCode === TypedCode.Float64;
  const isListed = column.typedCode === NOT_TYPED;
  let at = column.next;
  // Doubles are read where they are used: out of a function a number is one on the heap.
  for (let i = first; i < first + count; i++) {
    if (isTyped) {
      if (!setOffset(points, i, view.getFloat64(at, true))) return false;
      at += 8;
    } else if (isListed && view.getUint8(at) === DOUBLE) {
      if (!setOffset(points, i, view.getFloat64(at + 1))) return false;
      at += 9;
    } else {
      column.next = at;
      if (!setOffset(points, i, nextNumber(view, column))) return false;
      at = column.next;
    }
  }
  column.next = at;
  return true;
}

function setOffset({ offsets, baseMs }: PointColumns, i: number, timeMs: number): boolean {
  const offset = timeMs - baseMs;
  offsets[i] = offset;
  // A time just before a whole ms may be that ms less the base.
  return offsets[i] === offset && baseMs + offset === timeMs;
}

/** Values with the decimals of the run, as many as that takes (`bench/server/json.ts`). */
function addMantissas(view: DataView, column: Column, count: number, builder: BatchBuilder): boolean {
  const { mantissas, count: first } = builder.points;
  const [low, high] = wholeRange(builder.type) ?? ALL_INT32;
  const isTyped = column.typedCode === TypedCode.Float64;
  const isListed = column.typedCode === NOT_TYPED;
  let at = column.next;
  // Doubles are read where they are used: out of a function a number is one on the heap.
  for (let i = first; i < first + count; i++) {
    if (isTyped) {
      if (!setMantissa(builder, i, view.getFloat64(at, true))) return false;
      at += 8;
    } else if (isListed && view.getUint8(at) === DOUBLE) {
      if (!setMantissa(builder, i, view.getFloat64(at + 1))) return false;
      at += 9;
    } else {
      column.next = at;
      if (!setMantissa(builder, i, nextNumber(view, column))) return false;
      at = column.next;
    }
    if (!((mantissas[i] as number) >= low && (mantissas[i] as number) <= high)) return false;
  }
  column.next = at;
  return true;
}

/** Sets mantissa `i` of the run; false when the value has none. */
function setMantissa(builder: BatchBuilder, i: number, value: number): boolean {
  const power = DECIMAL_POWERS[builder.decimals] as number;
  const mantissa = mantissaOf(value, power);
  builder.points.mantissas[i] = mantissa;
  return (mantissa / power === value && !Object.is(value, -0)) || builder.setMantissa(i, value);
}

/** 64-bit integers of the very type that the tag has. */
function addWide(view: DataView, column: Column, count: number, { type, points, words }: BatchBuilder): boolean {
  const wanted = column.typedCode === TypedCode.BigInt64 ? ValueType.Int64 : ValueType.UInt64;
  if (type !== wanted) return false;
  const { nulls, count: first } = points;
  for (let i = 0; i < count; i++) {
    const offset = column.next + i * 8;
    words[(first + i) * 2] = view.getInt32(offset, true);
    words[(first + i) * 2 + 1] = view.getInt32(offset + 4, true);
    nulls[first + i] = 0;
  }
  column.next += count * 8;
  return true;
}

function addQualities(
  view: DataView,
  { qualities: column, quality }: PointEntries,
  count: number,
  { points }: BatchBuilder,
): boolean {
  const { qualities, count: first } = points;
  const isDefault = quality.kind === TokenKind.Absent || quality.kind === TokenKind.Null;
  if (!isDefault && quality.kind !== TokenKind.Number && column === undefined) return false;
  const shared = isDefault ? GOOD_QUALITY : quality.number;
  for (let i = 0; i < count; i++) {
    const value = column === undefined ? shared : nextNumber(view, column);
    if ((value | 0) !== value) return false;
    qualities[first + i] = value;
  }
  return true;
}

/** The times of a typed array as far as they are whole ms; how many those are (`bench/server/json.ts`). */
function addWholeMs(view: DataView, column: Column, count: number, points: PointColumns): number {
  if (column.typedCode !== TypedCode.Float64) return 0;
  const { timesMs, ticks, count: first } = points;
  const { next } = column;
  let i = 0;
  for (; i < count; i++) {
    const timeMs = view.getFloat64((next + i * 8) | 0, true);
    if (!(timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS) || Math.floor(timeMs) !== timeMs) break;
    timesMs[first + i] = timeMs;
    ticks[first + i] = 0;
  }
  column.next = next + i * 8;
  return i;
}

/** Double values of a typed array; false when one is not finite (`bench/server/json.ts`). */
function addDoubles(view: DataView, column: Column, count: number, points: PointColumns): boolean {
  const { numbers, nulls, count: first } = points;
  const { next } = column;
  for (let i = 0; i < count; i++) {
    const value = view.getFloat64((next + i * 8) | 0, true);
    if (value - value !== 0) return false; // NaN and the infinities
    numbers[first + i] = value;
    nulls[first + i] = 0;
  }
  column.next = next + count * 8;
  return true;
}

/** The next entry as a double, and advances past it; NaN, without advancing, when it is no number. */
function nextNumber(view: DataView, column: Column): number {
  const { typedCode, next } = column;
  if (typedCode === NOT_TYPED) {
    column.next = next + numberBytes(view.getUint8(next));
    return numberAt(view, next);
  }
  column.next = next + (TYPED_BYTES[typedCode] as number);
  return typedEntry(view, typedCode, next);
}
