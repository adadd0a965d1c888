// Blocks of plain points: good numbers at whole ms, whole numbers from the parser on. The bytes are those of block.ts, which
// also decodes them; nothing is examined here, because all points are good, not null and without ticks.

import { EngineError } from '../../errors.ts';
import { GOOD_QUALITY, ValueType } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { crc32Between } from '../bytes/crc.ts';
import { NumberForm } from '../columns/number-column.ts';
import { encodeIntegers } from '../integers/integer-column.ts';
import { type BlockOptions, MAX_BLOCK_POINTS, wantsStatistics } from './block.ts';
import {
  BLOCK_HEADER_MAX_BYTES,
  BLOCK_HEADER_MIN_BYTES,
  BLOCK_MAGIC,
  BLOCK_VERSION,
  BlockFlag,
  encodeBlockHeader,
} from './block-header.ts';
import type { BlockEntry } from './block-index.ts';
import type { BlockStatistics } from './block-statistics.ts';

/** Good numbers of one tag at whole ms, none of them -0. */
export class PlainPoints {
  count = 0;
  /** Base of `offsets`; ms since 1970. */
  baseMs = 0;
  /** Decimals of the mantissas, 0 to 9: also of integer types, whose runs a record may hold with more than they need. */
  decimals = 0;
  /** Ms since `baseMs`. */
  offsets: Int32Array;
  /** Values times 10^decimals. */
  mantissas: Int32Array;

  constructor(capacity: number) {
    this.offsets = new Int32Array(capacity);
    this.mantissas = new Int32Array(capacity);
  }

  /** Grows the columns to `capacity` points, keeping their contents. The arrays are replaced: fetch them again afterwards. */
  reserve(capacity: number): void {
    if (capacity <= this.offsets.length) return;
    const room = Math.max(capacity, this.offsets.length * 2);
    const { offsets, mantissas } = this;
    this.offsets = new Int32Array(room);
    this.offsets.set(offsets);
    this.mantissas = new Int32Array(room);
    this.mantissas.set(mantissas);
  }
}

/**
 * Encoding choices of a tag's last plain block, as a hint for the next one: two small numbers, 0 for none. A hint only saves
 * time: the block is correct with any value.
 */
export interface BlockMemory {
  times: number;
  values: number;
}

export interface PlainBlockOptions extends BlockOptions {
  /** Read, and replaced by the choices of this block. */
  readonly memory?: BlockMemory;
}

/** Whether plain points of a type can be a block: types whose numbers are stored without conversion. */
export function isPlainType(type: ValueType): boolean {
  return type !== ValueType.Open && type !== ValueType.Single && payloadOf(type) === 'number';
}

/**
 * Appends the block that `encodeBlock` would make of the same points, except for the choice of predictors and packers, in
 * about half the time (bench/engine/codecs.ts): points[start, end) in time order, 1 to 8,192 of them, of Double or an
 * integer type with the payload `number`. Throws BUG on other counts.
 */
export function encodePlainBlock(
  out: ByteWriter,
  points: PlainPoints,
  start: number,
  end: number,
  options: PlainBlockOptions,
): void {
  const pointCount = end - start;
  if (!(pointCount >= 1 && pointCount <= MAX_BLOCK_POINTS)) {
    throw new EngineError('BUG', `BUG: got a block of ${pointCount} points; want 1 to ${MAX_BLOCK_POINTS}`);
  }
  const hasStatistics = wantsStatistics(options, pointCount);
  const statistics = hasStatistics ? summarizePlain(points, start, end) : undefined;
  const headerBytes = hasStatistics ? BLOCK_HEADER_MAX_BYTES : BLOCK_HEADER_MIN_BYTES;
  const headerAt = out.length;
  out.reserve(headerBytes);
  out.length += headerBytes;
  encodePayload(out, points, start, end, options);
  writeHeader(out, headerAt, headerBytes, points, start, end, options, statistics);
}

/** `entryOfBlock` for a block that was just encoded with these arguments. */
export function entryOfPlainBlock(
  { baseMs, offsets }: PlainPoints,
  start: number,
  end: number,
  { tagId, firstOrdinal, ordinalCount = end - start }: BlockOptions,
  offset: number,
  sizeBytes: number,
): BlockEntry {
  const firstMs = baseMs + (offsets[start] as number);
  const lastMs = baseMs + (offsets[end - 1] as number);
  const pointCount = end - start;
  const times = { firstMs, firstTicks: 0, lastMs, lastTicks: 0 };
  return { tagId, offset, sizeBytes, firstOrdinal, ordinalCount, pointCount, ...times };
}

