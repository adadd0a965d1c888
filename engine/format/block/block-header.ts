// The header of a block: everything that the time index, range reads and aggregates need without decoding the payload.

import { corrupt } from '../../errors.ts';
import { GOOD_QUALITY, MAX_TIME_MS, MIN_TIME_MS, TICKS_PER_MS, ValueType } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import { crc32Between } from '../bytes/crc.ts';
import { defineLayout, type LayoutValues } from '../bytes/layout.ts';
import { BLOCK_STATISTICS_LAYOUT, type BlockStatistics, encodeStatistics, hasStatistics } from './block-statistics.ts';

const BLOCK_HEADER_TABLE = {
  magic: 'u32',
  version: 'u8',
  flags: 'u8',
  headerBytes: 'u8',
  type: 'u8',
  tagId: 'u32',
  payloadBytes: 'u32',
  firstOrdinal: 'f64',
  ordinalCount: 'u32',
  pointCount: 'u16',
  nullCount: 'u16',
  firstMs: 'f64',
  lastMs: 'f64',
  firstTicks: 'u16',
  lastTicks: 'u16',
  lastQuality: 'i32',
  lastBits: 'i64',
  worstQuality: 'i32',
  worstIndex: 'u16',
  goodCount: 'u16',
  payloadCrc: 'u32',
  headerCrc: 'u32',
} as const;

/** The base header; statistics follow it when its flags say so. */
export const BLOCK_HEADER_LAYOUT = defineLayout('block-header', BLOCK_HEADER_TABLE);

export const BLOCK_HEADER_MIN_BYTES: number = BLOCK_HEADER_LAYOUT.sizeBytes;
export const BLOCK_HEADER_MAX_BYTES: number = BLOCK_HEADER_MIN_BYTES + BLOCK_STATISTICS_LAYOUT.sizeBytes;

/** `VBLK` as bytes. */
export const BLOCK_MAGIC = 0x4b4c_4256;
export const BLOCK_VERSION = 1;

/** Bits of `flags`. */
export const BlockFlag = {
  Statistics: 1,
  LastNull: 2,
  /** A ticks column is stored; else all ticks equal the first point's. */
  Ticks: 4,
  /** A nulls column is stored; else no point is null, or (null count = point count) all are. */
  Nulls: 8,
  /** A qualities column is stored; else all qualities equal the last point's. */
  Qualities: 16,
  /** The first point is good and not null: `firstNumber` of the statistics is valid. */
  FirstGood: 32,
  /** The points are late ones, as they came: first and last time are the earliest and the latest. */
  Unordered: 64,
} as const;
const KNOWN_FLAGS = 127;

/** Bytes of the largest text a payload may hold for one point, with its length: 64 Ki characters of 3 bytes. */
const MAX_TEXT_BYTES = 3 * 65_536 + 16;
/** Bytes that any other point may take in a payload: five columns of at most 9 bytes, rounded up. */
const MAX_POINT_BYTES = 64;
/** Bytes of a payload that do not depend on the count of points. */
const MAX_OVERHEAD_BYTES = 256;

export interface BlockHeader {
  readonly tagId: number;
  readonly type: ValueType;
  readonly flags: number;
  /** Bytes of base header and statistics. */
  readonly headerBytes: number;
  readonly payloadBytes: number;
  readonly firstOrdinal: number;
  /** Ordinals covered; at least the count of points. */
  readonly ordinalCount: number;
  readonly pointCount: number;
  readonly firstMs: number;
  readonly firstTicks: number;
  readonly lastMs: number;
  readonly lastTicks: number;
  readonly lastNull: boolean;
  /** The last value by its type's payload; 0 for the other payloads, for texts and for null. */
  readonly lastNumber: number;
  readonly lastBigint: bigint;
  readonly lastQuality: number;
  readonly nullCount: number;
  /** Points of quality 192 and up, null or not, and all others. */
  readonly goodCount: number;
  readonly notGoodCount: number;
  /** The lowest quality, and the index of its first occurrence. */
  readonly worstQuality: number;
  readonly worstIndex: number;
  readonly statistics: BlockStatistics | undefined;
  readonly payloadCrc: number;
}

