// Packers of integer columns: how the residuals of a predictor are written. Each is a code with its size, its writer and
// its reader. short-columns.ts chooses among them for few values, and column-choice.ts remembers a code in three bits.

import { corrupt } from '../../errors.ts';
import { bitWidth, MAX_FIELD_BITS, packedBytes, packFields, unpackFields } from '../bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { varintBytes, zigzagBytes } from '../bytes/number-sizes.ts';
import { entropyBytes, packEntropy, unpackEntropy } from './entropy-packing.ts';
import { digitsPerWord, packRadix, radixBytes, unpackRadix } from './radix-packing.ts';
import { FRAME_LENGTH, measureFrames, type ResidualMeasure } from './residual-measure.ts';

/** The number is the code on disk, so it never changes. */
export const Packer = {
  /** All residuals are one value. */
  Constant: 0,
  /** Digits of one radix for the whole column. */
  Radix: 1,
  /** Frames of 128, each with its own smallest value and width: for outliers and drifting levels. */
  Frames: 2,
  /** 8 bytes each, as doubles: for ranges of 2^50 or more. */
  Plain: 3,
  /** By the frequency of values: for values that concentrate around a centre. */
  Entropy: 4,
} as const;
export type Packer = (typeof Packer)[keyof typeof Packer];

/** Residuals with a range below this can be packed; others are written plain. */
const SPAN_LIMIT = 2 ** MAX_FIELD_BITS;

/** Entropy packing is for residuals with a range below this. */
const RELATIVE_LIMIT = 2 ** 31;

/** A whole column, which has a wider range than its sample, may take this many bits a value more before frames are tried. */
const PROMISE_SLACK_BITS = 0.6;

/** Frames take about this many bits per value more than a sampled span: whole bits, headers, greater length. */
export const FRAMES_SLACK_BITS = 0.75;

/** Entropy packing takes more time: it has to save this share of the bytes. */
const WORTHWHILE_SHARE = 0.98;

/** Bytes of the measured residuals with a packer; Infinity if it cannot hold them. Also prepares `pack` for them. */
export function packerBytes(packer: Packer, residuals: Float64Array, measure: ResidualMeasure): number {
  const { count, min, max } = measure;
  if (packer === Packer.Plain) return count * 8;
  if (max - min >= SPAN_LIMIT || Math.abs(min) >= SPAN_LIMIT * 2) return Infinity;
  if ((min === max) !== (packer === Packer.Constant)) return Infinity;
  switch (packer) {
    case Packer.Constant:
      return zigzagBytes(min);
    case Packer.Radix: {
      const radix = max - min + 1;
      return zigzagBytes(min) + varintBytes(radix) + 1 + radixBytes(count, radix, digitsPerWord(radix));
    }
    case Packer.Frames:
      measureFrames(measure, residuals);
      return framesBytes(measure);
    case Packer.Entropy:
      return entropyBytesOf(residuals, measure);
  }
}

function framesBytes(measure: ResidualMeasure): number {
  let sizeBytes = 0;
  let before = 0;
  for (let start = 0, frame = 0; start < measure.count; start += FRAME_LENGTH, frame++) {
    const min = measure.frameMin[frame] as number;
    const width = bitWidth((measure.frameMax[frame] as number) - min);
    sizeBytes += 1 + zigzagBytes(min - before) + packedBytes(Math.min(FRAME_LENGTH, measure.count - start), width);
    before = min;
  }
  return sizeBytes;
}

/** The last result of `findCheapestPacker`, and its size in bytes. */
export const cheapest = { packer: Packer.Constant as Packer, sizeBytes: 0 };

/**
 * Sets `cheapest` to the packer that writes the measured residuals in the fewest bytes. Frames are tried only if the whole
 * column takes clearly more than `expectedBits` per value, the estimate from a sample.
 */
export function findCheapestPacker(residuals: Float64Array, measure: ResidualMeasure, expectedBits: number): void {
  const { count, min, max } = measure;
  if (min === max) {
    const constantSize = packerBytes(Packer.Constant, residuals, measure);
    if (constantSize !== Infinity) return take(Packer.Constant, constantSize);
    return take(Packer.Plain, count * 8);
  }
  findCheapestFields(residuals, measure, expectedBits);
  const entropySize = entropyBytesOf(residuals, measure);
  if (entropySize < cheapest.sizeBytes * WORTHWHILE_SHARE) take(Packer.Entropy, entropySize);
}

const relative = new Int32Array(MAX_BLOCK_POINTS);

