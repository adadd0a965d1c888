// Spills: the short heads of many tags in one immutable file, sorted by tag and indexed at the end. Blocks and index are
// stored in packed pages, because headers of short blocks are mostly the same. Offsets are those in the unpacked contents.

import { formatFileNumber, SPILL_FOLDER, UNFINISHED } from '../filenames.ts';
import { encodeBlock, entryOfBlock } from '../format/block/block.ts';
import {
  type BlockEntry,
  BlockIndex,
  decodeIndexFooter,
  encodeIndex,
  encodeIndexEntry,
  encodeIndexFooter,
  INDEX_FOOTER,
} from '../format/block/block-index.ts';
import { encodePlainBlock, entryOfPlainBlock, type PlainPoints } from '../format/block/plain-block.ts';
import type { PointOrder } from '../format/block/time-bounds.ts';
import { MAX_BLOCK_POINTS } from '../format/bytes/block-limits.ts';
import { ByteReader, ByteWriter } from '../format/bytes/byte-cursors.ts';
import { crc32 } from '../format/bytes/crc.ts';
import { decodeHeader, encodeHeader, PAGED_VERSION, SPILL_HEADER, SPILL_MAGIC } from '../format/bytes/file-headers.ts';
import { encodePage, findPages, type PageEntry } from '../format/bytes/page.ts';
import type { ReadableFile, Vfs, VfsFile } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';
import { endOfBlockTexts } from '../points/text-lengths.ts';
import { orderedUntil } from '../points/time-order.ts';
import type { PointColumns, ValueType } from '../types.ts';
import { walkBlocks } from './block-walk.ts';
import { PagedFile, PageTable } from './paged-file.ts';
import type { DamagedBytes, Pinned } from './tag-file.ts';
import { readExactly, undefinedIfCorrupt } from './tag-file-reader.ts';

/** A spill as it was written or found. */
export interface SpillContents {
  readonly number: number;
  readonly createdMs: number;
  readonly sizeBytes: number;
  readonly index: BlockIndex;
  /** Bytes that hold no readable block. */
  readonly damages: readonly DamagedBytes[];
  /** Undefined in a file of a version before pages. */
  readonly pages: PageTable | undefined;
}

export class Spill implements Pinned {
  readonly number: number;
  readonly createdMs: number;
  readonly sizeBytes: number;
  readonly index: BlockIndex;
  readonly #pages: PageTable | undefined;
  readonly damages: readonly DamagedBytes[];
  /** A block could not be read when its points were to move to a tag file. */
  unreadable = false;
  pins = 0;
  onUnpinned: (() => void) | undefined;

  constructor({ number, createdMs, sizeBytes, index, damages, pages }: SpillContents) {
    this.#pages = pages;
    this.number = number;
    this.createdMs = createdMs;
    this.sizeBytes = sizeBytes;
    this.index = index;
    this.damages = damages;
  }

  /** Path inside the dataset's folder. */
  get path(): string {
    return `${SPILL_FOLDER}/${formatFileNumber(this.number)}`;
  }

  /** Opens it for reading, unpacked. */
  open(vfs: Vfs, datasetFolder: string): ReadableFile {
    const file = vfs.openSync(`${datasetFolder}/${this.path}`, 'read');
    return this.#pages ? new PagedFile(file, this.#pages) : file;
  }
}

/** Bytes gathered before they are handed to the disk. */
const CHUNK_BYTES = 4 * 2 ** 20;
/** Least bytes of a full page: some 300 short blocks, the most that one damaged byte can lose. */
const PAGE_BYTES = 32 * 1024;
/** Pages with longer blocks on average are stored unpacked: such blocks have little in common, and packing is slow. */
const LONG_BLOCK_BYTES = 256;
/** Statistics would be a third of a short block, which soon moves into a tag file anyway. */
const NO_STATISTICS = 'never' as const;
/** The index is used as a whole only: fewer pages pack faster. */
const INDEX_PAGE_BYTES = 2 ** 20;
/** Most datasets are small; the buffers grow for others. */
const INITIAL_BYTES = 64 * 1024;