type BlockHeaderValues = LayoutValues<typeof BLOCK_HEADER_TABLE>;

/** Writes base header, statistics and header CRC at `offset`; `values.headerCrc` is ignored. */
export function encodeBlockHeader(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  values: BlockHeaderValues,
  statistics: BlockStatistics | undefined,
): void {
  BLOCK_HEADER_LAYOUT.encode(view, offset, values);
  if (statistics !== undefined) encodeStatistics(view, offset + BLOCK_HEADER_MIN_BYTES, statistics);
  view.setUint32(offset + BLOCK_HEADER_MIN_BYTES - 4, headerCrc(bytes, offset, values.headerBytes), true);
}

/** The CRC over the whole header without the CRC itself, which is the last field of the base header. */
function headerCrc(bytes: Uint8Array, offset: number, headerBytes: number): number {
  const base = crc32Between(bytes, offset, offset + BLOCK_HEADER_MIN_BYTES - 4);
  if (headerBytes === BLOCK_HEADER_MIN_BYTES) return base;
  return crc32Between(bytes, offset + BLOCK_HEADER_MIN_BYTES, offset + headerBytes, base);
}

const bitsView = new DataView(new ArrayBuffer(8));

/**
 * Decodes and verifies the header at `offset`: CRC, magic, version, and that every count is possible.
 * The payload need not be in `bytes`. Throws CORRUPT, also when bytes are too few.
 */
export function decodeBlockHeader(bytes: Uint8Array, offset: number): BlockHeader {
  const available = bytes.length - offset;
  if (!(offset >= 0 && available >= BLOCK_HEADER_MIN_BYTES)) {
    throw corrupt(`got ${available} bytes of a block header; want ${BLOCK_HEADER_MIN_BYTES}`, { offset });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, available);
  const values = BLOCK_HEADER_LAYOUT.decode(view, 0);
  verifyFrame(bytes, offset, values);
  verifyCounts(values, offset);
  return headerOf(view, values, offset);
}

function verifyFrame(bytes: Uint8Array, offset: number, values: BlockHeaderValues): void {
  const { magic, version, flags, headerBytes } = values;
  if (magic !== BLOCK_MAGIC)
    throw corrupt(`got magic ${magic.toString(16)}; want ${BLOCK_MAGIC.toString(16)}`, { offset });
  if (version !== BLOCK_VERSION) throw corrupt(`got block version ${version}; want ${BLOCK_VERSION}`, { offset });
  const wanted = (flags & BlockFlag.Statistics) !== 0 ? BLOCK_HEADER_MAX_BYTES : BLOCK_HEADER_MIN_BYTES;
  if (headerBytes !== wanted) throw corrupt(`got a header of ${headerBytes} bytes; want ${wanted}`, { offset });
  if (bytes.length - offset < headerBytes)
    throw corrupt(`got ${bytes.length - offset} bytes of a block header; want ${headerBytes}`, { offset });
  const crc = headerCrc(bytes, offset, headerBytes);
  if (crc !== values.headerCrc) throw corrupt(`got header CRC ${values.headerCrc}; want ${crc}`, { offset });
}

function verifyCounts(values: BlockHeaderValues, offset: number): void {
  const { flags, type, pointCount, nullCount, goodCount } = values;
  requireField((flags & ~KNOWN_FLAGS) === 0, 'flags', flags, offset);
  requireField(type <= ValueType.DateTime, 'type', type, offset);
  requireField(pointCount >= 1 && pointCount <= MAX_BLOCK_POINTS, 'pointCount', pointCount, offset);
  requireField(
    values.payloadBytes <= maxPayloadBytes(type as ValueType, pointCount),
    'payloadBytes',
    values.payloadBytes,
    offset,
  );
  requireField(nullCount <= pointCount, 'nullCount', nullCount, offset);
  requireField(goodCount <= pointCount, 'goodCount', goodCount, offset);
  requireField(values.worstIndex < pointCount, 'worstIndex', values.worstIndex, offset);
  requireField(values.worstQuality <= values.lastQuality, 'worstQuality', values.worstQuality, offset);
  requireField(values.worstQuality >= GOOD_QUALITY === (goodCount === pointCount), 'goodCount', goodCount, offset);
  requireField((flags & BlockFlag.LastNull) === 0 || nullCount > 0, 'nullCount', nullCount, offset);
  verifyOrdinals(values, offset);
  verifyTimes(values, offset);
}

