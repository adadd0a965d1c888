// The counts of a write: of its tags as JSON, in pieces, and of all of it as headers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteCounts, WriteReceipt } from '../../../../engine/index.ts';
import { countHeaders } from '../../../../server/count-headers.ts';
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

test('the counts of a write are in its headers, whatever those of the write before were', () => {
  const keys = ['written', 'ignored', 'repeated', 'ahead', 'expired'] as const;
  const receipts = [NOTHING_WRITTEN, ...keys.map((key) => ({ ...NOTHING_WRITTEN, [key]: 7 })), NOTHING_WRITTEN];
  for (const receipt of receipts) {
    for (const rejected of [0, 3, 0]) {
      const { written, ignored, repeated, ahead, expired } = receipt;
      assert.deepEqual(
        Object.fromEntries(countHeaders(receipt, rejected)),
        Object.fromEntries(
          Object.entries({
            Written: written,
            Ignored: ignored,
            Repeated: repeated,
            Rejected: rejected,
            Ahead: ahead,
            Expired: expired,
          }).map(([name, count]) => [`Historian-${name}`, String(count)]),
        ),
      );
    }
  }
  const last = countHeaders(NOTHING_WRITTEN, 0);
  assert.equal(countHeaders({ ...NOTHING_WRITTEN }, 0), last); // so that nothing is worked out for it again
});
