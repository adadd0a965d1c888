// Tags by name, found by the raw bytes of the name: an open-addressing hash table over one pool of name bytes, so that
// a parser looks a tag up without creating a string; the tag that followed last time is tried first. Benchmark: bench ingest.

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
  #hashes = new Int32Array(32);
  #offsets = new Uint32Array(32);
  #lengths = new Uint16Array(32);
  #tags: (Tag | undefined)[] = [];
  #pool = new Uint8Array(1024);
  #poolView = new DataView(this.#pool.buffer);
  #poolLength = 0;
  #live = 0;
  /** The entry found last, and for each entry the one found after it last time: bodies repeat their order. */
  #found = 0;
  #followers = new Int32Array(32);
  /** The lengths again, but 0 for names that JSON escapes. */
  #plainLengths = new Uint16Array(32);

  get size(): number {
    return this.#live;
  }

  find(name: string): Tag | undefined {
    const length = encodeName(name);
    return this.findBytes(scratch, 0, length);
  }

  findBytes(bytes: Uint8Array, start: number, end: number): Tag | undefined {
    const guess = this.#followers[this.#found] as number;
    if (guess < this.#tags.length && this.#equals(guess, bytes, start, end)) {
      this.#found = guess;
      return this.#tags[guess];
    }
    const entry = this.#findEntry(bytes, start, end, hashBytes(bytes, start, end));
    if (entry === NONE) return undefined;
    this.#followers[this.#found] = entry;
    this.#found = entry;
    return this.#tags[entry];
  }

  findFollowing(view: DataView, start: number): Tag | undefined {
    const guess = this.#followers[this.#found] as number;
    const length = this.#plainLengths[guess] as number;
    if (length === 0 || start + length > view.byteLength) return undefined;
    const pool = this.#poolView;
    const offset = this.#offsets[guess] as number;
    let i = 0;
    for (; i + WORD_BYTES <= length; i += WORD_BYTES)
      if (view.getInt32(start + i, true) !== pool.getInt32(offset + i, true)) return undefined;
    for (; i < length; i++) if (view.getUint8(start + i) !== pool.getUint8(offset + i)) return undefined;
    this.#found = guess;
    return this.#tags[guess];
  }

  get foundBytes(): number {
    return this.#lengths[this.#found] as number;
  }

  /** Adds a tag; its name must not be in use. */
  add(name: string, tag: Tag): void {
    const length = encodeName(name);
    const hash = hashBytes(scratch, 0, length);
    const known = this.#findEntry(scratch, 0, length, hash);
    this.#live++;
    if (known !== NONE) {
      this.#tags[known] = tag; // the name of a deleted tag, used again
      return;
    }
    const entry = this.#tags.length;
    this.#growEntries(entry + 1);
    this.#growPool(length);
    this.#pool.set(scratch.subarray(0, length), this.#poolLength);
    this.#offsets[entry] = this.#poolLength;
    this.#lengths[entry] = length;
    this.#plainLengths[entry] = /["\\]/.test(name) ? 0 : length;
    this.#hashes[entry] = hash;
    this.#poolLength += length;
    this.#tags.push(tag);
    this.#insert(entry, hash);
  }

  delete(name: string): void {
    const length = encodeName(name);
    const entry = this.#findEntry(scratch, 0, length, hashBytes(scratch, 0, length));
    if (entry === NONE || !this.#tags[entry]) return;
    this.#tags[entry] = undefined;
    this.#live--;
  }

  /** Every tag, in no particular order. */
  *[Symbol.iterator](): Iterator<Tag> {
    for (const tag of this.#tags) if (tag) yield tag;
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
      if (this.#hashes[entry] === hash && this.#equals(entry, bytes, start, end)) return entry;
    }
  }

  #equals(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#lengths[entry] !== end - start) return false;
    const pool = this.#pool;
    let at = this.#offsets[entry] as number;
    for (let i = start; i < end; i++) if (pool[at++] !== bytes[i]) return false;
    return true;
  }

  #insert(entry: number, hash: number): void {
    if (this.#tags.length > this.#slots.length * MAX_LOAD) {
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
      this.#place(this.#movedEntries, this.#hashes[this.#movedEntries] as number);
    }
    if (end === this.#outgrownEntries) this.#outgrown = undefined;
  }

  #place(entry: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry + 1;
  }

  #growEntries(count: number): void {
    if (count <= this.#hashes.length) return;
    const capacity = Math.ceil(this.#hashes.length * 1.5);
    const hashes = new Int32Array(capacity);
    const offsets = new Uint32Array(capacity);
    const lengths = new Uint16Array(capacity);
    const followers = new Int32Array(capacity);
    const plainLengths = new Uint16Array(capacity);
    followers.set(this.#followers);
    this.#followers = followers;
    hashes.set(this.#hashes);
    offsets.set(this.#offsets);
    lengths.set(this.#lengths);
    plainLengths.set(this.#plainLengths);
    this.#hashes = hashes;
    this.#offsets = offsets;
    this.#lengths = lengths;
    this.#plainLengths = plainLengths;
  }

  #growPool(extra: number): void {
    if (this.#poolLength + extra <= this.#pool.length) return;
    const pool = new Uint8Array(Math.max(this.#pool.length * 2, this.#poolLength + extra));
    pool.set(this.#pool);
    this.#pool = pool;
    this.#poolView = new DataView(pool.buffer);
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
