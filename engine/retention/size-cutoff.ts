// Purge by size: finds the cutoff that brings the folder below its limit. Disks allocate whole pages, so nothing is purged
// that would free no page of a tag: each tag keeps as much as fits one page, and its newest point.

import type { Dataset } from '../dataset/dataset.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import { Slicer } from '../io/slicer.ts';
import { type BlockSource, blocksOf } from '../read/block-sources.ts';
import { firstVisibleOrdinal } from '../read/visible-range.ts';
import type { Tag } from '../tag/tag.ts';

/** Allocation unit of disks; bytes. */
export const PAGE_BYTES = 4096;
/** Estimated size of a tag file without blocks: header and definition. */
const FILE_HEAD_BYTES = 128;
/**
 * A folder above its limit is reduced to this share of it. Each time, files with most of the remaining points may have to be
 * rewritten: four fifths of the limit for each fifth that was added. If what cannot be purged takes more than that, it is
 * reduced to halfway between this and the limit.
 */
const TARGET_SHARE = 0.8;

export interface SizePlan {
  /** Points before this time are to be purged, except what D9 keeps; undefined when enough is hidden already, or nothing more would help. */
  readonly cutoffMs: number | undefined;
}

/** Plans for a folder of `sizeBytes` with the limit `limitBytes`. */
export async function planSizeCutoff(dataset: Dataset, sizeBytes: number, limitBytes: number): Promise<SizePlan> {
  const slicer = new Slicer(dataset.context);
  const blocks = await collectBlocks(dataset, slicer);
  const others = sizeBytes - blocks.filesBytes;
  const present = blocks.sizeAfter(Number.NEGATIVE_INFINITY);
  const least = others + blocks.sizeAfter(Number.POSITIVE_INFINITY);
  const target = Math.max(TARGET_SHARE * limitBytes, (limitBytes + least) / 2);
  if (others + present <= target) return { cutoffMs: undefined };
  const wanted = Math.max(target, least);
  if (others + present <= wanted) return { cutoffMs: undefined };
  let low = blocks.firstMs;
  let high = blocks.lastMs + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (others + blocks.sizeAfter(middle) <= wanted) high = middle;
    else low = middle + 1;
    const turn = slicer.pause();
    if (turn) await turn;
  }
  return { cutoffMs: high };
}

async function collectBlocks(dataset: Dataset, slicer: Slicer): Promise<SizedBlocks> {
  const blocks = new SizedBlocks();
  for (const { sizeBytes } of dataset.files.spills) blocks.filesBytes += wholePages(sizeBytes);
  for (const tag of dataset.tags.byId.values(dataset.tags.nextId)) {
    if (!tag.isSystem && !tag.deleted) addTag(dataset, tag, blocks);
    const turn = slicer.pause();
    if (turn) await turn;
  }
  return blocks;
}

function addTag(dataset: Dataset, tag: Tag, blocks: SizedBlocks): void {
  for (const { missing, sizeBytes } of tag.files) if (!missing) blocks.filesBytes += wholePages(sizeBytes);
  const first = firstVisibleOrdinal(dataset, tag);
  let next = first;
  let last: BlockSource['file'] | undefined;
  for (const { entry, file } of blocksOf(dataset, tag)) {
    const end = entry.firstOrdinal + entry.ordinalCount;
    if (end <= next) continue; // hidden, or in another file as well
    if (file !== last) blocks.beginFile();
    last = file;
    blocks.add(entry, next);
    next = end;
  }
  blocks.endTag();
}

function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}

/** Readable blocks of all tags, file by file, in columns, because there may be millions. */
class SizedBlocks {
  /** Size of their files, in whole pages. */
  filesBytes = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  /** Index of the first block of each file, and whether it is the last file of its tag, which is never empty. */
  readonly #starts: number[] = [];
  readonly #isLast: boolean[] = [];
  readonly #firstMs: number[] = [];
  readonly #lastMs: number[] = [];
  readonly #bytes: number[] = [];

  /** Call it before the blocks of each file. */
  beginFile(): void {
    this.#starts.push(this.#bytes.length);
    this.#isLast.push(false);
  }

  /** Call it after the blocks of each tag. */
  endTag(): void {
    if (this.#isLast.length > 0) this.#isLast[this.#isLast.length - 1] = true;
  }

  /** Adds the points of a block from an ordinal on, assuming that all are of equal size. */
  add({ firstOrdinal, ordinalCount, firstMs, lastMs, sizeBytes }: BlockEntry, from: number): void {
    const share = (firstOrdinal + ordinalCount - Math.max(from, firstOrdinal)) / ordinalCount;
    const startMs = lastMs - (lastMs - firstMs) * share;
    this.#firstMs.push(startMs);
    this.#lastMs.push(lastMs);
    this.#bytes.push(sizeBytes * share);
    this.firstMs = Math.min(this.firstMs, startMs);
    this.lastMs = Math.max(this.lastMs, lastMs);
  }

  /** Size of the files, in whole pages, without the points up to a time, but at least one page for each tag. */
  sizeAfter(cutoffMs: number): number {
    const starts = this.#starts;
    let pages = 0;
    for (let file = 0; file < starts.length; file++) {
      const end = file + 1 < starts.length ? (starts[file + 1] as number) : this.#bytes.length;
      let bytes = 0;
      for (let i = starts[file] as number; i < end; i++) bytes += this.#bytesAfter(i, cutoffMs);
      if (bytes > 0 || this.#isLast[file]) pages += Math.ceil((bytes + FILE_HEAD_BYTES) / PAGE_BYTES);
    }
    return pages * PAGE_BYTES;
  }

  #bytesAfter(i: number, cutoffMs: number): number {
    const bytes = this.#bytes[i] as number;
    const firstMs = this.#firstMs[i] as number;
    const lastMs = this.#lastMs[i] as number;
    if (cutoffMs <= firstMs) return bytes;
    return cutoffMs > lastMs ? 0 : (bytes * (lastMs - cutoffMs)) / (lastMs - firstMs + 1);
  }
}
