// Writes values that are not text as JSON.

import { integerBounds, type PointChunk, ValueType } from '../../../engine/index.ts';
import { MAX_NUMBER_BYTES, NumberWriter, writeAscii, writeWhole } from '../scalars/number-text.ts';
import { TimeWriter } from './time-writer.ts';
import type { ValueStyle } from './value-style.ts';
import { instantFromTicks, wideInteger } from './wide-values.ts';

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const LOWER_F = 0x66;

function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
const NULL_WORD = asciiWord('null');
const TRUE_WORD = asciiWord('true');
const ALSE_WORD = asciiWord('alse');

/** The longest value that is not a text: a number of 20 digits or a time stamp, in quotes. */
export const VALUE_BYTES = MAX_NUMBER_BYTES + 2;

/** Double, and the integers that doubles hold. */
export function isWrittenAsDouble(type: ValueType): boolean {
  return type === ValueType.Double || integerBounds(type) !== undefined;
}

/** Every method writes at `offset`, where there is room for `VALUE_BYTES`, and returns the offset after what it wrote. */
export class ValueWriter {
  /** For types that are written as doubles. */
  readonly numbers = new NumberWriter();
  readonly #times = new TimeWriter();
  readonly #instant = { ms: Number.NaN, ticks: 0 };

  /** A value that is neither text, nor null, nor written as a double. */
  other(bytes: Buffer, view: DataView, offset: number, chunk: PointChunk, i: number, style: ValueStyle): number {
    const { numbers, bigints } = chunk.points;
    switch (chunk.type) {
      case ValueType.Boolean:
        return writeBoolean(view, offset, numbers[i] as number, style);
      case ValueType.Single:
        return this.numbers.single(bytes, view, offset, numbers[i] as number);
      case ValueType.DateTime:
        return this.#dateTime(view, offset, bigints[i] as bigint);
      default:
        return writeWide(bytes, view, offset, wideInteger(chunk.type, bigints[i] as bigint), style);
    }
  }

  #dateTime(view: DataView, offset: number, ticks: bigint): number {
    const instant = this.#instant;
    instantFromTicks(ticks, instant);
    view.setUint8(offset, QUOTE);
    const end = this.#times.write(view, offset + 1, instant.ms, instant.ticks);
    view.setUint8(end, QUOTE);
    return end + 1;
  }
}

/** `null` */
export function writeNullWord(view: DataView, offset: number): number {
  view.setInt32(offset, NULL_WORD, true);
  return offset + 4;
}

/** A whole number of at most 32 bits and a sign. */
export function writeInteger(view: DataView, offset: number, value: number): number {
  if (value >= 0) return writeWhole(view, offset, value);
  view.setUint8(offset, MINUS);
  return writeWhole(view, offset + 1, -value);
}

function writeBoolean(view: DataView, offset: number, value: number, style: ValueStyle): number {
  if (style.booleans === 'digit') {
    view.setUint8(offset, ZERO + value);
    return offset + 1;
  }
  if (value === 1) {
    view.setInt32(offset, TRUE_WORD, true);
    return offset + 4;
  }
  view.setUint8(offset, LOWER_F);
  view.setInt32(offset + 1, ALSE_WORD, true);
  return offset + 5;
}

function writeWide(bytes: Buffer, view: DataView, offset: number, value: bigint, style: ValueStyle): number {
  if (style.exact === 'number') return writeBigInt(bytes, view, offset, value);
  view.setUint8(offset, QUOTE);
  const end = writeBigInt(bytes, view, offset + 1, value);
  view.setUint8(end, QUOTE);
  return end + 1;
}

function writeBigInt(bytes: Buffer, view: DataView, offset: number, value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? writeInteger(view, offset, number) : writeAscii(bytes, offset, String(value));
}