function verifyOrdinals(values: BlockHeaderValues, offset: number): void {
  const { firstOrdinal, ordinalCount } = values;
  requireField(Number.isSafeInteger(firstOrdinal) && firstOrdinal >= 0, 'firstOrdinal', firstOrdinal, offset);
  requireField(ordinalCount >= values.pointCount, 'ordinalCount', ordinalCount, offset);
  requireField(firstOrdinal + ordinalCount <= Number.MAX_SAFE_INTEGER, 'ordinalCount', ordinalCount, offset);
}

function verifyTimes(values: BlockHeaderValues, offset: number): void {
  const { firstMs, firstTicks, lastMs, lastTicks } = values;
  requireField(Number.isInteger(firstMs) && firstMs >= MIN_TIME_MS, 'firstMs', firstMs, offset);
  requireField(Number.isInteger(lastMs) && lastMs <= MAX_TIME_MS, 'lastMs', lastMs, offset);
  requireField(firstTicks < TICKS_PER_MS, 'firstTicks', firstTicks, offset);
  requireField(lastTicks < TICKS_PER_MS, 'lastTicks', lastTicks, offset);
  requireField(firstMs < lastMs || (firstMs === lastMs && firstTicks <= lastTicks), 'lastMs', lastMs, offset);
}

function requireField(isPossible: boolean, field: string, value: number, offset: number): void {
  if (!isPossible) throw corrupt(`got ${field} ${value}, which no block has`, { offset });
}

/** An upper bound of the payload of this many points of that type. */
function maxPayloadBytes(type: ValueType, pointCount: number): number {
  const pointBytes = payloadOf(type) === 'text' ? MAX_TEXT_BYTES + MAX_POINT_BYTES : MAX_POINT_BYTES;
  return MAX_OVERHEAD_BYTES + pointCount * pointBytes;
}

function headerOf(view: DataView, values: BlockHeaderValues, offset: number): BlockHeader {
  const type = values.type as ValueType;
  const payload = payloadOf(type);
  bitsView.setBigInt64(0, values.lastBits);
  return {
    tagId: values.tagId,
    type,
    flags: values.flags,
    headerBytes: values.headerBytes,
    payloadBytes: values.payloadBytes,
    firstOrdinal: values.firstOrdinal,
    ordinalCount: values.ordinalCount,
    pointCount: values.pointCount,
    firstMs: values.firstMs,
    firstTicks: values.firstTicks,
    lastMs: values.lastMs,
    lastTicks: values.lastTicks,
    lastNull: (values.flags & BlockFlag.LastNull) !== 0,
    lastNumber: payload === 'number' ? bitsView.getFloat64(0) : 0,
    lastBigint: payload === 'bigint' ? values.lastBits : 0n,
    lastQuality: values.lastQuality,
    nullCount: values.nullCount,
    goodCount: values.goodCount,
    notGoodCount: values.pointCount - values.goodCount,
    worstQuality: values.worstQuality,
    worstIndex: values.worstIndex,
    statistics: (values.flags & BlockFlag.Statistics) !== 0 ? statisticsOf(view, values, offset) : undefined,
    payloadCrc: values.payloadCrc,
  };
}

function statisticsOf(view: DataView, header: BlockHeaderValues, offset: number): BlockStatistics {
  const values = BLOCK_STATISTICS_LAYOUT.decode(view, BLOCK_HEADER_MIN_BYTES);
  const mostGood = Math.min(header.goodCount, header.pointCount - header.nullCount);
  requireField(hasStatistics(header.type as ValueType), 'type', header.type, offset);
  requireField(values.goodNumberCount <= mostGood, 'goodNumberCount', values.goodNumberCount, offset);
  requireField(values.minIndex < header.pointCount, 'minIndex', values.minIndex, offset);
  requireField(values.maxIndex < header.pointCount, 'maxIndex', values.maxIndex, offset);
  return { ...values, firstNumber: (header.flags & BlockFlag.FirstGood) !== 0 ? values.firstNumber : undefined };
}
