// The value column of types that are texts: the distinct texts, in order of first appearance, and a column of indexes.

import { corrupt } from '../../errors.ts';
import type { TextList } from '../../text-list.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';

const indexes = new Float64Array(MAX_BLOCK_POINTS);

/** Longer texts of one length are all alike to a `Map`, which would compare each with all others. */
const MOST_HASHED_CHARS = 16_383;
/** Texts, the last ones, that a long text is compared with when they look alike. */
const MOST_COMPARED = 8;
const SAMPLE_CHARS = 32;

/** The distinct texts of a column, in order of first appearance. A long text may be among them twice. */
class DistinctTexts {
  readonly texts: string[] = [];
  readonly #short = new Map<string, number>();
  readonly #long = new Map<string, number[]>();

  indexOf(text: string): number {
    if (text.length > MOST_HASHED_CHARS) return this.#indexOfLong(text);
    const known = this.#short.get(text);
    if (known !== undefined) return known;
    this.#short.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  #indexOfLong(text: string): number {
    const middle = text.length >>> 1;
    const sample = text.slice(0, SAMPLE_CHARS) + text.slice(middle, middle + SAMPLE_CHARS) + text.slice(-SAMPLE_CHARS);
    const alike = this.#long.get(sample) ?? [];
    const known = alike.slice(-MOST_COMPARED).find((index) => this.texts[index] === text);
    if (known !== undefined) return known;
    alike.push(this.texts.length);
    this.#long.set(sample, alike);
    return this.texts.push(text) - 1;
  }
}

/** Appends the texts that `references[0, count)` point to in `texts`; -1 means no text (a null before any text). */
export function encodeTexts(out: ByteWriter, references: Float64Array, count: number, texts: TextList): void {
  const distinct = new DistinctTexts();
  let reference = -1;
  let index = 0;
  for (let i = 0; i < count; i++) {
    const next = references[i] as number;
    if (next !== reference) {
      reference = next;
      index = distinct.indexOf(texts.at(next));
    }
    indexes[i] = index;
  }
  out.varint(distinct.texts.length);
  for (const text of distinct.texts) out.text(text);
  encodeIntegers(out, indexes, 0, count);
}

/** Fills `texts`, and `references[0, count)` with indexes into it. Throws CORRUPT. */
export function decodeTexts(reader: ByteReader, references: Float64Array, count: number, texts: TextList): void {
  const textCount = reader.varint();
  if (textCount > count) throw corrupt(`got ${textCount} texts; want at most ${count}`, { offset: reader.offset });
  for (let i = 0; i < textCount; i++) texts.push(reader.text());
  decodeIntegers(reader, references, 0, count);
  const largest = Math.max(0, textCount - 1);
  for (let i = 0; i < count; i++) {
    const index = references[i] as number;
    if (!(index >= 0 && index <= largest) || index !== Math.floor(index)) {
      throw corrupt(`got text ${index} of ${textCount}`, { offset: reader.offset });
    }
  }
}