/** One column at a time. */
const column = new Float64Array(MAX_BLOCK_POINTS);
const none: BlockMemory = { times: 0, values: 0 };

function encodePayload(
  out: ByteWriter,
  { baseMs, decimals, offsets, mantissas }: PlainPoints,
  start: number,
  end: number,
  { type, memory = none }: PlainBlockOptions,
): void {
  for (let i = start; i < end; i++) column[i - start] = baseMs + (offsets[i] as number);
  const times = encodeIntegers(out, column, 0, end - start, memory.times);
  let zeros = decimals;
  if (type === ValueType.Double) {
    zeros = trailingZeros(mantissas, start, end, decimals);
    out.u8(NumberForm.Decimals);
    out.u8(decimals - zeros);
  }
  for (let i = start; i < end; i++) column[i - start] = mantissas[i] as number;
  if (zeros > 0) shorten(end - start, 10 ** zeros);
  const values = encodeIntegers(out, column, 0, end - start, memory.values);
  if (memory === none) return;
  memory.times = times;
  memory.values = values;
}

function shorten(count: number, power: number): void {
  for (let i = 0; i < count; i++) column[i] = (column[i] as number) / power;
}

/** Number of decimal zeros that all mantissas end with, up to `most`. Mostly decided by the first few. */
function trailingZeros(mantissas: Int32Array, start: number, end: number, most: number): number {
  let zeros = most;
  let power = 10 ** most;
  for (let i = start; i < end && zeros > 0; i++) {
    while ((mantissas[i] as number) % power !== 0) {
      power /= 10;
      zeros--;
    }
  }
  return zeros;
}

/** Equal to `computeStatistics` of these points, bit for bit: doubles are added in the same order. */
function summarizePlain({ offsets, mantissas, decimals }: PlainPoints, start: number, end: number): BlockStatistics {
  const power = 10 ** decimals;
  let least = mantissas[start] as number;
  let most = least;
  let [minIndex, maxIndex] = [start, start];
  let [sum, stepped, slope] = [0, 0, 0];
  const first = least / power;
  let value = first;
  let time = offsets[start] as number;
  for (let i = start; i < end; i++) {
    const mantissa = mantissas[i] as number;
    const next = mantissa / power;
    const nextTime = offsets[i] as number;
    const span = nextTime - time;
    sum += next;
    stepped += value * span;
    slope += (next - value) * span;
    if (mantissa < least) {
      least = mantissa;
      minIndex = i;
    } else if (mantissa > most) {
      most = mantissa;
      maxIndex = i;
    }
    value = next;
    time = nextTime;
  }
  return {
    goodNumberCount: end - start,
    firstNumber: first,
    min: least / power,
    minIndex: minIndex - start,
    max: most / power,
    maxIndex: maxIndex - start,
    sum,
    steppedIntegral: stepped,
    slopedIntegral: stepped + slope / 2,
    goodDurationMs: time - (offsets[start] as number),
  };
}

const lastNumber = new Float64Array(1);
const lastBits = new BigInt64Array(lastNumber.buffer);

function writeHeader(
  out: ByteWriter,
  headerAt: number,
  headerBytes: number,
  points: PlainPoints,
  start: number,
  end: number,
  options: PlainBlockOptions,
  statistics: BlockStatistics | undefined,
): void {
  const pointCount = end - start;
  const payloadAt = headerAt + headerBytes;
  lastNumber[0] = (points.mantissas[end - 1] as number) / 10 ** points.decimals;
  const header = {
    magic: BLOCK_MAGIC,
    version: BLOCK_VERSION,
    flags: BlockFlag.FirstGood | (statistics === undefined ? 0 : BlockFlag.Statistics),
    headerBytes,
    type: options.type,
    tagId: options.tagId,
    payloadBytes: out.length - payloadAt,
    firstOrdinal: options.firstOrdinal,
    ordinalCount: options.ordinalCount ?? pointCount,
    pointCount,
    nullCount: 0,
    firstMs: points.baseMs + (points.offsets[start] as number),
    lastMs: points.baseMs + (points.offsets[end - 1] as number),
    firstTicks: 0,
    lastTicks: 0,
    lastQuality: GOOD_QUALITY,
    lastBits: lastBits[0] as bigint,
    worstQuality: GOOD_QUALITY,
    worstIndex: 0,
    goodCount: pointCount,
    payloadCrc: crc32Between(out.bytes, payloadAt, out.length),
    headerCrc: 0,
  };
  encodeBlockHeader(out.bytes, out.view, headerAt, header, statistics);
}
