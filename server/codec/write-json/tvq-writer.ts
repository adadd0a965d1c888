// Writes chunks of points as JSON: `{"t":"2024-01-01T00:00:00.000Z","v":12.34,"q":192}`, separated by commas.

import { GOOD_QUALITY, type PointChunk, type PointColumns, payloadOf, ValueType } from '../../../engine/index.ts';
import { writeJsonText } from './json-text.ts';
import type { OutputBytes } from './output-bytes.ts';
import { arePlainPoints, writePlainPoints } from './plain-points.ts';
import { TICK_TIME_BYTES, TimeWriter } from './time-writer.ts';
import type { ValueStyle } from './value-style.ts';
import { isWrittenAsDouble, VALUE_BYTES, ValueWriter, writeInteger, writeNullWord } from './value-writer.ts';

export type { ValueStyle };

/** Whether points of the same array stand before: then a comma comes first. */
export type Separator = 'first' | 'comma';

const COMMA = 0x2c;
const QUOTE = 0x22;
const CLOSE_BRACE = 0x7d;

function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
function asciiHalf(text: string): number {
  return Buffer.from(text, 'latin1').readInt16LE(0);
}

const HEAD_WORD = asciiWord('{"t"');
const HEAD_HALF = asciiHalf(':"');
const HEAD_BYTES = 6;
const VALUE_WORD = asciiWord('","v');
const VALUE_HALF = asciiHalf('":');
const VALUE_KEY_BYTES = 6;
/** Eight ASCII bytes in one store. */
const GOOD_QUALITY_DOUBLE = Buffer.from(',"q":192', 'latin1').readDoubleLE(0);
const GOOD_QUALITY_BYTES = 8;
const QUALITY_KEY_BYTES = 5;

/** A point without its value: a comma, braces, keys, the longest time and quality, and bytes that stores may overwrite. */
const POINT_BYTES = 1 + HEAD_BYTES + TICK_TIME_BYTES + VALUE_KEY_BYTES + QUALITY_KEY_BYTES + 11 + 1 + 8;
/** Points that room is made for at a time. */
const BLOCK_POINTS = 256;
/** From so many points on it pays to check whether they are plain. */
const MANY_POINTS = 8;

export class TvqWriter {
  readonly #times = new TimeWriter();
  readonly #values = new ValueWriter();

  /** Appends all points of a chunk to `out`. */
  writePoints(out: OutputBytes, chunk: PointChunk, style: ValueStyle, separator: Separator): void {
    if (chunk.start === chunk.end) return;
    if (separator === 'comma') out.byte(COMMA);
    const isText = payloadOf(chunk.type) === 'text';
    const isDouble = isWrittenAsDouble(chunk.type);
    for (let start = chunk.start; start < chunk.end; start += BLOCK_POINTS) {
      const end = Math.min(chunk.end, start + BLOCK_POINTS);
      if (isText) this.#writeTexts(out, chunk, start, end, style);
      else if (isDouble && end - start >= MANY_POINTS && arePlainPoints(chunk.points, start, end))
        this.#writePlain(out, chunk.points, start, end);
      else this.#writeNumbers(out, chunk, start, end, style);
    }
    out.length--; // the last point's comma
  }

  #writePlain(out: OutputBytes, points: PointColumns, start: number, end: number): void {
    writePlainPoints(out, points, start, end, this.#times, this.#values.numbers);
  }

  /** Points whose values have a largest size; each with a comma after it. */
  #writeNumbers(out: OutputBytes, chunk: PointChunk, start: number, end: number, style: ValueStyle): void {
    const { type, points } = chunk;
    const { timesMs, ticks, nulls, numbers, qualities } = points;
    out.reserve((end - start) * (POINT_BYTES + VALUE_BYTES));
    const { bytes, view } = out;
    const values = this.#values;
    const isDouble = isWrittenAsDouble(type);
    let offset = out.length;
    for (let i = start; i < end; i++) {
      offset = this.#writeHead(view, offset, timesMs[i] as number, ticks[i] as number);
      if (nulls[i] !== 0) {
        offset = writeNull(view, offset, style);
      } else {
        offset = writeValueKey(view, offset);
        if (isDouble) offset = values.numbers.double(bytes, view, offset, numbers[i] as number);
        else offset = values.other(bytes, view, offset, chunk, i, style);
      }
      offset = writeQuality(view, offset, qualities[i] as number);
    }
    out.length = offset;
  }

  /** Points whose values are texts; each with a comma after it. */
  #writeTexts(out: OutputBytes, chunk: PointChunk, start: number, end: number, style: ValueStyle): void {
    const { timesMs, ticks, nulls, numbers, qualities, texts } = chunk.points;
    const isQuoted = chunk.type === ValueType.String || style.exact === 'string';
    for (let i = start; i < end; i++) {
      out.reserve(POINT_BYTES);
      out.length = this.#writeHead(out.view, out.length, timesMs[i] as number, ticks[i] as number);
      if (nulls[i] !== 0) {
        out.length = writeNull(out.view, out.length, style);
      } else {
        out.length = writeValueKey(out.view, out.length);
        const text = texts.at(numbers[i] as number);
        if (isQuoted) writeJsonText(out, text);
        else out.ascii(text);
        out.reserve(POINT_BYTES);
      }
      out.length = writeQuality(out.view, out.length, qualities[i] as number);
    }
  }

  /** `{"t":"…` */
  #writeHead(view: DataView, offset: number, ms: number, ticks: number): number {
    view.setInt32(offset, HEAD_WORD, true);
    view.setInt16(offset + 4, HEAD_HALF, true);
    return this.#times.write(view, (offset + HEAD_BYTES) | 0, ms, ticks);
  }
}

/** `","v":` */
function writeValueKey(view: DataView, offset: number): number {
  view.setInt32(offset, VALUE_WORD, true);
  view.setInt16(offset + 4, VALUE_HALF, true);
  return (offset + VALUE_KEY_BYTES) | 0;
}

/** `","v":null`, or only the quote that ends the time. */
function writeNull(view: DataView, offset: number, style: ValueStyle): number {
  if (style.nulls === 'omit') {
    view.setUint8(offset, QUOTE);
    return offset + 1;
  }
  return writeNullWord(view, writeValueKey(view, offset));
}

/** `,"q":192},` */
function writeQuality(view: DataView, offset: number, quality: number): number {
  view.setFloat64(offset, GOOD_QUALITY_DOUBLE, true);
  let end = (offset + GOOD_QUALITY_BYTES) | 0;
  if (quality !== GOOD_QUALITY) end = writeInteger(view, offset + QUALITY_KEY_BYTES, quality);
  view.setUint8(end, CLOSE_BRACE);
  view.setUint8((end + 1) | 0, COMMA);
  return (end + 2) | 0;
}
