// Some names with their tags, as columns. The table of names grows by pages, because copying very many names into larger
// columns would hold the event loop.

import type { Tag } from './tag.ts';

export const PAGE_SHIFT = 15;
/** Names of a page. */
export const PAGE_NAMES = 2 ** PAGE_SHIFT;
export const PAGE_MASK = PAGE_NAMES - 1;
const FIRST_NAMES = 32;
const FIRST_BYTES = 1024;
/**
 * A page with more bytes has long names. It gets room for as many of them as it may hold, instead of growing further: the system
 * gives memory as it is used, and a copy of tens of megabytes would hold the event loop.
 */
const LONG_NAMES_BYTES = 2 ** 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class NamePage {
  count = 0;
  /** Undefined for deleted tags. */
  readonly tags: (Tag | undefined)[] = [];
  hashes: Int32Array;
  /** Offset of each name in `bytes`, and its length. */
  offsets: Uint32Array;
  lengths: Uint16Array;
  /** The lengths again, but 0 for names that JSON escapes. */
  plainLengths: Uint16Array;
  /** For each name the number of the one found after it last time. */
  followers: Int32Array;
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  #usedBytes = 0;

  /** The first page grows with its names, since most tables are short. */
  constructor(isFirst: boolean) {
    const capacity = isFirst ? FIRST_NAMES : PAGE_NAMES;
    this.hashes = new Int32Array(capacity);
    this.offsets = new Uint32Array(capacity);
    this.lengths = new Uint16Array(capacity);
    this.plainLengths = new Uint16Array(capacity);
    this.followers = new Int32Array(capacity);
  }

  get isFull(): boolean {
    return this.count === PAGE_NAMES;
  }

  /** Adds a name, the first `length` bytes of `name`, to a page that is not full. */
  add(tag: Tag, name: Uint8Array, length: number, hash: number): void {
    if (this.count === this.hashes.length) this.#growColumns();
    this.#reserveBytes(length);
    const { bytes } = this;
    const offset = this.#usedBytes;
    let isPlain = true;
    for (let i = 0; i < length; i++) {
      const byte = name[i] as number;
      bytes[offset + i] = byte;
      if (byte === QUOTE || byte === BACKSLASH) isPlain = false;
    }
    this.offsets[this.count] = offset;
    this.lengths[this.count] = length;
    this.plainLengths[this.count] = isPlain ? length : 0;
    this.hashes[this.count] = hash;
    this.tags.push(tag);
    this.#usedBytes += length;
    this.count++;
  }

  /** Whether a name has these bytes. */
  equals(index: number, name: Uint8Array, start: number, end: number): boolean {
    if (this.lengths[index] !== end - start) return false;
    const { bytes } = this;
    let at = this.offsets[index] as number;
    for (let i = start; i < end; i++) if (bytes[at++] !== name[i]) return false;
    return true;
  }

  #growColumns(): void {
    const capacity = Math.min(PAGE_NAMES, 2 * this.hashes.length);
    this.hashes = copied(this.hashes, new Int32Array(capacity));
    this.offsets = copied(this.offsets, new Uint32Array(capacity));
    this.lengths = copied(this.lengths, new Uint16Array(capacity));
    this.plainLengths = copied(this.plainLengths, new Uint16Array(capacity));
    this.followers = copied(this.followers, new Int32Array(capacity));
  }

  #reserveBytes(extra: number): void {
    const needed = this.#usedBytes + extra;
    if (needed <= this.bytes.length) return;
    const wholePage = needed > LONG_NAMES_BYTES ? Math.ceil((needed / (this.count + 1)) * PAGE_NAMES) : 0;
    this.bytes = copied(this.bytes, new Uint8Array(Math.max(needed, 2 * this.bytes.length, wholePage)));
    this.view = new DataView(this.bytes.buffer);
  }
}

function copied<T extends Int32Array | Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
