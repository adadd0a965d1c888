// A file of packed pages, read as the bytes that were packed. Bytes of a lost page read as zeros, with which no block and no
// index begins: readers treat them as damage and continue after them.

import { decodePage, type PageEntry } from '../format/bytes/page.ts';
import type { ReadableFile } from '../io/vfs.ts';
import { readExactly, undefinedIfCorrupt } from './tag-file-reader.ts';

/** The pages of a file, and the one that was read last: reads are mostly sequential. */
export class PageTable {
  readonly identity: number;
  readonly pages: readonly PageEntry[];
  /** Bytes before the first page, which are not packed. */
  readonly headBytes: number;
  lastPage: PageEntry | undefined;
  lastBytes: Uint8Array | undefined;

  constructor(identity: number, pages: readonly PageEntry[], headBytes: number) {
    this.identity = identity;
    this.pages = pages;
    this.headBytes = headBytes;
  }

  /** Size of the unpacked contents. */
  get sizeBytes(): number {
    const last = this.pages.at(-1);
    return last ? last.unpackedOffset + last.sizeBytes : this.headBytes;
  }

  /** The page that holds `position`, or the next one after it. */
  pageAt(position: number): PageEntry | undefined {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { unpackedOffset, sizeBytes } = this.pages[middle] as PageEntry;
      if (unpackedOffset + sizeBytes <= position) low = middle + 1;
      else high = middle;
    }
    return this.pages[low];
  }
}

export class PagedFile implements ReadableFile {
  readonly #file: ReadableFile;
  readonly #table: PageTable;

  constructor(file: ReadableFile, table: PageTable) {
    this.#file = file;
    this.#table = table;
  }

  get path(): string {
    return this.#file.path;
  }

  sizeSync(): number {
    return this.#table.sizeBytes;
  }

  closeSync(): void {
    this.#file.closeSync();
  }

  /** Reads at most up to the end of a page or of lost bytes. */
  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    const { headBytes } = this.#table;
    if (position < headBytes)
      return this.#file.readSync(target, offset, Math.min(length, headBytes - position), position);
    const page = this.#table.pageAt(position);
    const bytes = page && position >= page.unpackedOffset ? this.#bytesOf(page) : undefined;
    if (page && bytes) {
      const part = bytes.subarray(position - page.unpackedOffset, position - page.unpackedOffset + length);
      target.set(part, offset);
      return part.length;
    }
    const lost = Math.max(0, Math.min(length, this.#endOfLost(page, position) - position));
    target.fill(0, offset, offset + lost);
    return lost;
  }

  /** End of the unreadable bytes at `position`; `page` is the one at or after it. */
  #endOfLost(page: PageEntry | undefined, position: number): number {
    if (page === undefined) return this.#table.sizeBytes;
    return position < page.unpackedOffset ? page.unpackedOffset : page.unpackedOffset + page.sizeBytes;
  }

  /** Undefined when the page is damaged. */
  #bytesOf(page: PageEntry): Uint8Array | undefined {
    const table = this.#table;
    if (table.lastPage === page) return table.lastBytes;
    try {
      table.lastBytes = decodePage(readExactly(this.#file, page.offset, page.packedBytes), page, table.identity);
    } catch (error) {
      table.lastBytes = undefinedIfCorrupt(error);
    }
    table.lastPage = page;
    return table.lastBytes;
  }
}
