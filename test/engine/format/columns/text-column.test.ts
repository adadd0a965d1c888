// The column of texts: long ones, which are alike to a Map, are told apart all the same, and found again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { decodeTexts, encodeTexts } from '../../../../engine/format/columns/text-column.ts';
import { TextList } from '../../../../engine/text-list.ts';

function encode(texts: readonly string[]): Uint8Array {
  const list = new TextList();
  const references = Float64Array.from(texts, (text) => list.push(text));
  const out = new ByteWriter(64);
  encodeTexts(out, references, texts.length, list);
  return out.written();
}

function decode(bytes: Uint8Array, count: number): string[] {
  const references = new Float64Array(count);
  const list = new TextList();
  const padded = new Uint8Array(bytes.length + 16); // as behind the columns of a block
  padded.set(bytes);
  decodeTexts(new ByteReader(padded, 0, bytes.length), references, count, list);
  return Array.from(references, (index) => list.at(index));
}

const LENGTHS = [0, 3, 16_383, 16_384, 40_000];

test('texts of any length that differ in one character only come back as they were', () => {
  for (const length of LENGTHS) {
    const texts = Array.from({ length: 40 }, (_, i) => {
      const at = Math.floor((length * i) / 40);
      return length === 0 ? '' : `${'x'.repeat(at)}${String.fromCharCode(65 + i)}${'x'.repeat(length - at - 1)}`;
    });
    assert.deepEqual(decode(encode(texts), texts.length), texts, `${length} characters`);
  }
});

test('a text that comes again is kept once, also a long one', () => {
  for (const length of LENGTHS.slice(1)) {
    const [a, b] = ['a'.repeat(length), 'b'.repeat(length)] as [string, string];
    const texts = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? a : b));
    const bytes = encode(texts);
    assert.ok(bytes.length < 2 * length + 200, `${bytes.length} bytes`);
    assert.deepEqual(decode(bytes, texts.length), texts);
  }
});
