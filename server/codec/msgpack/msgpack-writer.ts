// Writes answers as msgpack: the same members as JSON. Times are texts as in JSON, exact types keep every digit
// (Int64 and UInt64 as integers of 64 bits, Decimal as text, for msgpack has no decimals).

import { type PointChunk, type TagDefinition, ValueType } from '../../../engine/index.ts';
import { MS_TIME_BYTES } from '../scalars/timestamp.ts';
import { OutputBytes } from '../write-json/output-bytes.ts';
import { TagBytes, tagMembers } from '../write-json/tag-json.ts';
import { TICK_TIME_BYTES, TimeWriter } from '../write-json/time-writer.ts';
import type { ValueStyle } from '../write-json/value-style.ts';
import { instantFromTicks, wideInteger } from '../write-json/wide-values.ts';

const NIL = 0xc0;
const FALSE = 0xc2;
const TRUE = 0xc3;
const FLOAT32 = 0xca;
const FLOAT64 = 0xcb;
const UINT64 = 0xcf;
const INT64 = 0xd3;
const FIX_TEXT = 0xa0;
const TEXT8 = 0xd9;

/** A point without its value: map header, three keys, the longest time and quality. */
const POINT_BYTES = 1 + 6 + 1 + TICK_TIME_BYTES + 5;
/** The longest value that is not a text: a time stamp. */
const VALUE_BYTES = 1 + TICK_TIME_BYTES;

/** Texts below this many characters have their length in the first byte. */
const SHORT_TEXT = 32;

/** Without a call of Node's encoder; says false, having written nothing, when there is more than ASCII. */
function writeShortAscii(out: OutputBytes, text: string): boolean {
  out.reserve(1 + SHORT_TEXT);
  const { bytes, length: start } = out;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return false;
    bytes[start + 1 + i] = code;
  }
  bytes[start] = FIX_TEXT + text.length;
  out.length = start + 1 + text.length;
  return true;
}

export class MsgpackWriter {
  readonly #pointTimes = new TimeWriter();
  /** Apart, so that each keeps its own minute. */
  readonly #valueTimes = new TimeWriter();
  readonly #tags = new TagBytes((tag) => this.#tagBytes(tag));
  readonly #instant = { ms: Number.NaN, ticks: 0 };

  /** The header of an array; `count` values follow. */
  arrayHeader(out: OutputBytes, count: number): void {
    this.#sized(out, count, count < 16 ? 0x90 + count : 0, 0xdc);
  }

  /** The header of a map; `count` keys and values follow. */
  mapHeader(out: OutputBytes, count: number): void {
    this.#sized(out, count, count < 16 ? 0x80 + count : 0, 0xde);
  }