/** Bytes with the entropy packer; Infinity if it cannot be used. */
function entropyBytesOf(residuals: Float64Array, { count, min, max }: ResidualMeasure): number {
  if (max - min >= RELATIVE_LIMIT) return Infinity;
  for (let i = 0; i < count; i++) relative[i] = (residuals[i] as number) - min;
  return entropyBytes(relative, count, max - min, min);
}

/** The cheapest of the packers whose sizes follow from the smallest and largest values alone. */
function findCheapestFields(residuals: Float64Array, measure: ResidualMeasure, expectedBits: number): void {
  const { count } = measure;
  const radixSize = packerBytes(Packer.Radix, residuals, measure);
  if (radixSize * 8 <= (expectedBits + PROMISE_SLACK_BITS) * count) return take(Packer.Radix, radixSize);
  const framesSize = packerBytes(Packer.Frames, residuals, measure);
  if (count * 8 <= Math.min(radixSize, framesSize)) return take(Packer.Plain, count * 8);
  if (radixSize <= framesSize) take(Packer.Radix, radixSize);
  else take(Packer.Frames, framesSize);
}

function take(packer: Packer, sizeBytes: number): void {
  cheapest.packer = packer;
  cheapest.sizeBytes = sizeBytes;
}

/**
 * Appends `residuals[0, measure.count)` with a packer, for which `packerBytes` has sized these residuals; others may have been
 * sized since, as no two share a buffer.
 */
export function pack(out: ByteWriter, packer: Packer, residuals: Float64Array, measure: ResidualMeasure): void {
  switch (packer) {
    case Packer.Constant:
      return out.zigzag(measure.min);
    case Packer.Radix:
      return packWithRadix(out, residuals, measure);
    case Packer.Frames:
      return packFrames(out, residuals, measure);
    case Packer.Entropy:
      return packEntropy(out, relative, measure.count, measure.min);
    case Packer.Plain:
      for (let i = 0; i < measure.count; i++) out.f64(residuals[i] as number);
  }
}

function packWithRadix(out: ByteWriter, residuals: Float64Array, measure: ResidualMeasure): void {
  const radix = measure.max - measure.min + 1;
  const digits = digitsPerWord(radix);
  out.zigzag(measure.min);
  out.varint(radix);
  out.u8(digits);
  packRadix(out, residuals, measure.count, measure.min, radix, digits);
}

function packFrames(out: ByteWriter, residuals: Float64Array, measure: ResidualMeasure): void {
  let before = 0;
  for (let start = 0, frame = 0; start < measure.count; start += FRAME_LENGTH, frame++) {
    const min = measure.frameMin[frame] as number;
    const width = bitWidth((measure.frameMax[frame] as number) - min);
    out.u8(width);
    out.zigzag(min - before);
    packFields(out, residuals, start, Math.min(start + FRAME_LENGTH, measure.count), min, width);
    before = min;
  }
}

/** Fills `target[start, end)` with residuals. Throws CORRUPT. */
export function unpack(reader: ByteReader, packer: Packer, target: Float64Array, start: number, end: number): void {
  switch (packer) {
    case Packer.Constant:
      target.fill(reader.zigzag(), start, end);
      return;
    case Packer.Radix:
      return unpackWithRadix(reader, target, start, end);
    case Packer.Frames:
      return unpackFrames(reader, target, start, end);
    case Packer.Entropy:
      return unpackEntropy(reader, target, start, end);
    case Packer.Plain:
      for (let i = start; i < end; i++) target[i] = reader.f64();
      return;
    default:
      throw corrupt(`got packer ${packer as number}; want 0 to 4`, { offset: reader.offset });
  }
}

function unpackWithRadix(reader: ByteReader, target: Float64Array, start: number, end: number): void {
  const base = reader.zigzag();
  const radix = reader.varint();
  const digits = reader.u8();
  if (radix < 2) throw corrupt(`got radix ${radix}; want 2 or more`, { offset: reader.offset });
  unpackRadix(reader, target, start, end, base, radix, digits);
}

function unpackFrames(reader: ByteReader, target: Float64Array, start: number, end: number): void {
  let min = 0;
  for (let from = start; from < end; from += FRAME_LENGTH) {
    const to = Math.min(from + FRAME_LENGTH, end);
    const width = reader.u8();
    if (width > MAX_FIELD_BITS)
      throw corrupt(`got a width of ${width} bits; want at most 50`, { offset: reader.offset });
    min += reader.zigzag();
    if (width === 0) target.fill(min, from, to);
    else unpackFields(reader, target, from, to, min, width);
  }
}
