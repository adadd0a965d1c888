// The texts that were read last, by their bytes. States come again and again: each is to be one string, made once, instead of
// one for every point (`npm run bench -- --suite ingest --case "W1 with texts, JSON, group"`).

import type { TextList } from '../../../engine/index.ts';

/** A power of two: a text has one place, by its hash. */
const PLACES = 512;
/** Longer texts seldom come twice, and take longer to compare. */
export const MOST_RECENT_BYTES = 32;

/** Makes the text of bytes `[start, end)`, or throws. */
type Decode<Bytes> = (bytes: Bytes, start: number, end: number) => string;

export class RecentTexts<Bytes extends Uint8Array> {
  readonly #decode: Decode<Bytes>;
  readonly #bytes = new Uint8Array(PLACES * MOST_RECENT_BYTES);
  readonly #sizes = new Uint8Array(PLACES);
  readonly #texts: string[] = new Array<string>(PLACES).fill('');
  /** The list that the text of a place was added to last, and its number there. */
  readonly #lists = new Float64Array(PLACES);
  readonly #numbers = new Float64Array(PLACES);

  constructor(decode: Decode<Bytes>) {
    this.#decode = decode;
  }

  /** The text of bytes `[start, end)`. Throws as `decode` does. */
  at(bytes: Bytes, start: number, end: number): string {
    const size = end - start;
    if (size > MOST_RECENT_BYTES) return this.#decode(bytes, start, end);
    const place = placeOf(bytes, start, end);
    return this.#isAt(place, bytes, start, size) ? (this.#texts[place] as string) : this.#put(place, bytes, start, end);
  }

  /** The number of the text of bytes `[start, end)`, MOST_RECENT_BYTES at most, in a list, to which it is added unless it is there. */
  numberIn(list: TextList, bytes: Bytes, start: number, end: number): number {
    const place = placeOf(bytes, start, end);
    const isKnown = this.#isAt(place, bytes, start, end - start);
    const text = isKnown ? (this.#texts[place] as string) : this.#put(place, bytes, start, end);
    if (this.#lists[place] === list.serial) {
      list.chars += text.length; // as if it had been pushed
    } else {
      this.#numbers[place] = list.add(text);
      this.#lists[place] = list.serial;
    }
    return this.#numbers[place] as number;
  }

  #isAt(place: number, bytes: Bytes, start: number, size: number): boolean {
    if (this.#sizes[place] !== size) return false;
    const kept = this.#bytes;
    const at = place * MOST_RECENT_BYTES;
    for (let i = 0; i < size; i++) if (kept[at + i] !== bytes[start + i]) return false;
    return true;
  }

  #put(place: number, bytes: Bytes, start: number, end: number): string {
    const text = this.#decode(bytes, start, end);
    this.#texts[place] = text;
    this.#sizes[place] = end - start;
    this.#lists[place] = 0;
    // Byte by byte: they are few, and a view of them would cost more than their copy.
    const at = place * MOST_RECENT_BYTES;
    for (let i = start; i < end; i++) this.#bytes[at + i - start] = bytes[i] as number;
    return text;
  }
}

function placeOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = Math.imul(hash, 31) + (bytes[i] as number);
  return (hash ^ (hash >>> 9) ^ (hash >>> 18)) & (PLACES - 1);
}

/** The same of UTF-8 that is known to be sound. */
export function recentUtf8(): RecentTexts<Buffer> {
  return new RecentTexts((bytes, start, end) => bytes.toString('utf8', start, end));
}
