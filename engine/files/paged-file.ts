// A file of packed pages, read as the row of bytes that was cut into them. Bytes of a lost page read as zeros, which no
// block and no index begins with: readers meet them as damage, and go on behind them.

import { decodePage, type PageEntry } from '../format/bytes/page.ts';
import type { ReadableFile } from '../io/vfs.ts';
import { readExactly, undefinedIfCorrupt } from './tag-file-reader.ts';

/** The pages of a file, and the one that was read last: neighbours are read one behind the other. */
export class PageTable {
  readonly identity: number;
  readonly pages: readonly PageEntry[];
  /** Bytes ahead of the first page, which are as they are. */
  readonly headBytes: number;
  lastPage: PageEntry | undefined;
  lastBytes: Uint8Array | undefined;

  constructor(identity: number, pages: readonly PageEntry[], headBytes: number) {
    this.identity = identity;
    this.pages = pages;
    this.headBytes = headBytes;
  }

  /** Bytes of the whole row. */
  get sizeBytes(): number {
    const last = this.pages.at(-1);
    return last ? last.place + last.sizeBytes : this.headBytes;
  }

  /** The page that holds `position`, or the next one behind it. */
  pageAt(position: number): PageEntry | undefined {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { place, sizeBytes } = this.pages[middle] as PageEntry;
      if (place + sizeBytes <= position) low = middle + 1;
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

  /** Reads up to the end of a page, or of what is lost, at most. */
  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    const { headBytes } = this.#table;
    if (position < headBytes)
      return this.#file.readSync(target, offset, Math.min(length, headBytes - position), position);
    const page = this.#table.pageAt(position);
    const bytes = page && position >= page.place ? this.#bytesOf(page) : undefined;
    if (page && bytes) {
      const part = bytes.subarray(position - page.place, position - page.place + length);
      target.set(part, offset);
      return part.length;
    }
    const lost = Math.max(0, Math.min(length, this.#endOfLost(page, position) - position));
    target.fill(0, offset, offset + lost);
    return lost;
  }

  /** Where the bytes end that cannot be read from `position` on, `page` being at or behind it. */
  #endOfLost(page: PageEntry | undefined, position: number): number {
    if (page === undefined) return this.#table.sizeBytes;
    return position < page.place ? page.place : page.place + page.sizeBytes;
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
