// The value column of types that are texts: each distinct text once, in order of first appearance, and a column of indexes.

import { corrupt } from '../../errors.ts';
import type { TextList } from '../../text-list.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';

const indexes = new Float64Array(MAX_BLOCK_POINTS);

/** Appends the texts that `references[0, count)` point to in `texts`; -1 means no text (a null before any text). */
export function encodeTexts(out: ByteWriter, references: Float64Array, count: number, texts: TextList): void {
  const indexByText = new Map<string, number>();
  let reference = -1;
  let index = 0;
  for (let i = 0; i < count; i++) {
    const next = references[i] as number;
    if (next !== reference) {
      reference = next;
      index = indexOfText(indexByText, texts.at(next));
    }
    indexes[i] = index;
  }
  out.varint(indexByText.size);
  for (const text of indexByText.keys()) out.text(text);
  encodeIntegers(out, indexes, 0, count);
}

function indexOfText(indexByText: Map<string, number>, text: string): number {
  const known = indexByText.get(text);
  if (known !== undefined) return known;
  indexByText.set(text, indexByText.size);
  return indexByText.size - 1;
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
