// A group holds the frames of its records one behind the other, whether they come as bytes or as what writes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { beginFrame, decodeFrame } from '../../../engine/format/bytes/frame.ts';
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

/** A payload behind room for its frame's header. */
function framed(payload: Uint8Array): ByteWriter {
  const record = new ByteWriter(16);
  beginFrame(record);
  record.raw(payload);
  return record;
}

test('the frames of a group are those of its records in order, however these come', () => {
  const random = new SeededRandom(20261122);
  for (let round = 0; round < 30; round++) {
    const payloads = Array.from({ length: 1 + random.below(5) }, () =>
      Uint8Array.from({ length: random.pick([1, 99, 100, 101, 5000]) }, () => random.below(256)),
    );
    const group = groupOf(payloads.map(framed));
    const bytes = group.written();
    const written = groupOf(payloads.map((payload) => (out: ByteWriter) => out.raw(payload))).written();
    assert.deepEqual(written, bytes);
    assert.equal(bytes.length, group.sizeBytes);
    const view = viewOf(bytes);
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

test('a group that takes a record over has the same bytes, and leaves them to the record when it is cleared', () => {
  const payload = Uint8Array.from({ length: 5000 }, (_, i) => i);
  const record = framed(payload);
  const group = new JournalGroup();
  group.adopt(record, { sequence: 1, identity: IDENTITY, syncedSequence: 0 });
  assert.equal(group.written().buffer, record.bytes.buffer);
  const bytes = group.written().slice();
  assert.deepEqual(bytes, groupOf([framed(payload)]).written());
  group.clear();
  group.add((out) => out.raw(new Uint8Array(99)), { sequence: 2, identity: IDENTITY, syncedSequence: 1 });
  assert.deepEqual(record.written(), bytes);
  assert.equal(decodeFrame(group.written(), viewOf(group.written()), 0, IDENTITY).sequence, 2);
});

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