  /** `short` when it is not 0, else `lead16` or the next lead, and the size. */
  #sized(out: OutputBytes, size: number, short: number, lead16: number): void {
    out.reserve(5);
    if (short !== 0) {
      out.byte(short);
    } else if (size < 65_536) {
      out.byte(lead16);
      out.view.setUint16(out.length, size);
      out.length += 2;
    } else {
      out.byte(lead16 + 1);
      out.view.setUint32(out.length, size);
      out.length += 4;
    }
  }

  text(out: OutputBytes, text: string): void {
    if (text.length < SHORT_TEXT && writeShortAscii(out, text)) return;
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes >= 32 && sizeBytes < 256) {
      out.byte(TEXT8);
      out.byte(sizeBytes);
    } else {
      this.#sized(out, sizeBytes, sizeBytes < 32 ? FIX_TEXT + sizeBytes : 0, TEXT8 + 1);
    }
    out.utf8(text);
  }

  /** A time as the text it has in JSON. */
  time(out: OutputBytes, ms: number, ticks: number): void {
    this.#timeText(out, this.#pointTimes, ms, ticks);
  }

  #timeText(out: OutputBytes, times: TimeWriter, ms: number, ticks: number): void {
    out.reserve(1 + TICK_TIME_BYTES);
    const sizeBytes = ticks === 0 ? MS_TIME_BYTES : TICK_TIME_BYTES;
    out.bytes[out.length] = FIX_TEXT + sizeBytes;
    out.length = times.write(out.view, out.length + 1, ms, ticks);
  }

  /** A whole number of at most 32 bits and a sign, in its shortest form. */
  integer(out: OutputBytes, value: number): void {
    out.reserve(9);
    const { view, length } = out;
    if (value >= -32 && value < 128) {
      view.setInt8(length, value);
      out.length += 1;
    } else if (value >= -32_768 && value < 32_768) {
      out.byte(0xd1);
      view.setInt16(length + 1, value);
      out.length += 2;
    } else if (value < 0) {
      out.byte(0xd2);
      view.setInt32(length + 1, value);
      out.length += 4;
    } else {
      out.byte(0xce);
      view.setUint32(length + 1, value);
      out.length += 4;
    }
  }

  /** A value of JSON that is no array and no object; a number that `integer` cannot write is a double. */
  scalar(out: OutputBytes, value: boolean | number | string | null): void {
    out.reserve(9);
    if (value === null) out.byte(NIL);
    else if (typeof value === 'boolean') out.byte(value ? TRUE : FALSE);
    else if (typeof value === 'string') this.text(out, value);
    else if (Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32) this.integer(out, value);
    else this.#float64(out, value);
  }

  /** A tag's definition, as `formatTag` gives it in JSON. */
  tag(out: OutputBytes, tag: TagDefinition): void {
    out.raw(this.#tags.get(tag));
  }

  #tagBytes(tag: TagDefinition): Uint8Array {
    const out = new OutputBytes(256);
    this.#tagTo(out, tag);
    return Buffer.from(out.written());
  }

  #tagTo(out: OutputBytes, tag: TagDefinition): void {
    const members = Object.entries(tagMembers(tag)) as [string, string | ReadonlyMap<string, string>][];
    this.mapHeader(out, members.length);
    for (const [key, value] of members) {
      this.text(out, key);
      if (typeof value === 'string') this.text(out, value);
      else this.#dictionary(out, value);
    }
  }

  #dictionary(out: OutputBytes, entries: ReadonlyMap<string, string>): void {
    this.mapHeader(out, entries.size);
    for (const [key, text] of entries) {
      this.text(out, key);
      this.text(out, text);
    }
  }

  /** The points of a chunk, one map each, without the header of the array they stand in. */
  points(out: OutputBytes, chunk: PointChunk, style: ValueStyle): void {
    const { timesMs, ticks, nulls, qualities } = chunk.points;
    for (let i = chunk.start; i < chunk.end; i++) {
      out.reserve(POINT_BYTES + VALUE_BYTES);
      const hasValue = nulls[i] === 0 || style.nulls === 'null';
      out.byte(hasValue ? 0x83 : 0x82);
      this.#key(out, 't');
      this.time(out, timesMs[i] as number, ticks[i] as number);
      if (hasValue) {
        this.#key(out, 'v');
        if (nulls[i] === 0) this.#value(out, chunk, i, style);
        else out.byte(NIL);
      }
      this.#key(out, 'q');
      this.integer(out, qualities[i] as number);
    }
  }

  /** The values of a chunk, without the header of the array they stand in. */
  values(out: OutputBytes, chunk: PointChunk, style: ValueStyle): void {
    const { nulls } = chunk.points;
    for (let i = chunk.start; i < chunk.end; i++) {
      out.reserve(VALUE_BYTES);
      if (nulls[i] === 0) this.#value(out, chunk, i, style);
      else out.byte(NIL);
    }
  }

  #key(out: OutputBytes, letter: 't' | 'v' | 'q'): void {
    out.byte(FIX_TEXT + 1);
    out.byte(letter.charCodeAt(0));
  }

  #value(out: OutputBytes, chunk: PointChunk, i: number, style: ValueStyle): void {
    const { numbers, bigints, texts } = chunk.points;
    const number = numbers[i] as number;
    switch (chunk.type) {
      case ValueType.Boolean:
        return style.booleans === 'digit' ? out.byte(number) : out.byte(number === 1 ? TRUE : FALSE);
      case ValueType.Single:
        return this.#float32(out, number);
      case ValueType.Double:
        return this.#float64(out, number);
      case ValueType.Int64:
      case ValueType.UInt64:
        return this.#wide(out, chunk.type, bigints[i] as bigint, style);
      case ValueType.Decimal:
      case ValueType.String:
        return this.text(out, texts.at(number));
      case ValueType.DateTime:
        return this.#dateTime(out, bigints[i] as bigint);
      default:
        return this.integer(out, number);
    }
  }

  #dateTime(out: OutputBytes, ticks: bigint): void {
    instantFromTicks(ticks, this.#instant);
    this.#timeText(out, this.#valueTimes, this.#instant.ms, this.#instant.ticks);
  }

  #float32(out: OutputBytes, value: number): void {
    out.byte(FLOAT32);
    out.view.setFloat32(out.length, value);
    out.length += 4;
  }

  #float64(out: OutputBytes, value: number): void {
    out.byte(FLOAT64);
    out.view.setFloat64(out.length, value);
    out.length += 8;
  }

  #wide(out: OutputBytes, type: ValueType, bits: bigint, style: ValueStyle): void {
    const value = wideInteger(type, bits);
    if (style.exact === 'string') return this.text(out, String(value));
    out.byte(type === ValueType.UInt64 ? UINT64 : INT64);
    out.view.setBigInt64(out.length, bits);
    out.length += 8;
  }
}
