// Entropy packing: the upper bits of residuals are symbols, coded by their frequency in fractions of a bit; the lower bits
// are bit fields. Asymmetric numeral systems by table (tANS: Duda, 2013), with the spreading of symbols and the coding
// tables of Collet's Finite State Entropy. Benchmark: bench engine.

import { corrupt } from '../../errors.ts';
import { packedBytes, packLowBits, unpackFields } from '../bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { varintBytes, zigzagBytes } from '../bytes/number-sizes.ts';

/** Number of states of the coder; the frequencies of all symbols add up to it. */
const STATES = 512;
const STATE_BITS = 9;
const MAX_SYMBOLS = 32;
const MAX_LOW_BITS = 24;
/** Visits all states, because it is odd. */
const SPREAD_STEP = (STATES >>> 1) + (STATES >>> 3) + 3;
/** For fewer values the frequencies would cost more than they save. */
const MIN_COUNT = 256;

/** The model of a column: its number of low bits and symbols, and the frequency of each symbol out of `STATES`. */
const model = { lowBits: 0, symbolCount: 0 };
const counts = new Int32Array(MAX_SYMBOLS);
const oddCounts = new Int32Array(MAX_SYMBOLS);
const frequencies = new Int32Array(MAX_SYMBOLS);

const symbolOf = new Uint8Array(STATES);
/** For encoding: the next state by symbol and rank; and for each symbol the number of bits to write and the rank. */
const nextState = new Uint16Array(STATES);
const bitDeltas = new Int32Array(MAX_SYMBOLS);
const rankDeltas = new Int32Array(MAX_SYMBOLS);
/** For decoding, by state: symbol, bits to read (from bit 8 on), state to add them to (from bit 16 on). */
const steps = new Int32Array(STATES);

/** Output of `encodeBackwards`, filled from its end; a value takes at most 9 bits, plus one spare word. */
const coded = new Int32Array((MAX_BLOCK_POINTS * STATE_BITS) / 32 + 2);
/** Start of the coded words; the pending bits before them, and their number; the initial state of a reader. */
const backwards = { wordsAt: 0, pending: 0, pendingBits: 0, state: 0 };

/**
 * Bytes that `packEntropy` takes for `values[0, count)` of 0 to `largest`, apart from rounding; Infinity when it cannot be
 * used. `base` is added to all values.
 */
export function entropyBytes(values: Int32Array, count: number, largest: number, base: number): number {
  if (count < MIN_COUNT || !makeModel(values, count, largest)) return Infinity;
  let bits = 0;
  let headBytes = zigzagBytes(base) + 2 + 2 + varintBytes(count);
  for (let symbol = 0; symbol < model.symbolCount; symbol++) {
    const frequency = frequencies[symbol] as number;
    headBytes += varintBytes(frequency);
    if (frequency > 0) bits += (counts[symbol] as number) * (STATE_BITS - Math.log2(frequency));
  }
  return headBytes + Math.ceil(bits / 8) + packedBytes(count, model.lowBits);
}

/** Counts symbols and scales the counts to frequencies; false when the range of the values is too large. */
function makeModel(values: Int32Array, count: number, largest: number): boolean {
  if (largest >= 2 ** (MAX_LOW_BITS + 5)) return false;
  const lowBits = Math.max(0, 32 - Math.clz32(largest) - 5);
  model.lowBits = lowBits;
  model.symbolCount = (largest >>> lowBits) + 1;
  countSymbols(values, count, lowBits);
  return scaleCounts(count);
}

