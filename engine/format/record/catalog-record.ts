// Records of the catalog: one about the dataset, then the tags in batches.

import { corrupt } from '../../errors.ts';
import type { Instant, TagDefinition, ValueType } from '../../types.ts';
import { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { packBytes, unpackBytes } from '../bytes/packed-bytes.ts';
import { decodeDefinition, decodeType, encodeDefinition } from './definition-codec.ts';

/** Initial size of the buffer for a record of tags, enough for most; it grows as needed. */
const INITIAL_BYTES = 32 * 1024;

/** Kinds of records; the codes never change. */
export const CatalogRecord = {
  Dataset: 1,
  /** Tags as in version 1: without `purgedOrdinal`. */
  FormerTags: 2,
  /** Tags as in versions 2 to 5: without `purgedTime`. */
  UntimedTags: 3,
  /** A record of tags, packed. */
  PackedTags: 4,
  Tags: 5,
} as const;

export interface CatalogMeta {
  readonly nextTagId: number;
  readonly nextSpillNumber: number;
  /** Ms; NaN or -Infinity without points. */
  readonly newestMs: number;
  readonly newestClientMs: number;
  readonly tombstones: readonly number[];
  readonly spills: readonly number[];
  /** The retention cutoff that the tags' oldest times reflect; ms, -Infinity when nothing is purged. */
  readonly oldestCutoffMs: number;
}

/** A tag file in the catalog: all of it was synced when the catalog was written. */
export interface CatalogFile {
  readonly number: number;
  readonly sizeBytes: number;
  readonly sealed: boolean;
  readonly missing: boolean;
  readonly blockCount: number;
  readonly firstOrdinal: number;
  readonly nextOrdinal: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** One of the points stored at a tag's newest time. */
export interface CatalogPoint {
  readonly type: ValueType;
  readonly quality: number;
  readonly value: number | bigint | string | null;
}

export interface CatalogTag {
  readonly id: number;
  readonly definition: TagDefinition;
  readonly nextOrdinal: number;
  readonly flushedOrdinal: number;
  /** Points below were purged by a cutoff that is no longer in force, and stay hidden. */
  readonly purgedOrdinal: number;
  /** The time of the point of that ordinal; undefined when nothing was purged so, or an earlier version has not kept it. */
  readonly purgedTime: Instant | undefined;
  /** NaN without points; ms. */
  readonly oldestMs: number;
  /** All points at the newest time, oldest first; empty without points. */
  readonly newest: readonly CatalogPoint[];
  readonly newestMs: number;
  readonly newestTicks: number;
  readonly deletedRanges: readonly { readonly from: number; readonly to: number }[];
  readonly files: readonly CatalogFile[];
}

export function encodeMeta(out: ByteWriter, meta: CatalogMeta): void {
  out.u8(CatalogRecord.Dataset);
  out.varint(meta.nextTagId);
  out.varint(meta.nextSpillNumber);
  out.f64(meta.newestMs);
  out.f64(meta.newestClientMs);
  encodeNumbers(out, meta.tombstones);
  encodeNumbers(out, meta.spills);
  out.f64(meta.oldestCutoffMs);
}

const unpacked = new ByteWriter(INITIAL_BYTES);

export function encodeTags(out: ByteWriter, tags: readonly CatalogTag[]): void {
  unpacked.clear();
  unpacked.u8(CatalogRecord.Tags);
  unpacked.varint(tags.length);
  for (const tag of tags) encodeTag(unpacked, tag);
  out.u8(CatalogRecord.PackedTags);
  packBytes(out, unpacked.written());
}

/** Whether a record that begins with this byte holds tags. */
export function holdsTags(firstByte: number | undefined): boolean {
  return firstByte === CatalogRecord.PackedTags || TAG_DECODERS.has(firstByte ?? CatalogRecord.Dataset);
}

/** Throws CORRUPT for everything that the functions above do not write. */
export function decodeCatalogRecord(reader: ByteReader): CatalogMeta | CatalogTag[] {
  const kind = reader.u8();
  if (kind === CatalogRecord.Dataset) {
    return {
      nextTagId: reader.varint(),
      nextSpillNumber: reader.varint(),
      newestMs: reader.f64(),
      newestClientMs: reader.f64(),
      tombstones: decodeNumbers(reader),
      spills: decodeNumbers(reader),
      oldestCutoffMs: reader.remaining > 0 ? reader.f64() : Number.NEGATIVE_INFINITY, // not in version 1
    };
  }
  if (kind === CatalogRecord.PackedTags) return decodePackedTags(reader);
  const decode = TAG_DECODERS.get(kind);
  if (decode) return decodeArray(reader, () => decode(reader));
  throw corrupt(`got catalog record ${kind}; want ${CatalogRecord.Dataset} to ${CatalogRecord.Tags}`, {
    offset: reader.offset - 1,
  });
}

function decodePackedTags(reader: ByteReader): CatalogTag[] {
  const inner = new ByteReader(unpackBytes(reader));
  const kind = inner.u8();
  const decode = kind === CatalogRecord.FormerTags ? undefined : TAG_DECODERS.get(kind);
  if (decode) return decodeArray(inner, () => decode(inner));
  const known = `${CatalogRecord.UntimedTags} or ${CatalogRecord.Tags}`;
  throw corrupt(`got packed catalog record ${kind}; want ${known}`, { offset: reader.offset });
}

function encodeTag(out: ByteWriter, tag: CatalogTag): void {
  out.varint(tag.id);
  encodeDefinition(out, tag.definition);
  out.varint(tag.nextOrdinal);
  out.varint(tag.flushedOrdinal);
  out.varint(tag.newest.length);
  if (tag.newest.length > 0) {
    out.zigzag(tag.oldestMs);
    out.zigzag(tag.newestMs);
    out.varint(tag.newestTicks);
    for (const point of tag.newest) encodePoint(out, point);
  }
  out.varint(tag.deletedRanges.length);
  for (const deleted of tag.deletedRanges) {
    out.varint(deleted.from);
    out.varint(deleted.to);
  }
  out.varint(tag.files.length);
  for (const file of tag.files) encodeFile(out, file);
  out.varint(tag.purgedOrdinal);
  encodePurgedTime(out, tag.purgedTime);
}

function encodePurgedTime(out: ByteWriter, time: Instant | undefined): void {
  out.u8(time === undefined ? 0 : 1);
  if (time === undefined) return;
  out.zigzag(time.ms);
  out.varint(time.ticks);
}

function decodePurgedTime(reader: ByteReader): Instant | undefined {
  const flag = reader.u8();
  if (flag > 1) throw corrupt(`got flag ${flag} of a time; want 0 or 1`, { offset: reader.offset - 1 });
  return flag === 0 ? undefined : { ms: reader.zigzag(), ticks: reader.varint() };
}

/** How a tag is read in each kind of record that lists tags. */
const TAG_DECODERS: ReadonlyMap<number, (reader: ByteReader) => CatalogTag> = new Map([
  [CatalogRecord.FormerTags, (reader) => ({ ...decodeTag(reader), purgedOrdinal: 0, purgedTime: undefined })],
  [
    CatalogRecord.UntimedTags,
    (reader) => ({ ...decodeTag(reader), purgedOrdinal: reader.varint(), purgedTime: undefined }),
  ],
  [
    CatalogRecord.Tags,
    (reader) => ({
      ...decodeTag(reader),
      purgedOrdinal: reader.varint(),
      purgedTime: decodePurgedTime(reader),
    }),
  ],
]);

function decodeTag(reader: ByteReader): Omit<CatalogTag, 'purgedOrdinal' | 'purgedTime'> {
  const id = reader.varint();
  const definition = decodeDefinition(reader);
  const nextOrdinal = reader.varint();
  const flushedOrdinal = reader.varint();
  const newestCount = reader.varint();
  const oldestMs = newestCount > 0 ? reader.zigzag() : Number.NaN;
  const newestMs = newestCount > 0 ? reader.zigzag() : Number.NaN;
  const newestTicks = newestCount > 0 ? reader.varint() : 0;
  const newest = repeat(reader, newestCount, () => decodePoint(reader));
  const deletedRanges = decodeArray(reader, () => ({ from: reader.varint(), to: reader.varint() }));
  const files = decodeArray(reader, () => decodeFile(reader));
  return {
    id,
    definition,
    nextOrdinal,
    flushedOrdinal: flushedOrdinal,
    oldestMs,
    newest,
    newestMs,
    newestTicks,
    deletedRanges: deletedRanges,
    files,
  };
}

/** Kinds of values: the payload that follows. */
export const CatalogValue = { Null: 0, Number: 1, Bigint: 2, Text: 3 } as const;

function encodePoint(out: ByteWriter, { type, quality, value }: CatalogPoint): void {
  out.u8(type);
  out.zigzag(quality);
  switch (typeof value) {
    case 'number':
      out.u8(CatalogValue.Number);
      return out.f64(value);
    case 'bigint':
      out.u8(CatalogValue.Bigint);
      return out.i64(value);
    case 'string':
      out.u8(CatalogValue.Text);
      return out.text(value);
    default:
      out.u8(CatalogValue.Null);
  }
}

function decodePoint(reader: ByteReader): CatalogPoint {
  const type = decodeType(reader);
  const quality = reader.zigzag();
  return { type, quality, value: decodeValue(reader) };
}

function decodeValue(reader: ByteReader): CatalogPoint['value'] {
  const kind = reader.u8();
  switch (kind) {
    case CatalogValue.Null:
      return null;
    case CatalogValue.Number:
      return reader.f64();
    case CatalogValue.Bigint:
      return reader.i64();
    case CatalogValue.Text:
      return reader.text();
    default:
      throw corrupt(`got value kind ${kind}; want 0 to ${CatalogValue.Text}`, { offset: reader.offset - 1 });
  }
}

/** What is known of a tag file. */
export const CatalogFileFlag = { Sealed: 1, Missing: 2 } as const;

function encodeFile(out: ByteWriter, file: CatalogFile): void {
  out.u8((file.sealed ? CatalogFileFlag.Sealed : 0) | (file.missing ? CatalogFileFlag.Missing : 0));
  out.varint(file.number);
  out.varint(file.sizeBytes);
  out.varint(file.blockCount);
  out.varint(file.firstOrdinal);
  out.varint(file.nextOrdinal);
  out.zigzag(file.firstMs);
  out.zigzag(file.lastMs);
}

function decodeFile(reader: ByteReader): CatalogFile {
  const flags = reader.u8();
  return {
    sealed: (flags & CatalogFileFlag.Sealed) !== 0,
    missing: (flags & CatalogFileFlag.Missing) !== 0,
    number: reader.varint(),
    sizeBytes: reader.varint(),
    blockCount: reader.varint(),
    firstOrdinal: reader.varint(),
    nextOrdinal: reader.varint(),
    firstMs: reader.zigzag(),
    lastMs: reader.zigzag(),
  };
}

function encodeNumbers(out: ByteWriter, numbers: readonly number[]): void {
  out.varint(numbers.length);
  for (const number of numbers) out.varint(number);
}

function decodeNumbers(reader: ByteReader): number[] {
  return decodeArray(reader, () => reader.varint());
}

function decodeArray<T>(reader: ByteReader, readItem: () => T): T[] {
  return repeat(reader, reader.varint(), readItem);
}

function repeat<T>(reader: ByteReader, count: number, readItem: () => T): T[] {
  if (count > reader.remaining)
    throw corrupt(`a list of ${count} entries runs past the end`, { offset: reader.offset });
  // A million tags have three lists each, for which `Array.from` would take a second.
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(readItem());
  return items;
}
