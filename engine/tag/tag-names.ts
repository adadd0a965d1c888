// Tags by name, found by the raw bytes of the name: an open-addressing hash table over pages of names, so that a parser
// looks a tag up without creating a string; the tag that followed last time is tried first. Benchmark: bench ingest.

import { NamePage, PAGE_MASK, PAGE_NAMES, PAGE_SHIFT } from './name-page.ts';
import type { Tag } from './tag.ts';

const encoder = new TextEncoder();
/** Bytes of a name during a call. */
let scratch = new Uint8Array(4096);

/** Writes a name's UTF-8 bytes into `scratch` and returns how many. Most names are short and ASCII. */
function encodeName(name: string): number {
  if (name.length * 3 > scratch.length) scratch = new Uint8Array(name.length * 3);
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code >= 0x80) return encoder.encodeInto(name, scratch).written;
    scratch[i] = code;
  }
  return name.length;
}
const NONE = -1;
const WORD_BYTES = 4;
/** The table grows when more than this share of its slots is taken. */
const MAX_LOAD = 0.6;
/** Entries that each new name moves to the grown table: moving all at once would block the event loop. */
const MOVED_AT_ONCE = 16;

export class TagNames {
  /** Slot -> entry plus one, or 0. Entries of deleted tags stay. */
  #slots = new Int32Array(64);
  /** The table before it grew; entries from `#movedEntries` to `#outgrownEntries` are only in this one. */
  #outgrown: Int32Array | undefined;
  #outgrownEntries = 0;
  #movedEntries = 0;
  /** Entries by page: all pages but the last are full. */
  readonly #pages: NamePage[] = [new NamePage(true)];
  #entryCount = 0;
  #live = 0;
  /** Entries of names that lead to a tag of another name. */
  readonly #leading = new Set<number>();
  #changes = 0;
  /** The entry found last: bodies repeat their order. */
  #found = 0;

  get size(): number {
    return this.#live;
  }

  get changes(): number {
    return this.#changes;
  }

  find(name: string): Tag | undefined {
    const length = encodeName(name);
    return this.findBytes(scratch, 0, length);
  }

  /** The tag that has the name now, and none that had it before. */
  findPresent(name: string): Tag | undefined {
    const tag = this.find(name);
    return tag?.name === name ? tag : undefined;
  }