/** Even and odd indexes are counted apart: neighbours are often equal, and incrementing a count that was just stored stalls. */
function countSymbols(values: Int32Array, count: number, lowBits: number): void {
  const even = counts;
  const odd = oddCounts;
  even.fill(0);
  odd.fill(0);
  const pairsEnd = count - (count & 1);
  for (let i = 0; i < pairsEnd; i += 2) {
    const symbol = (values[i] as number) >> lowBits;
    const next = (values[i + 1] as number) >> lowBits;
    even[symbol] = ((even[symbol] as number) + 1) | 0;
    odd[next] = ((odd[next] as number) + 1) | 0;
  }
  if (pairsEnd < count) {
    const symbol = (values[pairsEnd] as number) >> lowBits;
    even[symbol] = (even[symbol] as number) + 1;
  }
  for (let symbol = 0; symbol < MAX_SYMBOLS; symbol++)
    even[symbol] = (even[symbol] as number) + (odd[symbol] as number);
}

/**
 * Every symbol that occurs has a frequency of at least 1; the rounding error is added to or taken from the most frequent
 * one. Returns false when that is not frequent enough.
 */
function scaleCounts(count: number): boolean {
  let left = STATES;
  let most = 0;
  for (let symbol = 0; symbol < model.symbolCount; symbol++) {
    const occurs = counts[symbol] as number;
    const frequency = occurs === 0 ? 0 : Math.max(1, Math.round((occurs * STATES) / count));
    frequencies[symbol] = frequency;
    left -= frequency;
    if (frequency > (frequencies[most] as number)) most = symbol;
  }
  frequencies[most] = (frequencies[most] as number) + left;
  return (frequencies[most] as number) > 0;
}

/** Appends `values[0, count)`; the last call of `entropyBytes` must have been for these values, with a finite result. */
export function packEntropy(out: ByteWriter, values: Int32Array, count: number, base: number): void {
  const { lowBits, symbolCount } = model;
  out.zigzag(base);
  out.u8(lowBits);
  out.u8(symbolCount);
  for (let symbol = 0; symbol < symbolCount; symbol++) out.varint(frequencies[symbol] as number);
  spreadSymbols(symbolCount);
  prepareEncoding(symbolCount);
  encodeBackwards(values, count, lowBits);
  out.u8(backwards.state & 0xff);
  out.u8(backwards.state >>> 8);
  writeCoded(out);
  if (lowBits > 0) packLowBits(out, values, count, lowBits);
}

function spreadSymbols(symbolCount: number): void {
  let slot = 0;
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (let i = frequencies[symbol] as number; i > 0; i--) {
      symbolOf[slot] = symbol;
      slot = (slot + SPREAD_STEP) & (STATES - 1);
    }
  }
}

function prepareEncoding(symbolCount: number): void {
  const ranks = new Int32Array(symbolCount);
  let total = 0;
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    const frequency = frequencies[symbol] as number;
    ranks[symbol] = total;
    if (frequency > 0) {
      const mostBits = frequency === 1 ? STATE_BITS : STATE_BITS - (31 - Math.clz32(frequency - 1));
      bitDeltas[symbol] = (mostBits << 16) - (frequency << mostBits);
      rankDeltas[symbol] = total - frequency;
    }
    total += frequency;
  }
  for (let state = 0; state < STATES; state++) {
    const symbol = symbolOf[state] as number;
    nextState[ranks[symbol] as number] = STATES + state;
    ranks[symbol] = (ranks[symbol] as number) + 1;
  }
}

/** Encodes from the last value to the first, so that a reader goes forward; the bits of a value are below those of the next. */
function encodeBackwards(values: Int32Array, count: number, lowBits: number): void {
  const words = coded;
  const next = nextState;
  const deltas = bitDeltas;
  const ranks = rankDeltas;
  let at = words.length;
  let state = STATES;
  let pending = 0;
  let filled = 0;
  for (let i = count - 1; i >= 0; i--) {
    const symbol = (values[i] as number) >> lowBits;
    const width = (state + (deltas[symbol] as number)) >> 16;
    const bits = state & ((1 << width) - 1);
    state = next[(state >> width) + (ranks[symbol] as number)] as number;
    filled += width;
    if (filled < 32) {
      pending = (pending << width) | bits;
    } else {
      filled -= 32;
      words[--at] = (pending << (width - filled)) | (bits >>> filled);
      pending = bits & ((1 << filled) - 1);
    }
  }
  backwards.wordsAt = at;
  backwards.pending = pending;
  backwards.pendingBits = filled;
  backwards.state = state - STATES;
}

