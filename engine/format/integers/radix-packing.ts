// Radix packing: numbers 0 to r-1 as digits in base r, k digits to a word, and words as bit fields. Uses fractions of a bit
// per value without entropy coding: 7 values from 101 possible ones take 47 bits, against 49 as bit fields.

import { corrupt, type EngineError } from '../../errors.ts';
import {
  bitWidth,
  MAX_FIELD_BITS,
  packedBytes,
  packFields,
  unpackFields,
  WRITE_AHEAD_BYTES,
} from '../bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';

/** Words stay below this: then one multiplication by a rounded reciprocal, then floor, gives an exact quotient. */
const WORD_LIMIT = 2 ** MAX_FIELD_BITS;
const MAX_DIGITS = MAX_FIELD_BITS;
/** Words of up to this many bits are 32-bit integers. */
const MAX_INT32_WIDTH = 31;

const powers = new Float64Array(MAX_DIGITS + 1);
const reciprocals = new Float64Array(MAX_DIGITS + 1);

/** The best number of digits per word, by radix; 0: not computed yet. */
const bestDigits = new Uint8Array(4096);

/** The number of digits per word with the fewest bits per value, for a radix of 2 or more. */
export function digitsPerWord(radix: number): number {
  if (radix >= bestDigits.length) return searchDigits(radix);
  let digits = bestDigits[radix] as number;
  if (digits === 0) {
    digits = searchDigits(radix);
    bestDigits[radix] = digits;
  }
  return digits;
}

function searchDigits(radix: number): number {
  let best = 1;
  let bestBits = bitWidth(radix - 1);
  let power = radix;
  for (let digits = 2; power * radix <= WORD_LIMIT; digits++) {
    power *= radix;
    const bits = bitWidth(power - 1) / digits;
    if (bits < bestBits) {
      best = digits;
      bestBits = bits;
    }
  }
  return best;
}

/** Bytes of `count` digits packed `digits` to a word; the last word is only as wide as the remaining digits need. */
export function radixBytes(count: number, radix: number, digits: number): number {
  const wordBits = bitWidth(power(radix, digits) - 1);
  const rest = count % digits;
  return packedBytes((count - rest) / digits, wordBits) + packedBytes(1, restBits(radix, rest));
}

/** `radix` to the power of `exponent`, 1 or more: exact below 2^53, and several times as fast as `**`. */
function power(radix: number, exponent: number): number {
  let product = 1;
  let square = radix;
  for (let rest = exponent; ; square *= square) {
    if (rest & 1) product *= square;
    rest >>= 1;
    if (rest === 0) return product;
  }
}

function restBits(radix: number, rest: number): number {
  return rest === 0 ? 0 : bitWidth(power(radix, rest) - 1);
}

function preparePowers(radix: number, digits: number): void {
  let power = 1;
  for (let j = 0; j <= digits; j++) {
    powers[j] = power;
    reciprocals[j] = 1 / power;
    power *= radix;
  }
}

/** Width of a word of this many digits of the prepared radix. */
function bitsOfDigits(digits: number): number {
  return bitWidth((powers[digits] as number) - 1);
}

const words = new Float64Array(MAX_BLOCK_POINTS);

/** Appends `values[0, count) - base`, each 0 to `radix - 1`. The first value is the lowest digit of its word. */
export function packRadix(
  out: ByteWriter,
  values: Float64Array,
  count: number,
  base: number,
  radix: number,
  digits: number,
): void {
  if (digits === 1) return packFields(out, values, 0, count, base, bitWidth(radix - 1));
  preparePowers(radix, digits);
  const rest = count % digits;
  const fullCount = (count - rest) / digits;
  const width = bitsOfDigits(digits);
  if (width <= MAX_INT32_WIDTH) {
    packNarrowWords(out, values, fullCount, base, radix, digits, width);
  } else {
    gatherWords(values, 0, fullCount, base, digits);
    packFields(out, words, 0, fullCount, 0, width);
  }
  if (rest === 0) return;
  gatherWords(values, count - rest, 1, base, rest);
  packFields(out, words, 0, 1, 0, bitsOfDigits(rest));
}

/** Gathers `wordCount` words of `width` bits each and appends them, in one pass. Measured by bench/engine/codecs.ts. */
function packNarrowWords(
  out: ByteWriter,
  values: Float64Array,
  wordCount: number,
  base: number,
  radix: number,
  digits: number,
  width: number,
): void {
  const sizeBytes = packedBytes(wordCount, width);
  out.reserve(sizeBytes + WRITE_AHEAD_BYTES);
  const { view } = out;
  let offset = out.length;
  let pending = 0;
  let filled = 0;
  let at = 0;
  for (let k = 0; k < wordCount; k++, at += digits) {
    let word = 0;
    for (let j = at + digits - 1; j >= at; j--)
      word = (Math.imul(word, radix) + (((values[j] as number) - base) | 0)) | 0;
    pending |= word << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(offset, pending, true);
      offset += 4;
      filled -= 32;
      pending = word >>> (width - filled);
    }
  }
  if (filled > 0) view.setInt32(offset, pending, true);
  out.length += sizeBytes;
}

/** Fills `words` with `wordCount` words, made of the values from `from` on. */
function gatherWords(values: Float64Array, from: number, wordCount: number, base: number, digits: number): void {
  const target = words;
  const weights = powers;
  let at = from;
  for (let k = 0; k < wordCount; k++, at += digits) {
    let word = (values[at] as number) - base;
    for (let j = 1; j < digits; j++) word += ((values[at + j] as number) - base) * (weights[j] as number);
    target[k] = word;
  }
}

/** Reads what `packRadix` wrote into `target[start, end)`, adding `base`. */
export function unpackRadix(
  reader: ByteReader,
  target: Float64Array,
  start: number,
  end: number,
  base: number,
  radix: number,
  digits: number,
): void {
  if (digits < 1 || digits > MAX_DIGITS) throw badRadix(reader, radix, digits);
  preparePowers(radix, digits);
  if ((powers[digits] as number) > WORD_LIMIT) throw badRadix(reader, radix, digits);
  if (digits === 1) return unpackFields(reader, target, start, end, base, bitWidth(radix - 1));
  const rest = (end - start) % digits;
  const fullEnd = end - rest;
  const wordCount = (fullEnd - start) / digits;
  unpackFields(reader, words, 0, wordCount, 0, bitsOfDigits(digits));
  splitWords(words, wordCount, target, start, digits, base, radix, reciprocals);
  if (rest === 0) return;
  unpackFields(reader, words, 0, 1, 0, bitsOfDigits(rest));
  splitWords(words, 1, target, fullEnd, rest, base, radix, reciprocals);
}

function badRadix(reader: ByteReader, radix: number, digits: number): EngineError {
  return corrupt(`got ${digits} digits of base ${radix}; want numbers below 2^50`, { offset: reader.offset });
}

/** Digit j is floor(word / r^j) - r * floor(word / r^(j+1)); the half keeps the rounded quotients away from whole numbers. */
function splitWords(
  source: Float64Array,
  wordCount: number,
  target: Float64Array,
  start: number,
  digits: number,
  base: number,
  radix: number,
  inverses: Float64Array,
): void {
  const last = digits - 1;
  let at = start;
  for (let k = 0; k < wordCount; k++) {
    let quotient = source[k] as number;
    const middle = quotient + 0.5;
    for (let j = 0; j < last; j++) {
      const next = Math.floor(middle * (inverses[j + 1] as number));
      target[at + j] = base + (quotient - radix * next);
      quotient = next;
    }
    target[at + last] = base + quotient;
    at += last + 1;
  }
}
