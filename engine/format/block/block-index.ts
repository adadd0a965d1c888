// The index of blocks at the end of a sealed tag file and of a spill: finds blocks by tag, time or ordinal without reading
// them.

import { corrupt } from '../../errors.ts';
import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { crc32 } from '../bytes/crc.ts';
import { defineLayout } from '../bytes/layout.ts';
import type { BlockHeader } from './block-header.ts';

export const INDEX_ENTRY = defineLayout('block-index-entry', {
  tagId: 'u32',
  offset: 'f64',
  sizeBytes: 'u32',
  firstOrdinal: 'f64',
  ordinalCount: 'u32',
  pointCount: 'u32',
  firstMs: 'f64',
  firstTicks: 'u16',
  lastMs: 'f64',
  lastTicks: 'u16',
});
export const INDEX_FOOTER = defineLayout('block-index-footer', {
  entryCount: 'u32',
  /** File offset of the entries; they end at the footer. */
  indexOffset: 'f64',
  indexCrc: 'u32',
  magic: 'u32',
  crc: 'u32',
});
/** `VIDX` in little-endian bytes. */
export const INDEX_MAGIC = 0x58444956;

export interface BlockEntry {
  readonly tagId: number;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly firstOrdinal: number;
  readonly ordinalCount: number;
  readonly pointCount: number;
  readonly firstMs: number;
  readonly firstTicks: number;
  readonly lastMs: number;
  readonly lastTicks: number;
}

export function entryOf(header: BlockHeader, offset: number): BlockEntry {
  return {
    tagId: header.tagId,
    offset,
    sizeBytes: header.headerBytes + header.payloadBytes,
    firstOrdinal: header.firstOrdinal,
    ordinalCount: header.ordinalCount,
    pointCount: header.pointCount,
    firstMs: header.firstMs,
    firstTicks: header.firstTicks,
    lastMs: header.lastMs,
    lastTicks: header.lastTicks,
  };
}

/** Appends the index of the blocks before it; `indexOffset` is the file offset of the writer's position. */
export function encodeIndex(out: ByteWriter, entries: readonly BlockEntry[], indexOffset: number): void {
  const start = out.length;
  for (const entry of entries) encodeIndexEntry(out, entry);
  encodeIndexFooter(out, entries.length, indexOffset, crc32(out.bytes.subarray(start, out.length)));
}

export function encodeIndexEntry(out: ByteWriter, entry: BlockEntry): void {
  out.reserve(INDEX_ENTRY.sizeBytes);
  INDEX_ENTRY.encode(out.view, out.length, entry);
  out.length += INDEX_ENTRY.sizeBytes;
}

/** Appends the footer of an index to its entries; `indexCrc` is their checksum. */
export function encodeIndexFooter(out: ByteWriter, entryCount: number, indexOffset: number, indexCrc: number): void {
  out.reserve(INDEX_FOOTER.sizeBytes);
  const footer = out.length;
  INDEX_FOOTER.encode(out.view, footer, {
    entryCount,
    indexOffset,
    indexCrc,
    magic: INDEX_MAGIC,
    crc: 0,
  });
  out.length += INDEX_FOOTER.sizeBytes;
  out.view.setUint32(out.length - 4, crc32(out.bytes.subarray(footer, out.length - 4)), true);
}

export interface IndexFooter {
  readonly entryCount: number;
  readonly indexOffset: number;
  readonly indexCrc: number;
}

/** Reads the footer in the last bytes of a file of `fileBytes`; CORRUPT when there is none. */
export function decodeIndexFooter(bytes: Uint8Array, fileBytes: number): IndexFooter {
  if (bytes.length < INDEX_FOOTER.sizeBytes) throw corrupt('a file is too short for an index');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const offset = bytes.length - INDEX_FOOTER.sizeBytes;
  const footer = INDEX_FOOTER.decode(view, offset);
  if (footer.magic !== INDEX_MAGIC) throw corrupt('a file ends without an index', { offset });
  if (footer.crc !== crc32(bytes.subarray(offset, bytes.length - 4)))
    throw corrupt('an index footer fails its checksum', { offset });
  if (footer.indexOffset + footer.entryCount * INDEX_ENTRY.sizeBytes + INDEX_FOOTER.sizeBytes !== fileBytes) {
    throw corrupt('an index does not lie where its footer says', { offset });
  }
  return footer;
}

/** The entries of an index, checked as a whole and then decoded one by one on demand. */
export class BlockIndex {
  readonly count: number;
  readonly #view: DataView;

  /** `bytes` are exactly the entries. Throws CORRUPT when they fail the checksum. */
  constructor(bytes: Uint8Array, footer: IndexFooter) {
    if (crc32(bytes) !== footer.indexCrc) throw corrupt('an index fails its checksum', { offset: footer.indexOffset });
    this.count = footer.entryCount;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  tagId(i: number): number {
    return this.#view.getUint32(i * INDEX_ENTRY.sizeBytes, true);
  }

  entry(i: number): BlockEntry {
    return INDEX_ENTRY.decode(this.#view, i * INDEX_ENTRY.sizeBytes);
  }

  /** Number of the first entry with a tag id at or above `tagId`; entries are sorted by tag id. */
  lowerBound(tagId: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.tagId(middle) < tagId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The blocks of one tag, in order. */
  ofTag(tagId: number): BlockEntry[] {
    const entries: BlockEntry[] = [];
    for (let i = this.lowerBound(tagId); i < this.count && this.tagId(i) === tagId; i++) entries.push(this.entry(i));
    return entries;
  }
}
