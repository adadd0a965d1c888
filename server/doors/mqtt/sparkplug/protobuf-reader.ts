// Reads the wire format of Protocol Buffers. Throws a `PayloadFault` for bytes that are none.

import { PayloadFault } from '../mapping/faults.ts';

export const WireType = { Varint: 0, Fixed64: 1, Bytes: 2, Fixed32: 5 } as const;

const MOST_VARINT_BYTES = 10;

const decoder = new TextDecoder('utf-8', { fatal: true });

export class ProtobufReader {
  field = 0;
  wireType = 0;
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    this.#end = bytes.length;
  }

  /** Goes to the next field; false at the end. Its value is to be read, or skipped, next. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const key = this.number();
    this.field = Math.floor(key / 8);
    this.wireType = key % 8;
    if (this.field === 0) throw broken();
    return true;
  }

  skip(): void {
    if (this.wireType === WireType.Varint) this.long();
    else if (this.wireType === WireType.Bytes) this.bytes();
    else if (this.wireType === WireType.Fixed64) this.#take(8);
    else if (this.wireType === WireType.Fixed32) this.#take(4);
    else throw broken();
  }

  /** A varint up to 2^53; larger ones are rounded. */
  number(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < MOST_VARINT_BYTES; i++) {
      const byte = this.#bytes[this.#take(1)] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw broken();
  }

  /** The lowest 32 bits of a varint, without sign: of a negative number some encoders write 32 bits, others 64. */
  int(): number {
    return Number(BigInt.asUintN(32, this.long()));
  }

  /** A varint of 64 bits, without sign. */
  long(): bigint {
    let value = 0n;
    for (let i = 0; i < MOST_VARINT_BYTES; i++) {
      const byte = this.#bytes[this.#take(1)] as number;
      value |= BigInt(byte & 127) << BigInt(7 * i);
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw broken();
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  bytes(): Uint8Array {
    const length = this.number();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(): string {
    try {
      return decoder.decode(this.bytes());
    } catch (error) {
      throw error instanceof PayloadFault ? error : new PayloadFault('a text in the payload is not UTF-8');
    }
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw broken();
    this.#at += length;
    return start;
  }
}

function broken(): PayloadFault {
  return new PayloadFault('the payload is not Sparkplug B: it is cut off or damaged');
}
