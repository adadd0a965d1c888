// Writes chunks of points as the columns of JSON: their times, values or qualities, separated by commas.

import { type PointChunk, payloadOf, ValueType } from '../../../engine/index.ts';
import { writeJsonText } from './json-text.ts';
import { MsWriter } from './ms-writer.ts';
import type { OutputBytes } from './output-bytes.ts';
import { haveValues, writePlainValues } from './plain-points.ts';
import { TICK_TIME_BYTES, TimeWriter } from './time-writer.ts';
import type { Separator } from './tvq-writer.ts';
import type { ValueStyle } from './value-style.ts';
import { isWrittenAsDouble, VALUE_BYTES, ValueWriter, writeInteger, writeNullWord } from './value-writer.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
/** A time in quotes, or a quality; a comma, and bytes that stores may overwrite. */
const TIME_BYTES = TICK_TIME_BYTES + 11;
const QUALITY_BYTES = 20;
/** Points that room is made for at a time. */
const BLOCK_POINTS = 256;

/** Writes entries `start` to `end`, each with a comma after it. */
type WriteBlock = (out: OutputBytes, chunk: PointChunk, start: number, end: number) => void;

export class ColumnWriter {
  readonly #times = new TimeWriter();
  readonly #ms = new MsWriter();
  readonly #values = new ValueWriter();

  /** Times as text, or as ms when no point of the column has ticks. */
  writeTimes(out: OutputBytes, chunk: PointChunk, form: 'text' | 'ms', separator: Separator): void {
    const write: WriteBlock = form === 'ms' ? this.#writeMs : this.#writeTexts;
    this.#writeBlocks(out, chunk, separator, write);
  }

  writeValues(out: OutputBytes, chunk: PointChunk, style: ValueStyle, separator: Separator): void {
    const isText = payloadOf(chunk.type) === 'text';
    this.#writeBlocks(out, chunk, separator, (to, points, start, end) => {
      if (isText) writeTextValues(to, points, start, end, style);
      else this.#writeNumbers(to, points, start, end, style);
    });
  }

  writeQualities(out: OutputBytes, chunk: PointChunk, separator: Separator): void {
    this.#writeBlocks(out, chunk, separator, writeQualityBlock);
  }

  #writeBlocks(out: OutputBytes, chunk: PointChunk, separator: Separator, write: WriteBlock): void {
    if (chunk.start === chunk.end) return;
    if (separator === 'comma') out.byte(COMMA);
    for (let start = chunk.start; start < chunk.end; start += BLOCK_POINTS) {
      write.call(this, out, chunk, start, Math.min(chunk.end, start + BLOCK_POINTS));
    }
    out.length--; // the last entry's comma
  }

  /** `bench/server/json.ts` */
  #writeMs(out: OutputBytes, { points }: PointChunk, start: number, end: number): void {
    out.reserve((end - start) * TIME_BYTES);
    out.length = this.#ms.writeAll(out.view, out.length, points.timesMs, start, end);
  }

  #writeTexts(out: OutputBytes, { points }: PointChunk, start: number, end: number): void {
    const { timesMs, ticks } = points;
    out.reserve((end - start) * TIME_BYTES);
    const { view } = out;
    let offset = out.length;
    for (let i = start; i < end; i++) {
      view.setUint8(offset, QUOTE);
      offset = this.#times.write(view, offset + 1, timesMs[i] as number, ticks[i] as number);
      view.setUint8(offset, QUOTE);
      view.setUint8(offset + 1, COMMA);
      offset += 2;
    }
    out.length = offset;
  }

  /** `bench/server/json.ts` */
  #writeNumbers(out: OutputBytes, chunk: PointChunk, start: number, end: number, style: ValueStyle): void {
    const { nulls, numbers } = chunk.points;
    const isDouble = isWrittenAsDouble(chunk.type);
    if (isDouble && haveValues(chunk.points, start, end)) {
      writePlainValues(out, chunk.points, start, end, this.#values.numbers);
      return;
    }
    out.reserve((end - start) * (VALUE_BYTES + 1));
    const { bytes, view } = out;
    const values = this.#values;
    let offset = out.length;
    for (let i = start; i < end; i++) {
      if (nulls[i] !== 0) offset = writeNullWord(view, offset);
      else if (isDouble) offset = values.numbers.double(bytes, view, offset, numbers[i] as number);
      else offset = values.other(bytes, view, offset, chunk, i, style);
      view.setUint8(offset, COMMA);
      offset = (offset + 1) | 0;
    }
    out.length = offset;
  }
}

function writeTextValues(out: OutputBytes, chunk: PointChunk, start: number, end: number, style: ValueStyle): void {
  const { nulls, numbers, texts } = chunk.points;
  const isQuoted = chunk.type === ValueType.String || style.exact === 'string';
  for (let i = start; i < end; i++) {
    const text = nulls[i] === 0 ? texts.at(numbers[i] as number) : 'null';
    if (isQuoted && nulls[i] === 0) writeJsonText(out, text);
    else out.ascii(text);
    out.byte(COMMA);
  }
}

function writeQualityBlock(out: OutputBytes, { points }: PointChunk, start: number, end: number): void {
  const { qualities } = points;
  out.reserve((end - start) * QUALITY_BYTES);
  const { view } = out;
  let offset = out.length;
  for (let i = start; i < end; i++) {
    offset = writeInteger(view, offset, qualities[i] as number);
    view.setUint8(offset, COMMA);
    offset = (offset + 1) | 0;
  }
  out.length = offset;
}
