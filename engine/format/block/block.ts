// Blocks: up to 8,192 points of one tag and one value type as columns behind a header. Bytes only; no I/O.
// Payload: times, then ticks, nulls and qualities where the header's flags say so, then values unless all are null.

import { corrupt, EngineError } from '../../errors.ts';
import { TextList } from '../../text-list.ts';
import { GOOD_QUALITY, type PointColumns, ValueType } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import { READ_AHEAD_BYTES } from '../bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import { ByteReader, type ByteWriter } from '../bytes/byte-cursors.ts';
import { crc32Between } from '../bytes/crc.ts';
import { decodeBigints, encodeBigints } from '../columns/bigint-column.ts';
import { decodeDoubles, decodeSingles, encodeDoubles, encodeSingles } from '../columns/number-column.ts';
import { examinePoints, type PointFlags } from '../columns/point-flags.ts';
import { decodeTexts, encodeTexts } from '../columns/text-column.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';
import {
  BLOCK_HEADER_MAX_BYTES,
  BLOCK_HEADER_MIN_BYTES,
  BLOCK_MAGIC,
  BLOCK_VERSION,
  BlockFlag,
  type BlockHeader,
  encodeBlockHeader,
} from './block-header.ts';
import type { BlockEntry } from './block-index.ts';
import { type BlockStatistics, computeStatistics, hasStatistics } from './block-statistics.ts';
import { type PointOrder, timeBounds } from './time-bounds.ts';

export { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
export { type BlockHeader, decodeBlockHeader } from './block-header.ts';

export interface BlockOptions {
  /** Below 2^32. */
  readonly tagId: number;
  readonly type: ValueType;
  readonly firstOrdinal: number;
  /** Ordinals covered; the count of points when absent. */
  readonly ordinalCount?: number;
  /** Order of the points; `time` when absent. */
  readonly order?: PointOrder;
  /** `when-long`: from 64 points up. Types without numbers never have any, nor points that are not in time order. */
  readonly statistics: 'always' | 'when-long' | 'never';
}

/** From this many points up, statistics are worth their bytes. */
const LONG_BLOCK_POINTS = 64;

/** Up to this many points a loop is faster than a view and a native copy. */
const FEW_POINTS = 24;

/** One column at a time, as doubles, as 32-bit halves and as 64-bit patterns. */
const values = new Float64Array(MAX_BLOCK_POINTS);
const words = new Uint32Array(values.buffer);
const patterns = new BigInt64Array(values.buffer);

/**
 * Appends one block to `out`: points[start, end) are one tag's, in the order of the options, of one type, 1 to 8,192 of them.
 * Throws BUG on other counts.
 */
export function encodeBlock(
  out: ByteWriter,
  points: PointColumns,
  start: number,
  end: number,
  options: BlockOptions,
): void {
  const pointCount = end - start;
  if (!(pointCount >= 1 && pointCount <= MAX_BLOCK_POINTS)) {
    throw new EngineError('BUG', `BUG: got a block of ${pointCount} points; want 1 to ${MAX_BLOCK_POINTS}`);
  }
  const pointFlags = examinePoints(points, start, end);
  const statistics = wantsStatistics(options, pointCount)
    ? computeStatistics(points, start, end, options.type, pointFlags)
    : undefined;
  const headerBytes = statistics === undefined ? BLOCK_HEADER_MIN_BYTES : BLOCK_HEADER_MAX_BYTES;
  const headerAt = out.length;
  out.reserve(headerBytes);
  out.length += headerBytes;
  encodePayload(out, points, start, end, options.type, pointFlags);
  writeHeader(out, headerAt, headerBytes, points, start, end, options, pointFlags, statistics);
}

/** The index entry of a block that was just encoded with these arguments, `sizeBytes` long and at `offset` of its file. */
export function entryOfBlock(
  points: PointColumns,
  start: number,
  end: number,
  { tagId, firstOrdinal, ordinalCount = end - start, order = 'time' }: BlockOptions,
  offset: number,
  sizeBytes: number,
): BlockEntry {
  return {
    tagId,
    offset,
    sizeBytes,
    firstOrdinal,
    ordinalCount,
    pointCount: end - start,
    ...timeBounds(points, start, end, order),
  };
}

/** The order of a block's points. */
export function orderOf({ flags }: BlockHeader): PointOrder {
  return (flags & BlockFlag.Unordered) === 0 ? 'time' : 'arrival';
}

/** Whether a block of `pointCount` points has statistics. */
export function wantsStatistics(options: BlockOptions, pointCount: number): boolean {
  if (options.statistics === 'never' || options.order === 'arrival' || !hasStatistics(options.type)) return false;
  return options.statistics === 'always' || pointCount >= LONG_BLOCK_POINTS;
}

function flagsOf(points: PointColumns, start: number, end: number, pointFlags: PointFlags): number {
  let flags = pointFlags.ticksVary ? BlockFlag.Ticks : 0;
  if (pointFlags.qualitiesVary) flags |= BlockFlag.Qualities;
  if (pointFlags.nullCount > 0 && pointFlags.nullCount < end - start) flags |= BlockFlag.Nulls;
  if (points.nulls[end - 1] !== 0) flags |= BlockFlag.LastNull;
  if (points.nulls[start] === 0 && (points.qualities[start] as number) >= GOOD_QUALITY) flags |= BlockFlag.FirstGood;
  return flags;
}

function encodePayload(
  out: ByteWriter,
  points: PointColumns,
  start: number,
  end: number,
  type: ValueType,
  pointFlags: PointFlags,
): void {
  encodeIntegers(out, points.timesMs, start, end);
  if (pointFlags.ticksVary) encodeCopied(out, points.ticks, start, end);
  if (pointFlags.nullCount > 0 && pointFlags.nullCount < end - start) encodeCopied(out, points.nulls, start, end);
  if (pointFlags.qualitiesVary) encodeCopied(out, points.qualities, start, end);
  if (pointFlags.nullCount === end - start) return;
  copyPatterns(points, start, end);
  if (pointFlags.nullCount > 0) coverNulls(points.nulls, start, end);
  encodeValues(out, end - start, type, points.texts);
}

function encodeCopied(
  out: ByteWriter,
  column: Uint16Array | Uint8Array | Int32Array,
  start: number,
  end: number,
): void {
  if (end - start > FEW_POINTS) values.set(column.subarray(start, end));
  else for (let i = start; i < end; i++) values[i - start] = column[i] as number;
  encodeIntegers(out, values, 0, end - start);
}

/** Fills `patterns` with the values, bit for bit: a copy as doubles may alter NaN patterns. */
function copyPatterns({ bigints }: PointColumns, start: number, end: number): void {
  if (end - start > FEW_POINTS) patterns.set(bigints.subarray(start, end));
  else for (let i = start; i < end; i++) patterns[i - start] = bigints[i] as bigint;
}

/** Replaces the payload of nulls by the previous value, or the first one: repeated values take fewer bytes than 0. */
function coverNulls(nulls: Uint8Array, start: number, end: number): void {
  let from = start;
  while (nulls[from] !== 0) from++;
  let low = words[2 * (from - start)] as number;
  let high = words[2 * (from - start) + 1] as number;
  for (let i = start; i < end; i++) {
    const at = 2 * (i - start);
    if (nulls[i] !== 0) {
      words[at] = low;
      words[at + 1] = high;
    } else {
      low = words[at] as number;
      high = words[at + 1] as number;
    }
  }
}

function encodeValues(out: ByteWriter, count: number, type: ValueType, texts: TextList): void {
  const payload = payloadOf(type);
  if (payload === 'bigint') return encodeBigints(out, words, count);
  if (payload === 'text') return encodeTexts(out, values, count, texts);
  if (type === ValueType.Double) return encodeDoubles(out, values, words, count);
  if (type === ValueType.Single) return encodeSingles(out, values, words, count);
  encodeIntegers(out, values, 0, count);
}

function writeHeader(
  out: ByteWriter,
  headerAt: number,
  headerBytes: number,
  points: PointColumns,
  start: number,
  end: number,
  options: BlockOptions,
  pointFlags: PointFlags,
  statistics: BlockStatistics | undefined,
): void {
  const last = end - 1;
  const { order = 'time' } = options;
  const payloadAt = headerAt + headerBytes;
  const lastIsBits = points.nulls[last] === 0 && payloadOf(options.type) !== 'text';
  const header = {
    magic: BLOCK_MAGIC,
    version: BLOCK_VERSION,
    flags:
      flagsOf(points, start, end, pointFlags) |
      (statistics === undefined ? 0 : BlockFlag.Statistics) |
      (order === 'arrival' ? BlockFlag.Unordered : 0),
    headerBytes,
    type: options.type,
    tagId: options.tagId,
    payloadBytes: out.length - payloadAt,
    firstOrdinal: options.firstOrdinal,
    ordinalCount: options.ordinalCount ?? end - start,
    pointCount: end - start,
    nullCount: pointFlags.nullCount,
    ...timeBounds(points, start, end, order),
    lastQuality: points.qualities[last] as number,
    lastBits: lastIsBits ? (points.bigints[last] as bigint) : 0n,
    worstQuality: points.qualities[start + pointFlags.worstIndex] as number,
    worstIndex: pointFlags.worstIndex,
    goodCount: pointFlags.goodCount,
    payloadCrc: crc32Between(out.bytes, payloadAt, out.length),
    headerCrc: 0,
  };
  encodeBlockHeader(out.bytes, out.view, headerAt, header, statistics);
}

/** Whether the payload of the block at `offset` is complete and has the CRC of the header. */
export function verifyBlockPayload(bytes: Uint8Array, offset: number, header: BlockHeader): boolean {
  const start = offset + header.headerBytes;
  const end = start + header.payloadBytes;
  return offset >= 0 && end <= bytes.length && crc32Between(bytes, start, end) === header.payloadCrc;
}

/**
 * Verifies the payload CRC of the block at `offset` and decodes its columns into `target` from index 0 on.
 * `target` grows as needed; its count and texts are replaced. Throws CORRUPT; `target` is then empty.
 */
export function decodeBlock(bytes: Uint8Array, offset: number, header: BlockHeader, target: PointColumns): void {
  target.clear();
  if (!verifyBlockPayload(bytes, offset, header)) {
    throw corrupt(`the payload of ${header.payloadBytes} bytes is cut off or has another CRC`, { offset });
  }
  decodeVerifiedBlock(bytes, offset, header, target);
}

/** Decodes as `decodeBlock` does a block whose payload has passed `verifyBlockPayload`. */
export function decodeVerifiedBlock(
  bytes: Uint8Array,
  offset: number,
  header: BlockHeader,
  target: PointColumns,
): void {
  target.clear();
  const count = header.pointCount;
  target.reserve(count);
  const reader = payloadReader(bytes, offset + header.headerBytes, header.payloadBytes);
  try {
    decodeTimes(reader, header, target);
    decodePointFlags(reader, header, target);
    decodeValues(reader, header, target);
    if (reader.remaining !== 0) throw corrupt(`got ${reader.remaining} bytes behind the last column`, { offset });
  } catch (error) {
    target.texts = new TextList();
    throw error;
  }
  target.count = count;
}

const padded = new Uint8Array(64 * 1024);

/** A reader of the payload with readable bytes after it for reading ahead; copies only if the bytes end too soon. */
function payloadReader(bytes: Uint8Array, start: number, length: number): ByteReader {
  if (start + length + READ_AHEAD_BYTES <= bytes.length) return new ByteReader(bytes, start, start + length);
  const copy = length + READ_AHEAD_BYTES <= padded.length ? padded : new Uint8Array(length + READ_AHEAD_BYTES);
  copy.set(bytes.subarray(start, start + length));
  return new ByteReader(copy, 0, length);
}

function decodeTimes(reader: ByteReader, header: BlockHeader, target: PointColumns): void {
  const count = header.pointCount;
  decodeIntegers(reader, target.timesMs, 0, count);
  const { firstMs, lastMs } = timeBounds(target, 0, count, orderOf(header));
  if (firstMs !== header.firstMs || lastMs !== header.lastMs) {
    throw corrupt('the times do not begin and end as the header says', { offset: reader.offset });
  }
}

function decodePointFlags(reader: ByteReader, header: BlockHeader, target: PointColumns): void {
  const { flags, pointCount } = header;
  if ((flags & BlockFlag.Ticks) === 0) target.ticks.fill(header.firstTicks, 0, pointCount);
  else decodeCopied(reader, target.ticks, pointCount);
  if ((flags & BlockFlag.Nulls) === 0) target.nulls.fill(header.nullCount > 0 ? 1 : 0, 0, pointCount);
  else decodeCopied(reader, target.nulls, pointCount);
  if ((flags & BlockFlag.Qualities) === 0) target.qualities.fill(header.lastQuality, 0, pointCount);
  else decodeCopied(reader, target.qualities, pointCount);
}

function decodeCopied(reader: ByteReader, column: Uint16Array | Uint8Array | Int32Array, count: number): void {
  decodeIntegers(reader, values, 0, count);
  column.set(values.subarray(0, count));
}

function decodeValues(reader: ByteReader, header: BlockHeader, target: PointColumns): void {
  const count = header.pointCount;
  if (header.nullCount === count) {
    target.bigints.fill(0n, 0, count);
    return;
  }
  decodePayload(reader, header.type, count, target.texts);
  if (header.nullCount > 0) clearNulls(target.nulls, count);
  target.bigints.set(patterns.subarray(0, count)); // bit for bit: a copy as doubles may alter NaN patterns
}

function clearNulls(nulls: Uint8Array, count: number): void {
  for (let i = 0; i < count; i++) if (nulls[i] !== 0) values[i] = 0;
}

function decodePayload(reader: ByteReader, type: ValueType, count: number, texts: TextList): void {
  const payload = payloadOf(type);
  if (payload === 'bigint') return decodeBigints(reader, words, count);
  if (payload === 'text') return decodeTexts(reader, values, count, texts);
  if (type === ValueType.Double) return decodeDoubles(reader, values, words, count);
  if (type === ValueType.Single) return decodeSingles(reader, values, words, count);
  decodeIntegers(reader, values, 0, count);
}
