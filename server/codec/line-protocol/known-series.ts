// The series that a body has named so far, found by the bytes in front of their fields, without a string: bodies repeat
// their series, mostly in one order, so the one that followed last time is tried first.

import { BACKSLASH, COMMA, EQUALS, isEscapable, NEWLINE, NONE, SPACE } from './line-bytes.ts';
import type { TagColumn } from './tag-columns.ts';
import type { SeriesNaming } from './tag-naming.ts';

/** A field of a series: where its key is in the body, and the column that its points go to. */
export interface SeriesField {
  readonly start: number;
  readonly length: number;
  readonly column: TagColumn;
}

export class Series {
  readonly start: number;
  readonly length: number;
  readonly hash: number;
  readonly naming: SeriesNaming;
  /** In the order in which they were met. */
  readonly fields: SeriesField[] = [];
  /** By the bytes of the key, as latin1, once there are many: most series have few, and memory for no map. */
  #byKey: Map<string, SeriesField> | undefined;
  /** What followed it when it was met last. */
  next: Series | undefined;

  constructor(bytes: { readonly start: number; readonly length: number; readonly hash: number }, naming: SeriesNaming) {
    this.start = bytes.start;
    this.length = bytes.length;
    this.hash = bytes.hash;
    this.naming = naming;
  }

  /** The field whose key is the bytes at `start`. */
  findField(bytes: Buffer, start: number, length: number): SeriesField | undefined {
    if (this.#byKey !== undefined) return this.#byKey.get(bytes.toString('latin1', start, start + length));
    for (const field of this.fields)
      if (field.length === length && areEqual(bytes, start, field.start, length)) return field;
    return undefined;
  }

  addField(bytes: Buffer, field: SeriesField): void {
    this.fields.push(field);
    if (this.fields.length < MANY_FIELDS) return;
    const added = this.#byKey === undefined ? this.fields : [field];
    this.#byKey ??= new Map();
    for (const one of added) this.#byKey.set(bytes.toString('latin1', one.start, one.start + one.length), one);
  }
}

const MANY_FIELDS = 16;

const FIRST_SLOTS = 256;
const MOST_SLOTS = 65_536;
/** Slots are looked at in a row up to here: keys that were made to collide must not cost more. */
const MAX_PROBES = 32;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

export class KnownSeries {
  /** Length and hash of the key that `scan` went over last. */
  length = 0;
  hash = 0;
  #slots = emptySlots(FIRST_SLOTS);
  #count = 0;
  #last: Series | undefined;

  clear(): void {
    if (this.#count > 0) this.#slots = emptySlots(FIRST_SLOTS);
    this.#count = 0;
    this.#last = undefined;
  }

  /** The series that is expected, if the bytes at `start` are its key. */
  findNext(bytes: Uint8Array, start: number): Series | undefined {
    const guess = this.#last?.next;
    if (guess === undefined || bytes[start + guess.length] !== SPACE) return undefined;
    if (!areEqual(bytes, start, guess.start, guess.length)) return undefined;
    this.#last = guess;
    return guess;
  }

  /** Goes over the key at `start`; false when no field follows it. */
  scan(bytes: Uint8Array, start: number, limit: number): boolean {
    let hash = SEED;
    for (let at = start; at < limit; at++) {
      let byte = bytes[at] as number;
      if (byte === NEWLINE) return false;
      if (byte === SPACE) {
        this.length = at - start;
        this.hash = hash ^ (hash >>> 15);
        return true;
      }
      hash = Math.imul(hash ^ byte, PRIME);
      if (byte !== BACKSLASH || at + 1 >= limit || !isEscapable(bytes[at + 1])) continue;
      byte = bytes[++at] as number;
      hash = Math.imul(hash ^ byte, PRIME);
    }
    return false;
  }

  /** The series of the key that was scanned. */
  find(bytes: Uint8Array, start: number): Series | undefined {
    const { hash, length } = this;
    const slots = this.#slots;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const series = slots[(hash + probe) & (slots.length - 1)];
      if (series === undefined) return undefined;
      if (series.hash !== hash || series.length !== length || !areEqual(bytes, start, series.start, length)) continue;
      this.#follow(series);
      return series;
    }
    return undefined;
  }

  /** Remembers a series; above the limit all are forgotten, and read again where they come again. */
  add(series: Series): void {
    if (this.#count * 2 >= this.#slots.length) {
      if (this.#slots.length === MOST_SLOTS) this.clear();
      else this.#grow();
    }
    if (place(this.#slots, series)) this.#count++;
    this.#follow(series);
  }

  #grow(): void {
    const slots = emptySlots(this.#slots.length * 2);
    for (const series of this.#slots) if (series !== undefined) place(slots, series);
    this.#slots = slots;
  }

  #follow(series: Series): void {
    if (this.#last !== undefined) this.#last.next = series;
    this.#last = series;
  }
}

function emptySlots(count: number): (Series | undefined)[] {
  return new Array<Series | undefined>(count).fill(undefined);
}

/** False when there is no room for it where it would be looked for. */
function place(slots: (Series | undefined)[], series: Series): boolean {
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const slot = (series.hash + probe) & (slots.length - 1);
    if (slots[slot] !== undefined) continue;
    slots[slot] = series;
    return true;
  }
  return false;
}

/** The length of the field's key at `start`, which an equals sign must follow; NONE when none does. */
export function fieldKeyLength(bytes: Uint8Array, start: number, limit: number): number {
  for (let at = start; at < limit; at++) {
    const byte = bytes[at];
    if (byte === EQUALS) return at - start;
    if (byte === BACKSLASH && isEscapable(bytes[at + 1])) at++;
    else if (byte === NEWLINE || byte === SPACE || byte === COMMA) return NONE;
  }
  return NONE;
}

export function areEqual(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}
