// The packers of integer-packers.ts for 32-bit residuals: the same bytes. Residuals span less than 2^31, so the plain packer
// is never used. A packer adds `base` to its own base; raw columns have one, other predictors have it in their lead.

import { bitWidth, packedBytes, packInt32Fields } from '../bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { varintBytes, zigzagBytes } from '../bytes/number-sizes.ts';
import { entropyBytes, packEntropy } from './entropy-packing.ts';
import type { Int32Measure } from './int32-predictors.ts';
import { Packer, PROMISE_SLACK_BITS, WORTHWHILE_SHARE } from './integer-packers.ts';
import { digitsPerWord, packInt32Radix, radixBytes } from './radix-packing.ts';
import { FRAME_LENGTH } from './residual-measure.ts';

const frameMin = new Int32Array(MAX_BLOCK_POINTS / FRAME_LENGTH);
const frameMax = new Int32Array(MAX_BLOCK_POINTS / FRAME_LENGTH);

/** The last result of `findCheapestInt32Packer`, and its size in bytes. */
export const cheapestInt32 = { packer: Packer.Constant as Packer, sizeBytes: 0 };

/** `findCheapestPacker` for 32-bit residuals. */
export function findCheapestInt32Packer(
  residuals: Int32Array,
  measure: Int32Measure,
  base: number,
  expectedBits: number,
): void {
  if (measure.min === measure.max) return take(Packer.Constant, zigzagBytes(base + measure.min));
  const radixSize = int32PackerBytes(Packer.Radix, residuals, measure, base);
  take(Packer.Radix, radixSize);
  if (radixSize * 8 > (expectedBits + PROMISE_SLACK_BITS) * measure.count) {
    const framesSize = int32PackerBytes(Packer.Frames, residuals, measure, base);
    if (framesSize < radixSize) take(Packer.Frames, framesSize);
  }
  const entropySize = int32PackerBytes(Packer.Entropy, residuals, measure, base);
  if (entropySize < cheapestInt32.sizeBytes * WORTHWHILE_SHARE) take(Packer.Entropy, entropySize);
}

function take(packer: Packer, sizeBytes: number): void {
  cheapestInt32.packer = packer;
  cheapestInt32.sizeBytes = sizeBytes;
}

/** Bytes of the residuals with a packer; Infinity if it cannot hold them. Call it before `packInt32s`. */
export function int32PackerBytes(packer: Packer, residuals: Int32Array, measure: Int32Measure, base: number): number {
  const { count, min, max } = measure;
  if (packer === Packer.Plain || (min === max) !== (packer === Packer.Constant)) return Infinity;
  switch (packer) {
    case Packer.Constant:
      return zigzagBytes(base + min);
    case Packer.Radix: {
      const radix = max - min + 1;
      return zigzagBytes(base + min) + varintBytes(radix) + 1 + radixBytes(count, radix, digitsPerWord(radix));
    }
    case Packer.Frames:
      return framesBytes(residuals, measure, base);
    case Packer.Entropy:
      return entropyBytes(residuals, count, min, max, base);
  }
}

function framesBytes(residuals: Int32Array, measure: Int32Measure, base: number): number {
  const { count } = measure;
  let sizeBytes = 0;
  let before = -base;
  for (let from = 0, frame = 0; from < count; from += FRAME_LENGTH, frame++) {
    const to = Math.min(from + FRAME_LENGTH, count);
    measureFrame(residuals, from, to, frame);
    const min = frameMin[frame] as number;
    sizeBytes += 1 + zigzagBytes(min - before) + packedBytes(to - from, bitWidth((frameMax[frame] as number) - min));
    before = min;
  }
  return sizeBytes;
}

function measureFrame(residuals: Int32Array, from: number, to: number, frame: number): void {
  let min = residuals[from] as number;
  let max = min;
  for (let i = from + 1; i < to; i++) {
    const residual = residuals[i] as number;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  frameMin[frame] = min;
  frameMax[frame] = max;
}

/**
 * Appends `residuals[0, measure.count)` with a packer, for which `int32PackerBytes` must have sized these residuals; others
 * may have been sized since, as no two share a buffer.
 */
export function packInt32s(
  out: ByteWriter,
  packer: Packer,
  residuals: Int32Array,
  measure: Int32Measure,
  base: number,
): void {
  const { count, min } = measure;
  switch (packer) {
    case Packer.Constant:
      return out.zigzag(base + min);
    case Packer.Radix:
      return packRadix(out, residuals, measure, base);
    case Packer.Frames:
      return packFrames(out, residuals, count, base);
    case Packer.Entropy:
      return packEntropy(out, residuals, count, min, base);
    case Packer.Plain:
      throw new Error('BUG: 32-bit residuals were packed plain');
  }
}

function packRadix(out: ByteWriter, residuals: Int32Array, measure: Int32Measure, base: number): void {
  const { count, min, max } = measure;
  const radix = max - min + 1;
  const digits = digitsPerWord(radix);
  out.zigzag(base + min);
  out.varint(radix);
  out.u8(digits);
  packInt32Radix(out, residuals, count, min, radix, digits);
}

function packFrames(out: ByteWriter, residuals: Int32Array, count: number, base: number): void {
  let before = -base;
  for (let from = 0, frame = 0; from < count; from += FRAME_LENGTH, frame++) {
    const min = frameMin[frame] as number;
    const width = bitWidth((frameMax[frame] as number) - min);
    out.u8(width);
    out.zigzag(min - before);
    packInt32Fields(out, residuals, from, Math.min(from + FRAME_LENGTH, count), min, width);
    before = min;
  }
}
