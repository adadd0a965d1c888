// A growing buffer for answers, JSON and msgpack alike.

/** Up to here a loop is faster than a call of Node's encoder (`bench/server/json.ts`). */
const SHORT_TEXT = 64;
/** The same for bytes, which a call copies faster than it encodes. */
const SHORT_BYTES = 24;

export class OutputBytes {
  /** Replaced, like `view`, when the buffer grows: fetch both again after `reserve`. */
  bytes: Buffer;
  view: DataView;
  /** Bytes written so far; the offset of the next one. */
  length = 0;

  constructor(capacity = 65_536) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `extra` bytes from `length` on. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** Empties the buffer; the memory stays. */
  clear(): void {
    this.length = 0;
  }

  /** What was written: a view of the buffer, not a copy. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** A text whose characters are all ASCII. */
  ascii(text: string): void {
    this.reserve(text.length);
    if (text.length > SHORT_TEXT) {
      this.length += this.bytes.write(text, this.length, 'latin1');
      return;
    }
    const { bytes } = this;
    let offset = this.length;
    for (let i = 0; i < text.length; i++) bytes[offset++] = text.charCodeAt(i);
    this.length = offset;
  }

  /** Copies bytes as they are. */
  raw(source: Uint8Array): void {
    this.reserve(source.length);
    const { bytes } = this;
    if (source.length > SHORT_BYTES) bytes.set(source, this.length);
    else for (let i = 0; i < source.length; i++) bytes[this.length + i] = source[i] as number;
    this.length += source.length;
  }

  utf8(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }
}