  findBytes(bytes: Uint8Array, start: number, end: number): Tag | undefined {
    const last = this.#pageOf(this.#found);
    const guess = last.followers[this.#found & PAGE_MASK] as number;
    const page = this.#pageOf(guess);
    if (guess < this.#entryCount && page.equals(guess & PAGE_MASK, bytes, start, end)) {
      this.#found = guess;
      return page.tags[guess & PAGE_MASK];
    }
    const entry = this.#findEntry(bytes, start, end, hashBytes(bytes, start, end));
    if (entry === NONE) return undefined;
    last.followers[this.#found & PAGE_MASK] = entry;
    this.#found = entry;
    return this.#pageOf(entry).tags[entry & PAGE_MASK];
  }

  findFollowing(view: DataView, start: number): Tag | undefined {
    const guess = this.#pageOf(this.#found).followers[this.#found & PAGE_MASK] as number;
    const page = this.#pageOf(guess);
    const index = guess & PAGE_MASK;
    const length = page.plainLengths[index] as number;
    if (length === 0 || start + length > view.byteLength) return undefined;
    const names = page.view;
    const offset = page.offsets[index] as number;
    let i = 0;
    for (; i + WORD_BYTES <= length; i += WORD_BYTES)
      if (view.getInt32(start + i, true) !== names.getInt32(offset + i, true)) return undefined;
    for (; i < length; i++) if (view.getUint8(start + i) !== names.getUint8(offset + i)) return undefined;
    this.#found = guess;
    return page.tags[index];
  }

  get foundBytes(): number {
    return this.#pageOf(this.#found).lengths[this.#found & PAGE_MASK] as number;
  }

  /** Adds a tag; its name must not be in use. */
  add(name: string, tag: Tag): void {
    const length = encodeName(name);
    const hash = hashBytes(scratch, 0, length);
    const known = this.#findEntry(scratch, 0, length, hash);
    this.#live++;
    this.#changes++;
    if (known !== NONE) {
      this.#pageOf(known).tags[known & PAGE_MASK] = tag; // the name of a deleted tag, used again
      this.#leading.delete(known);
      return;
    }
    this.#addEntry(tag, length, hash);
  }

  /** From here on a name that no tag has leads to this tag: it is found by it, and not listed under it. */
  lead(name: string, tag: Tag): void {
    const length = encodeName(name);
    const hash = hashBytes(scratch, 0, length);
    const known = this.#findEntry(scratch, 0, length, hash);
    const { tags } = this.#pageOf(known === NONE ? 0 : known);
    if (known !== NONE && tags[known & PAGE_MASK] && !this.#leading.has(known)) return;
    this.#changes++;
    if (known !== NONE) tags[known & PAGE_MASK] = tag;
    this.#leading.add(known === NONE ? this.#addEntry(tag, length, hash) : known);
  }

  /** Takes back what `lead` did, unless a tag has the name by now. */
  stopLeading(name: string): void {
    const length = encodeName(name);
    const entry = this.#findEntry(scratch, 0, length, hashBytes(scratch, 0, length));
    if (!this.#leading.delete(entry)) return;
    this.#pageOf(entry).tags[entry & PAGE_MASK] = undefined;
    this.#changes++;
  }

  /** Adds the name in `scratch`; returns its entry. */
  #addEntry(tag: Tag, length: number, hash: number): number {
    const entry = this.#entryCount++;
    if (entry === this.#pages.length * PAGE_NAMES) this.#pages.push(new NamePage(false));
    this.#pageOf(entry).add(tag, scratch, length, hash);
    this.#insert(entry, hash);
    return entry;
  }

  delete(name: string): void {
    const length = encodeName(name);
    const entry = this.#findEntry(scratch, 0, length, hashBytes(scratch, 0, length));
    if (entry === NONE) return;
    const { tags } = this.#pageOf(entry);
    if (!tags[entry & PAGE_MASK] || this.#leading.has(entry)) return;
    tags[entry & PAGE_MASK] = undefined;
    this.#live--;
    this.#changes++;
  }

  /** Every tag, in no particular order. */
  *[Symbol.iterator](): Iterator<Tag> {
    let entry = 0;
    for (const { tags } of this.#pages) {
      for (const tag of tags) {
        if (tag && !this.#leading.has(entry)) yield tag;
        entry++;
      }
    }
  }

  #pageOf(entry: number): NamePage {
    return this.#pages[entry >>> PAGE_SHIFT] as NamePage;
  }

  #findEntry(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const entry = this.#findIn(this.#slots, bytes, start, end, hash);
    if (entry !== NONE || this.#outgrown === undefined) return entry;
    return this.#findIn(this.#outgrown, bytes, start, end, hash);
  }

  #findIn(slots: Int32Array, bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = (slots[slot] as number) - 1;
      if (entry === NONE) return NONE;
      const page = this.#pageOf(entry);
      const index = entry & PAGE_MASK;
      if (page.hashes[index] === hash && page.equals(index, bytes, start, end)) return entry;
    }
  }

  #insert(entry: number, hash: number): void {
    if (this.#entryCount > this.#slots.length * MAX_LOAD) {
      this.#outgrown = this.#slots;
      this.#outgrownEntries = entry;
      this.#movedEntries = 0;
      this.#slots = new Int32Array(this.#slots.length * 2);
    }
    this.#place(entry, hash);
    if (this.#outgrown !== undefined) this.#moveSome();
  }

  /** Moves some entries; all have moved long before the table grows again. */
  #moveSome(): void {
    const end = Math.min(this.#outgrownEntries, this.#movedEntries + MOVED_AT_ONCE);
    for (; this.#movedEntries < end; this.#movedEntries++) {
      const { hashes } = this.#pageOf(this.#movedEntries);
      this.#place(this.#movedEntries, hashes[this.#movedEntries & PAGE_MASK] as number);
    }
    if (end === this.#outgrownEntries) this.#outgrown = undefined;
  }

  #place(entry: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry + 1;
  }
}

/** FNV-1a over the bytes, with a final mix so that the low bits are good (Fowler, Noll, Vo; murmur3's finalizer). */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
