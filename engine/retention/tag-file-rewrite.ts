// Rewrites a tag file of which only the end is needed after a purge: whole blocks are copied byte for byte into a new file;
// a block that is needed in part is encoded again.

import type { Dataset } from '../dataset/dataset.ts';
import { TagFile } from '../files/tag-file.ts';
import { readBlock, readExactly, undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { appendToTagFile, encodeTagFileHead, sealTagFile } from '../files/tag-file-writer.ts';
import { makeTagFolder } from '../flush/flush-tag.ts';
import { encodeBlock, entryOfBlock, orderOf } from '../format/block/block.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import type { VfsFile } from '../io/vfs.ts';
import { indexOf } from '../read/block-sources.ts';
import type { Tag } from '../tag/tag.ts';
import { PointColumns } from '../types.ts';
import { PAGE_BYTES } from './size-cutoff.ts';

/** The least gain of a rewrite: half of the file's bytes, or one page and a twentieth of the file. */
export type Gain = 'most-of-a-file' | 'a-page';

const LEAST_SHARES: Readonly<Record<Gain, number>> = { 'most-of-a-file': 0.5, 'a-page': 0.05 };

export interface Rewriting {
  /** The first ordinal that is needed. */
  readonly ordinal: number;
  readonly gain: Gain;
}

/**
 * Copies the points of a file from an ordinal on into a new file, which replaces the old one in the tag.
 * @returns whether it was worth it; the old file is then superfluous, once the new one is synced and in the catalog
 */
export function rewriteTagFile(dataset: Dataset, tag: Tag, file: TagFile, { ordinal, gain }: Rewriting): boolean {
  const entries = indexOf(dataset, file);
  const kept = entries.filter((entry) => entry.firstOrdinal + entry.ordinalCount > ordinal);
  if (kept.length === 0 || kept.some((entry) => entry.sizeBytes === 0)) return false;
  const keptBytes = kept.reduce((sum, entry) => sum + entry.sizeBytes * shareFrom(entry, ordinal), 0);
  if (!isWorthwhile(file.sizeBytes, keptBytes, gain)) return false;
  const copy = new TagFile(tag.id, tag.takeFileNumber());
  copy.index = [];
  makeTagFolder(dataset, tag.id);
  const out = new ByteWriter(Math.ceil(keptBytes) + 1024);
  encodeTagFileHead(out, copy, tag.definition);
  const opened = dataset.context.vfs.openSync(`${dataset.files.folder}/${file.path}`, 'read');
  try {
    for (const entry of kept) copy.add(copyBlock(opened, entry, ordinal, out));
  } finally {
    opened.closeSync();
  }
  appendToTagFile(dataset.context.vfs, dataset.files.folder, copy, out.written());
  if (file.sealed) sealTagFile(dataset.context.vfs, dataset.files.folder, copy);
  dataset.files.unsynced.addFile(copy);
  dataset.context.bytesWritten.tags += copy.sizeBytes;
  // After the old file: new blocks are appended to the last file, and must not be removed with the old one.
  tag.addFileBehind(file, copy);
  return true;
}

function isWorthwhile(sizeBytes: number, keptBytes: number, gain: Gain): boolean {
  if (keptBytes > sizeBytes * (1 - LEAST_SHARES[gain])) return false;
  return gain !== 'a-page' || Math.ceil(keptBytes / PAGE_BYTES) < Math.ceil(sizeBytes / PAGE_BYTES);
}

/** The share of a block at or after an ordinal. */
function shareFrom(entry: BlockEntry, ordinal: number): number {
  return isDivided(entry, ordinal) ? 1 - (ordinal - entry.firstOrdinal) / entry.ordinalCount : 1;
}

/** Whether a block is needed in part. A block with deleted points stays whole: the ordinals of its points are unknown. */
function isDivided({ firstOrdinal, ordinalCount, pointCount }: BlockEntry, ordinal: number): boolean {
  return firstOrdinal < ordinal && pointCount === ordinalCount;
}

/** Appends the points of a block from an ordinal on; an unreadable block is copied unchanged. */
function copyBlock(opened: VfsFile, entry: BlockEntry, ordinal: number, out: ByteWriter): BlockEntry {
  const end = isDivided(entry, ordinal) ? copyEnd(opened, entry, ordinal, out) : undefined;
  if (end) return end;
  const offset = out.length;
  out.raw(readExactly(opened, entry.offset, entry.sizeBytes));
  return { ...entry, offset };
}

function copyEnd(opened: VfsFile, entry: BlockEntry, ordinal: number, out: ByteWriter): BlockEntry | undefined {
  const points = new PointColumns(entry.pointCount);
  try {
    const { header } = readBlock(opened, entry, points);
    const start = ordinal - entry.firstOrdinal;
    const offset = out.length;
    const order = orderOf(header);
    const block = {
      tagId: entry.tagId,
      type: header.type,
      firstOrdinal: ordinal,
      order,
      statistics: 'when-long',
    } as const;
    encodeBlock(out, points, start, points.count, block);
    return entryOfBlock(points, start, points.count, block, offset, out.length - offset);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}