/** Consecutive points of one tag and type. */
interface SpilledPoints {
  readonly tagId: number;
  readonly type: ValueType;
  readonly firstOrdinal: number;
  /** `time` when absent. */
  readonly order?: PointOrder;
}

/** Writes one spill: `add` blocks in the order of tag ids, then `finish`; or `abandon`. */
export class SpillWriter {
  readonly #vfs: Vfs;
  readonly #folder: string;
  readonly #number: number;
  readonly #createdMs: number;
  /** Pages waiting to be written, and the current page. */
  readonly #out = new ByteWriter(INITIAL_BYTES);
  readonly #page = new ByteWriter(INITIAL_BYTES);
  readonly #pages: PageEntry[] = [];
  /** Offset of the current page in the unpacked contents. */
  #unpackedOffset = SPILL_HEADER.sizeBytes;
  /** The index so far, as bytes: a hundred thousand entry objects would take five times as much. */
  readonly #index = new ByteWriter(INITIAL_BYTES);
  #blockCount = 0;
  /** Blocks of the current page. */
  #pageBlocks = 0;
  readonly #file: VfsFile;
  #isOpen = true;
  #position = 0;

  /** The spill folder must exist in `datasetFolder`. */
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

  /** Whether enough bytes wait to be written: call `flush`. */
  get full(): boolean {
    return this.#out.length >= CHUNK_BYTES;
  }

  /** Adds all points of the columns, in one or more blocks. */
  addAll(points: PointColumns, block: SpilledPoints): void {
    for (let start = 0, end = 0; start < points.count; start = end) {
      end = endOfBlockTexts(block.type, points, start, Math.min(points.count, start + MAX_BLOCK_POINTS));
      if (block.order !== 'arrival') end = orderedUntil(points, start, end);
      this.#add(points, start, end, block);
    }
  }

  /** Adds the points of the columns from `first` on, whose times never step back, in one or more blocks. */
  addPlain(points: PlainPoints, first: number, { tagId, type, firstOrdinal }: SpilledPoints): void {
    for (let start = first, end = 0; start < points.count; start = end) {
      end = Math.min(points.count, start + MAX_BLOCK_POINTS);
      const at = this.#page.length;
      const options = { tagId, type, firstOrdinal: firstOrdinal + start - first, statistics: NO_STATISTICS };
      encodePlainBlock(this.#page, points, start, end, options);
      const sizeBytes = this.#page.length - at;
      this.#endBlock(entryOfPlainBlock(points, start, end, options, this.#unpackedOffset + at, sizeBytes));
    }
  }

  #add(points: PointColumns, start: number, end: number, block: SpilledPoints): void {
    const at = this.#page.length;
    const options = { ...block, firstOrdinal: block.firstOrdinal + start, statistics: NO_STATISTICS };
    encodeBlock(this.#page, points, start, end, options);
    this.#endBlock(entryOfBlock(points, start, end, options, this.#unpackedOffset + at, this.#page.length - at));
  }

  #endBlock(entry: BlockEntry): void {
    encodeIndexEntry(this.#index, entry);
    this.#blockCount++;
    this.#pageBlocks++;
    if (this.#page.length >= PAGE_BYTES) this.#endPage();
  }

  #endPage(): void {
    const isPacked = this.#page.length < LONG_BLOCK_BYTES * this.#pageBlocks;
    if (this.#page.length > 0) this.#addPage(this.#page.written(), isPacked ? 'packed' : 'stored');
    this.#page.clear();
    this.#pageBlocks = 0;
  }

  #addPage(bytes: Uint8Array, form: 'packed' | 'stored'): void {
    const at = this.#out.length;
    encodePage(this.#out, this.#unpackedOffset, bytes, this.#number, form);
    const packedBytes = this.#out.length - at;
    this.#pages.push({
      offset: this.#position + at,
      packedBytes,
      unpackedOffset: this.#unpackedOffset,
      sizeBytes: bytes.length,
    });
    this.#unpackedOffset += bytes.length;
  }

  async flush(): Promise<void> {
    const bytes = this.#out.written();
    await this.#file.write(bytes, this.#position);
    this.#position += bytes.length;
    this.#out.clear();
  }

