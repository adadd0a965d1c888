// Sequential writing and reading of bytes. A reader throws CORRUPT instead of reading past its end.

import { corrupt } from '../../errors.ts';

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Most bytes of a varint. */
export const VARINT_BYTES = 8;

/** ASCII texts below this many characters are encoded by a loop; their length takes one byte. */
const SHORT_TEXT = 64;
/** Up to this many bytes a loop is faster than a view and a call. */
const FEW_BYTES = 128;

/** A growing buffer. `bytes` and `view` are replaced when it grows: fetch them again after `reserve`. */
export class ByteWriter {
  bytes: Uint8Array;
  view: DataView;
  /** Bytes written so far: the offset of the next one. */
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `extra` bytes after `length`. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  clear(): void {
    this.length = 0;
  }

  /** What was written: a view of the buffer, not a copy. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  i64(value: bigint): void {
    this.reserve(8);
    this.view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  /** An unsigned whole number below 2^53, 7 bits a byte, low bits first. */
  varint(value: number): void {
    this.reserve(VARINT_BYTES);
    this.length = putVarint(this.bytes, this.length, value);
  }

  /** A signed whole number of magnitude below 2^52, small magnitudes in few bytes. */
  zigzag(value: number): void {
    this.reserve(VARINT_BYTES);
    this.length = putZigzag(this.bytes, this.length, value);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** `bytes[start, end)` as they are. */
  copy(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > FEW_BYTES) {
      this.raw(bytes.subarray(start, end));
      return;
    }
    this.reserve(end - start);
    const target = this.bytes;
    let { length } = this;
    for (let at = start; at < end; at++) target[length++] = bytes[at] as number;
    this.length = length;
  }

  /** The length of a text in bytes, then the text as UTF-8. */
  text(value: string): void {
    if (value.length < SHORT_TEXT && this.#asciiText(value)) return;
    const bytes = textEncoder.encode(value);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** A short ASCII text, without the cost of calling an encoder; false, having written nothing, for other texts. */
  #asciiText(value: string): boolean {
    this.reserve(1 + SHORT_TEXT);
    const { bytes, length: start } = this;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) return false;
      bytes[start + 1 + i] = code;
    }
    bytes[start] = value.length;
    this.length = start + 1 + value.length;
    return true;
  }
}

/** `ByteWriter.varint` at an offset with room for `VARINT_BYTES`; returns the offset after it. */
export function putVarint(bytes: Uint8Array, offset: number, value: number): number {
  let at = offset;
  let rest = value;
  while (rest >= 0x8000_0000) {
    bytes[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  let small = rest | 0;
  while (small >= 0x80) {
    bytes[at++] = (small & 0x7f) | 0x80;
    small >>>= 7;
  }
  bytes[at++] = small;
  return at;
}

/** Puts what `ByteWriter.zigzag` appends; returns the offset behind it. */
export function putZigzag(bytes: Uint8Array, offset: number, value: number): number {
  return putVarint(bytes, offset, value < 0 ? -2 * value - 1 : 2 * value);
}

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
  readonly end: number;

  /** @param view over the same bytes, if there is one: making another takes longer than reading some of them */
  constructor(bytes: Uint8Array, offset = 0, end = bytes.length, view = viewOf(bytes)) {
    this.bytes = bytes;
    this.view = view;
    this.offset = offset;
    this.end = end;
  }

  get remaining(): number {
    return this.end - this.offset;
  }

  /** Skips `count` bytes and returns the offset of the first. */
  take(count: number): number {
    const start = this.offset;
    if (!(count >= 0) || start + count > this.end)
      throw corrupt(`got ${this.end - start} bytes; want ${count} more`, { offset: start });
    this.offset = start + count;
    return start;
  }

  u8(): number {
    return this.bytes[this.take(1)] as number;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  i64(): bigint {
    return this.view.getBigInt64(this.take(8), true);
  }

  varint(): number {
    const bytes = this.bytes;
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.offset >= this.end) throw corrupt('a number runs past the end', { offset: this.offset });
      const byte = bytes[this.offset++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
      if (scale > 2 ** 49) throw corrupt('a number is longer than 8 bytes', { offset: this.offset });
    }
    if (value > Number.MAX_SAFE_INTEGER) throw corrupt('a number is above 2^53', { offset: this.offset });
    return value;
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A view, not a copy. */
  raw(count: number): Uint8Array {
    const start = this.take(count);
    return this.bytes.subarray(start, start + count);
  }

  text(): string {
    const length = this.varint();
    const start = this.take(length);
    if (length < SHORT_TEXT && isAscii(this.bytes, start, this.offset))
      return String.fromCharCode.apply(null, this.bytes.subarray(start, this.offset) as unknown as number[]);
    const bytes = this.bytes.subarray(start, this.offset);
    try {
      return textDecoder.decode(bytes);
    } catch (error) {
      throw corrupt(`a text is not UTF-8 (${(error as Error).message})`, { offset: this.offset });
    }
  }
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return false;
  return true;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
