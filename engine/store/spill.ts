// Spills: the short heads of many tags in one immutable file, sorted by tag and indexed at the end.

import { formatFileNumber, SPILL_FOLDER, UNFINISHED } from '../filenames.ts';
import { encodeBlock, entryOfBlock } from '../format/block.ts';
import {
  type BlockEntry,
  BlockIndex,
  decodeIndexFooter,
  encodeIndex,
  encodeIndexEntry,
  encodeIndexFooter,
  INDEX_FOOTER,
} from '../format/block-index.ts';
import { MAX_BLOCK_POINTS } from '../format/block-limits.ts';
import { ByteReader, ByteWriter } from '../format/byte-cursors.ts';
import { crc32 } from '../format/crc.ts';
import { decodeHeader, encodeHeader, SPILL_HEADER, SPILL_MAGIC } from '../format/file-headers.ts';
import type { Vfs, VfsFile } from '../io/vfs.ts';
import type { PointColumns, ValueType } from '../types.ts';
import { walkBlocks } from './block-walk.ts';
import type { DamagedBytes, Pinned } from './tag-file.ts';
import { readExactly, undefinedIfCorrupt } from './tag-file-reader.ts';
import { orderedUntil } from './time-order.ts';

export class Spill implements Pinned {
  readonly number: number;
  readonly createdMs: number;
  readonly sizeBytes: number;
  readonly index: BlockIndex;
  /** Bytes that hold no readable block. */
  readonly damages: readonly DamagedBytes[];
  /** A block of it could not be read when it was to be moved. */
  unreadable = false;
  pins = 0;
  onUnpinned: (() => void) | undefined;

  constructor(
    number: number,
    createdMs: number,
    sizeBytes: number,
    index: BlockIndex,
    damages: readonly DamagedBytes[],
  ) {
    this.number = number;
    this.createdMs = createdMs;
    this.sizeBytes = sizeBytes;
    this.index = index;
    this.damages = damages;
  }

  /** Inside the dataset's folder. */
  get path(): string {
    return `${SPILL_FOLDER}/${formatFileNumber(this.number)}`;
  }
}

/** Bytes gathered before they are handed to the disk. */
const CHUNK_BYTES = 4 * 2 ** 20;
/** Most datasets are small: the buffer grows where one is not. */
const INITIAL_BYTES = 64 * 1024;

/** Writes one spill: `add` blocks in the order of tag ids, then `finish`; or `abandon`. */
export class SpillWriter {
  readonly #vfs: Vfs;
  readonly #folder: string;
  readonly #number: number;
  readonly #createdMs: number;
  readonly #out = new ByteWriter(INITIAL_BYTES);
  /** The index so far: as bytes, for a hundred thousand entries would take five times as much. */
  readonly #index = new ByteWriter(INITIAL_BYTES);
  #blockCount = 0;
  readonly #file: VfsFile;
  #isOpen = true;
  #position = 0;