/** Appends the length of the coded bits in bytes, then the bits, low ones first. */
function writeCoded(out: ByteWriter): void {
  const { wordsAt, pendingBits: shift } = backwards;
  const sizeBytes = (shift + 32 * (coded.length - wordsAt) + 7) >>> 3;
  out.varint(sizeBytes);
  out.reserve(sizeBytes + 4);
  const { view } = out;
  let offset = out.length;
  let below = backwards.pending;
  for (let at = wordsAt; at < coded.length; at++, offset += 4) {
    const word = coded[at] as number;
    view.setInt32(offset, shift === 0 ? word : below | (word << shift), true);
    below = word >>> (32 - shift);
  }
  if (shift > 0) view.setInt32(offset, below, true);
  out.length += sizeBytes;
}

/** Reads what `packEntropy` wrote into `target[start, end)`. Throws CORRUPT. */
export function unpackEntropy(reader: ByteReader, target: Float64Array, start: number, end: number): void {
  const min = reader.zigzag();
  const lowBits = reader.u8();
  if (lowBits > MAX_LOW_BITS)
    throw corrupt(`got ${lowBits} low bits; want at most ${MAX_LOW_BITS}`, { offset: reader.offset });
  readFrequencies(reader);
  prepareDecoding();
  const state = reader.u8() + 256 * reader.u8();
  if (state >= STATES) throw corrupt(`got state ${state}; want less than ${STATES}`, { offset: reader.offset });
  const sizeBytes = reader.varint();
  const from = reader.take(sizeBytes);
  if (lowBits > 0) unpackFields(reader, target, start, end, min, lowBits);
  else target.fill(min, start, end);
  const behind = addSymbols(reader.bytes, from, state, target, start, end, 2 ** lowBits);
  if (behind !== from + sizeBytes) throw corrupt('coded values do not end where they should', { offset: from });
}

function readFrequencies(reader: ByteReader): void {
  const symbolCount = reader.u8();
  let total = 0;
  for (let symbol = 0; symbol < symbolCount && symbolCount <= MAX_SYMBOLS; symbol++) {
    const frequency = reader.varint();
    frequencies[symbol] = frequency;
    total += frequency;
  }
  if (total !== STATES)
    throw corrupt(`got ${symbolCount} symbols of frequency ${total}; want up to ${MAX_SYMBOLS} of ${STATES}`, {
      offset: reader.offset,
    });
  spreadSymbols(symbolCount);
}

function prepareDecoding(): void {
  for (let state = 0; state < STATES; state++) {
    const symbol = symbolOf[state] as number;
    const rank = frequencies[symbol] as number;
    frequencies[symbol] = rank + 1;
    const width = STATE_BITS - (31 - Math.clz32(rank));
    steps[state] = symbol | (width << 8) | (((rank << width) - STATES) << 16);
  }
}

/** Adds `symbol x scale` to each of `target[start, end)`; returns the offset after the bytes of the symbols. */
function addSymbols(
  bytes: Uint8Array,
  from: number,
  first: number,
  target: Float64Array,
  start: number,
  end: number,
  scale: number,
): number {
  const table = steps;
  let state = first;
  let at = from;
  let gathered = 0;
  let width = 0;
  for (let i = start; i < end; i++) {
    const step = table[state] as number;
    target[i] = (target[i] as number) + (step & 0xff) * scale;
    const wanted = (step >>> 8) & 0xff;
    while (width < wanted) {
      gathered |= (bytes[at++] as number) << width;
      width += 8;
    }
    state = (step >>> 16) + (gathered & ((1 << wanted) - 1));
    gathered >>>= wanted;
    width -= wanted;
  }
  return at;
}
