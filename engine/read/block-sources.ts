// Locates the blocks of a tag in its tag files and the spills, by time or ordinal, without reading them.

import type { Dataset } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import type { Spill } from '../files/spill.ts';
import { TagFile } from '../files/tag-file.ts';
import {
  isBlockOf,
  loadTagFileIndex,
  readBlock,
  readBlockHeader,
  undefinedIfCorrupt,
} from '../files/tag-file-reader.ts';
import { decodeVerifiedBlock } from '../format/block/block.ts';
import type { BlockHeader } from '../format/block/block-header.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import type { ReadableFile } from '../io/vfs.ts';
import type { Tag } from '../tag/tag.ts';
import { type PointColumns, TICKS_PER_MS } from '../types.ts';

/** A block and the file it is in. */
export interface BlockSource {
  readonly entry: BlockEntry;
  readonly file: TagFile | Spill;
}

/** All blocks of a tag's files and spills that `wanted` accepts, by ordinal. */
export function blocksOf(
  dataset: Dataset,
  tag: Tag,
  wanted: (entry: BlockEntry) => boolean = () => true,
): BlockSource[] {
  const sources: BlockSource[] = [];
  for (const file of tag.files) {
    for (const entry of file.missing ? [lostFile(file)] : indexOf(dataset, file)) {
      if (wanted(entry)) sources.push({ entry, file });
    }
  }
  const flushed = sources.length;
  for (const spill of dataset.files.spills) {
    for (const entry of spill.index.ofTag(tag.id)) if (wanted(entry)) sources.push({ entry, file: spill });
  }
  // Blocks of spills and rewritten files may lie between those of tag files or repeat their points.
  if (sources.length > flushed || tag.files.length > 1)
    sources.sort((a, b) => a.entry.firstOrdinal - b.entry.firstOrdinal || b.entry.ordinalCount - a.entry.ordinalCount);
  return sources;
}

/** A tag file's block index, loaded when it is not in memory. */
export function indexOf(dataset: Dataset, file: TagFile): readonly BlockEntry[] {
  if (!file.index) {
    const loaded = loadTagFileIndex(
      dataset.context.vfs,
      `${dataset.files.folder}/${file.path}`,
      file.tagId,
      file.sizeBytes,
    );
    const isLate = dataset.tags.byId.get(file.tagId)?.isLate ?? false;
    file.index = withLost(file, loaded.entries, isLate);
    if (loaded.damages.length > 0 && file.damages.length === 0) {
      for (const damage of loaded.damages) {
        dataset.counters.damagedBlocks++;
        dataset.report(
          'error',
          'tag-file.damaged',
          `${damage.sizeBytes} bytes of a tag file cannot be read: ${damage.reason}.`,
          { path: file.path, ...damage },
        );
      }
    }
    file.damages = loaded.damages;
  }
  dataset.files.indexCache.touch(file);
  return file.index;
}

/** An entry for all points of a missing file. */
function lostFile(file: TagFile): BlockEntry {
  const { firstOrdinal, nextOrdinal, firstMs, lastMs } = file;
  return lostEntry(file, { from: firstOrdinal, to: nextOrdinal, firstMs, lastMs });
}

interface LostPoints {
  readonly from: number;
  readonly to: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** An entry for lost points: no bytes, but ordinals and times. */
function lostEntry(file: TagFile, { from, to, firstMs, lastMs }: LostPoints): BlockEntry {
  const lost = { offset: 0, sizeBytes: 0, firstOrdinal: from, ordinalCount: to - from, pointCount: to - from };
  return { tagId: file.tagId, ...lost, firstMs, firstTicks: 0, lastMs, lastTicks: TICKS_PER_MS - 1 };
}

/**
 * Adds entries for points that the file's summary covers and its index lacks: at the beginning, between blocks, at the end.
 * An entry between two blocks lies between them in time, but not one of late points.
 */
function withLost(file: TagFile, entries: readonly BlockEntry[], isLate: boolean): BlockEntry[] {
  const whole: BlockEntry[] = [];
  let from = file.firstOrdinal;
  let { firstMs } = file;
  for (const entry of entries) {
    const to = entry.firstOrdinal;
    const lastMs = isLate ? file.lastMs : entry.firstMs;
    if (to > from) whole.push(lostEntry(file, { from, to, firstMs, lastMs }));
    whole.push(entry);
    from = Math.max(from, to + entry.ordinalCount);
    if (!isLate) firstMs = entry.lastMs;
  }
  if (from < file.nextOrdinal)
    whole.push(lostEntry(file, { from, to: file.nextOrdinal, firstMs, lastMs: file.lastMs }));
  return whole;
}

/** Reads one block; undefined when it is damaged. A spill with such a block is marked unreadable, and kept. */
export function tryRead(dataset: Dataset, source: BlockSource, target: PointColumns): BlockHeader | undefined {
  try {
    return readSource(dataset, source, target);
  } catch (error) {
    if (!(source.file instanceof TagFile)) source.file.unreadable = true;
    return undefinedIfCorrupt(error);
  }
}

/** Reads one block; throws CORRUPT. */
export function readSource(dataset: Dataset, source: BlockSource, target: PointColumns): BlockHeader {
  checkThere(source);
  const file = openSource(dataset, source.file);
  try {
    return readBlock(file, source.entry, target).header;
  } finally {
    file.closeSync();
  }
}

function openSource(dataset: Dataset, file: TagFile | Spill): ReadableFile {
  const { vfs } = dataset.context;
  return file instanceof TagFile
    ? vfs.openSync(`${dataset.files.folder}/${file.path}`, 'read')
    : file.open(vfs, dataset.files.folder);
}

function checkThere({ entry, file }: BlockSource): void {
  if (entry.sizeBytes === 0) throw new EngineError('CORRUPT', 'its bytes are missing', { path: file.path });
}

/** For reads of clients: blocks come from the cache, and the file of the last block stays open for the next one. */
export class BlockReader {
  readonly #dataset: Dataset;
  #file: ReadableFile | undefined;
  #source: TagFile | Spill | undefined;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Reads one block; throws CORRUPT. */
  read(source: BlockSource, target: PointColumns): BlockHeader {
    const { entry, file } = source;
    checkThere(source);
    const cache = this.#dataset.context.blockCache;
    const known = cache.get(file, entry.offset);
    if (known !== undefined && isBlockOf(known.header, entry)) {
      decodeVerifiedBlock(known.bytes, 0, known.header, target);
      return known.header;
    }
    const block = readBlock(this.#open(file), entry, target);
    cache.put(file, entry.offset, block);
    return block.header;
  }

  #open(file: TagFile | Spill): ReadableFile {
    if (this.#file && this.#source === file) return this.#file;
    this.close();
    this.#file = openSource(this.#dataset, file);
    this.#source = file;
    return this.#file;
  }

  /** Reads the header of a block only; throws CORRUPT. */
  readHeader(source: BlockSource): BlockHeader {
    checkThere(source);
    return readBlockHeader(this.#open(source.file), source.entry);
  }

  close(): void {
    this.#file?.closeSync();
    this.#file = undefined;
  }
}
