// The counts of the tags of a write as JSON, in pieces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteCounts, WriteReceipt } from '../../../../engine/index.ts';
import { formatTagCounts, NOTHING_WRITTEN } from '../../../../server/routes/write/receipt.ts';

const NAMES = [
  'Plain',
  'Quote " and \\',
  'Ümläut/温度',
  '10',
  '2',
  ...Array.from({ length: 5000 }, (_, i) => `Tag ${i}`),
];

function countsOf(index: number): WriteCounts {
  return { written: index, ignored: 1, repeated: 2, rejected: 3, expired: 4, ahead: 5 };
}

function receiptOf(names: readonly string[]): WriteReceipt {
  return { ...NOTHING_WRITTEN, eachTag: () => names.map((name, index) => [name, countsOf(index)] as const) };
}

test('the pieces are the members of an object in the order of the request, whatever the names are', async () => {
  const pieces = await formatTagCounts(receiptOf(NAMES));
  assert.ok(pieces.length > 3, `${pieces.length} pieces`);
  const text = `{${pieces.map((piece) => Buffer.from(piece).toString('utf8')).join(',')}}`;
  const members = NAMES.map((name, index) => {
    const { written, ignored, repeated, rejected, expired } = countsOf(index);
    return `${JSON.stringify(name)}:${JSON.stringify({ written, ignored, repeated, rejected, expired })}`;
  });
  assert.equal(text, `{${members.join(',')}}`);
});

test('without tags there is no piece', async () => {
  assert.deepEqual(await formatTagCounts(receiptOf([])), []);
});
