// The texts that were read last, by their bytes. States come again and again: each is to be one string, made once, instead of
// one for every point (`npm run bench -- --suite ingest --case "W1 with texts, JSON, group"`).

/** A power of two: a text has one place, by its hash. */
const PLACES = 512;
/** Longer texts seldom come twice, and take longer to compare. */
const MOST_BYTES = 32;

/** Makes the text of bytes `[start, end)`, or throws. */
type Decode<Bytes> = (bytes: Bytes, start: number, end: number) => string;

export class RecentTexts<Bytes extends Uint8Array> {
  readonly #decode: Decode<Bytes>;
  readonly #bytes = new Uint8Array(PLACES * MOST_BYTES);
  readonly #sizes = new Uint8Array(PLACES);
  readonly #texts: string[] = new Array<string>(PLACES).fill('');

  constructor(decode: Decode<Bytes>) {
    this.#decode = decode;
  }

  /** The text of bytes `[start, end)`. Throws as `decode` does. */
  at(bytes: Bytes, start: number, end: number): string {
    const size = end - start;
    if (size > MOST_BYTES) return this.#decode(bytes, start, end);
    let hash = size;
    for (let i = start; i < end; i++) hash = Math.imul(hash, 31) + (bytes[i] as number);
    const place = (hash ^ (hash >>> 9) ^ (hash >>> 18)) & (PLACES - 1);
    return this.#isAt(place, bytes, start, size) ? (this.#texts[place] as string) : this.#put(place, bytes, start, end);
  }

  #isAt(place: number, bytes: Bytes, start: number, size: number): boolean {
    if (this.#sizes[place] !== size) return false;
    const kept = this.#bytes;
    const at = place * MOST_BYTES;
    for (let i = 0; i < size; i++) if (kept[at + i] !== bytes[start + i]) return false;
    return true;
  }

  #put(place: number, bytes: Bytes, start: number, end: number): string {
    const text = this.#decode(bytes, start, end);
    this.#texts[place] = text;
    this.#sizes[place] = end - start;
    this.#bytes.set(bytes.subarray(start, end), place * MOST_BYTES);
    return text;
  }
}

/** The same of UTF-8 that is known to be sound. */
export function recentUtf8(): RecentTexts<Buffer> {
  return new RecentTexts((bytes, start, end) => bytes.toString('utf8', start, end));
}
