// A group holds the frames of its records one behind the other, whether they come as bytes or as what writes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { decodeFrame } from '../../../engine/format/bytes/frame.ts';
import { JournalGroup, type JournalRecord } from '../../../engine/journal/journal-group.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const IDENTITY = 0x1234567;

function groupOf(records: readonly JournalRecord[]): JournalGroup {
  const group = new JournalGroup();
  for (const [index, record] of records.entries()) {
    group.add(record, { sequence: index + 1, identity: IDENTITY, syncedSequence: 0 });
  }
  return group;
}

test('the frames of a group are those of its records in order, however these come', () => {
  const random = new SeededRandom(20261122);
  for (let round = 0; round < 30; round++) {
    const payloads = Array.from({ length: 1 + random.below(5) }, () =>
      Uint8Array.from({ length: random.pick([1, 99, 100, 101, 5000]) }, () => random.below(256)),
    );
    const group = groupOf(payloads);
    const bytes = group.written();
    const written = groupOf(payloads.map((payload) => (out: ByteWriter) => out.raw(payload))).written();
    assert.deepEqual(written, bytes);
    assert.equal(bytes.length, group.sizeBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let offset = 0;
    for (const [index, payload] of payloads.entries()) {
      const frame = decodeFrame(bytes, view, offset, IDENTITY);
      assert.equal(frame.sequence, index + 1);
      assert.deepEqual(bytes.subarray(frame.payloadStart, frame.payloadEnd), payload);
      offset = frame.payloadEnd;
    }
    assert.equal(offset, bytes.length);
    group.clear();
    assert.equal(group.sizeBytes, 0);
  }
});