  /** `datasetFolder` must have its spill folder. */
  constructor(vfs: Vfs, datasetFolder: string, number: number, createdMs: number) {
    this.#vfs = vfs;
    this.#folder = `${datasetFolder}/${SPILL_FOLDER}`;
    this.#number = number;
    this.#createdMs = createdMs;
    const unfinished = this.#unfinishedPath();
    vfs.removeSync(unfinished);
    this.#file = vfs.openSync(unfinished, 'write');
    encodeHeader(this.#out, SPILL_HEADER, SPILL_MAGIC, { number, createdMs });
  }

  /** Bytes waiting to be written; `flush` when they are many. */
  get full(): boolean {
    return this.#out.length >= CHUNK_BYTES;
  }

  /** Adds all points of the columns, as several blocks when they are many. */
  addAll(points: PointColumns, block: { tagId: number; type: ValueType; firstOrdinal: number }): void {
    for (let start = 0, end = 0; start < points.count; start = end) {
      end = orderedUntil(points, start, Math.min(points.count, start + MAX_BLOCK_POINTS));
      this.#add(points, start, end, block);
    }
  }

  #add(
    points: PointColumns,
    start: number,
    end: number,
    block: { tagId: number; type: ValueType; firstOrdinal: number },
  ): void {
    const at = this.#out.length;
    // Statistics would be a third of a short block, and it moves into a tag file anyway.
    const options = {
      tagId: block.tagId,
      type: block.type,
      firstOrdinal: block.firstOrdinal + start,
      statistics: 'never',
    } as const;
    encodeBlock(this.#out, points, start, end, options);
    const sizeBytes = this.#out.length - at;
    encodeIndexEntry(this.#index, entryOfBlock(points, start, end, options, this.#position + at, sizeBytes));
    this.#blockCount++;
  }

  async flush(): Promise<void> {
    const bytes = this.#out.written();
    await this.#file.write(bytes, this.#position);
    this.#position += bytes.length;
    this.#out.clear();
  }

  /** Writes the index, syncs, gives the file its name, syncs the folder. */
  async finish(): Promise<Spill> {
    await this.flush();
    const place = { entryCount: this.#blockCount, indexOffset: this.#position, indexCrc: crc32(this.#index.written()) };
    const entries = this.#index.written();
    await this.#file.write(entries, this.#position);
    this.#position += entries.length;
    encodeIndexFooter(this.#out, place.entryCount, place.indexOffset, place.indexCrc);
    await this.flush();
    await this.#file.sync();
    this.#isOpen = false;
    this.#file.closeSync();
    this.#vfs.renameSync(this.#unfinishedPath(), `${this.#folder}/${formatFileNumber(this.#number)}`);
    await this.#vfs.syncDirectory(this.#folder);
    return new Spill(this.#number, this.#createdMs, this.#position, new BlockIndex(entries.slice(), place), []);
  }

  /** After a rename or sync that failed, too: the file is closed by then, and its number may be another file's. */
  abandon(): void {
    if (this.#isOpen) this.#file.closeSync();
    this.#isOpen = false;
    this.#vfs.removeSync(this.#unfinishedPath());
  }

  #unfinishedPath(): string {
    return `${this.#folder}/${formatFileNumber(this.#number)}${UNFINISHED}`;
  }
}

/** Opens a spill; one with a damaged index is walked block by block. Throws only system errors. */
export function openSpill(vfs: Vfs, datasetFolder: string, number: number): Spill {
  const file = vfs.openSync(`${datasetFolder}/${SPILL_FOLDER}/${formatFileNumber(number)}`, 'read');
  try {
    const sizeBytes = file.sizeSync();
    const createdMs = readCreated(file);
    const sound = readIndex(file, sizeBytes);
    if (sound && createdMs !== undefined) return new Spill(number, createdMs, sizeBytes, sound, []);
    const walk = walkBlocks(file, { from: SPILL_HEADER.sizeBytes, to: sizeBytes, tagId: undefined, verify: 'headers' });
    const damages =
      walk.damages.length > 0
        ? walk.damages
        : [{ offset: 0, sizeBytes: SPILL_HEADER.sizeBytes, reason: 'the header is damaged' }];
    return new Spill(number, createdMs ?? 0, sizeBytes, sound ?? indexOf(walk.entries), damages);
  } finally {
    file.closeSync();
  }
}

function readCreated(file: VfsFile): number | undefined {
  try {
    const header = decodeHeader(
      new ByteReader(readExactly(file, 0, SPILL_HEADER.sizeBytes)),
      SPILL_HEADER,
      SPILL_MAGIC,
    );
    return header.createdMs;
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

function readIndex(file: VfsFile, sizeBytes: number): BlockIndex | undefined {
  try {
    const footerBytes = readExactly(file, Math.max(0, sizeBytes - INDEX_FOOTER.sizeBytes), INDEX_FOOTER.sizeBytes);
    const place = decodeIndexFooter(footerBytes, sizeBytes);
    return new BlockIndex(
      readExactly(file, place.indexOffset, sizeBytes - INDEX_FOOTER.sizeBytes - place.indexOffset),
      place,
    );
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

function indexOf(entries: BlockEntry[]): BlockIndex {
  const sorted = entries.toSorted((a, b) => a.tagId - b.tagId || a.firstOrdinal - b.firstOrdinal);
  const out = new ByteWriter(1024);
  encodeIndex(out, sorted, 0);
  const bytes = out.written();
  return new BlockIndex(
    bytes.subarray(0, bytes.length - INDEX_FOOTER.sizeBytes),
    decodeIndexFooter(bytes, bytes.length),
  );
}
