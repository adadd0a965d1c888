// Sizes of the variable-length numbers of `ByteWriter`, for choosing an encoding before writing.

import { bitWidth } from './bit-packing.ts';

/** Bytes that `ByteWriter.varint` takes. */
export function varintBytes(value: number): number {
  return value < 128 ? 1 : Math.ceil(bitWidth(value) / 7);
}

/** Bytes that `ByteWriter.zigzag` takes. */
export function zigzagBytes(value: number): number {
  return varintBytes(value < 0 ? -2 * value - 1 : 2 * value);
}