  /** Writes the index, syncs, gives the file its name, syncs the folder. */
  async finish(): Promise<Spill> {
    this.#endPage();
    const entries = this.#index.written().slice();
    const footer = { entryCount: this.#blockCount, indexOffset: this.#unpackedOffset, indexCrc: crc32(entries) };
    encodeIndexFooter(this.#index, footer.entryCount, footer.indexOffset, footer.indexCrc);
    const bytes = this.#index.written();
    for (let from = 0; from < bytes.length; from += INDEX_PAGE_BYTES) {
      this.#addPage(bytes.subarray(from, from + INDEX_PAGE_BYTES), 'packed');
      if (this.full) await this.flush();
    }
    await this.flush();
    await this.#file.sync();
    this.#isOpen = false;
    this.#file.closeSync();
    this.#vfs.renameSync(this.#unfinishedPath(), `${this.#folder}/${formatFileNumber(this.#number)}`);
    await this.#vfs.syncDirectory(this.#folder);
    const pages = new PageTable(this.#number, this.#pages, SPILL_HEADER.sizeBytes);
    return new Spill({
      number: this.#number,
      createdMs: this.#createdMs,
      sizeBytes: this.#position,
      index: new BlockIndex(entries, footer),
      damages: [],
      pages,
    });
  }

  /** Also after a failed rename or sync: by then the file is closed, and its descriptor may be another file's. */
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
  const path = `${datasetFolder}/${SPILL_FOLDER}/${formatFileNumber(number)}`;
  const { header, pages } = readShape(readWholeFile(vfs, path), number);
  const packed = vfs.openSync(path, 'read');
  try {
    const sizeBytes = packed.sizeSync();
    const file = pages ? new PagedFile(packed, pages) : packed;
    const rowBytes = file.sizeSync();
    const sound = readIndex(file, rowBytes);
    if (sound && header)
      return new Spill({ number, createdMs: header.createdMs, sizeBytes, index: sound, damages: [], pages });
    const walk = walkBlocks(file, { from: SPILL_HEADER.sizeBytes, to: rowBytes, tagId: undefined, verify: 'headers' });
    const damages =
      walk.damages.length > 0
        ? walk.damages
        : [{ offset: 0, sizeBytes: SPILL_HEADER.sizeBytes, reason: 'the header is damaged' }];
    const index = sound ?? indexOf(walk.entries);
    return new Spill({ number, createdMs: header?.createdMs ?? 0, sizeBytes, index, damages, pages });
  } finally {
    packed.closeSync();
  }
}

/** A spill with its pages unpacked; `bytes` are the whole file. */
export function unpackSpill(file: ReadableFile, bytes: Uint8Array, number: number): ReadableFile {
  const { pages } = readShape(bytes, number);
  return pages ? new PagedFile(file, pages) : file;
}

interface SpillShape {
  /** Undefined when it is damaged. */
  readonly header: { readonly createdMs: number } | undefined;
  /** Undefined in a file of a version before pages. */
  readonly pages: PageTable | undefined;
}

function readShape(bytes: Uint8Array, number: number): SpillShape {
  const header = readHeader(bytes);
  if (header && header.version < PAGED_VERSION) return { header, pages: undefined };
  const pages = findPages(bytes, SPILL_HEADER.sizeBytes, number);
  if (!header && pages.length === 0) return { header, pages: undefined };
  return { header, pages: new PageTable(number, pages, SPILL_HEADER.sizeBytes) };
}

function readHeader(bytes: Uint8Array): { readonly createdMs: number; readonly version: number } | undefined {
  try {
    return decodeHeader(new ByteReader(bytes), SPILL_HEADER, SPILL_MAGIC);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

function readIndex(file: ReadableFile, sizeBytes: number): BlockIndex | undefined {
  try {
    const footerBytes = readExactly(file, Math.max(0, sizeBytes - INDEX_FOOTER.sizeBytes), INDEX_FOOTER.sizeBytes);
    const footer = decodeIndexFooter(footerBytes, sizeBytes);
    return new BlockIndex(
      readExactly(file, footer.indexOffset, sizeBytes - INDEX_FOOTER.sizeBytes - footer.indexOffset),
      footer,
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
