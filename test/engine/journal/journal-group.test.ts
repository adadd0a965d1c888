// Long records go to the journal from where they are, and are the same bytes there as copied ones; their checksums are made
// in stretches, between which others have their turns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { decodeFrame } from '../../../engine/format/bytes/frame.ts';
import { JournalGroup, type JournalRecord } from '../../../engine/journal/journal-group.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const IDENTITY = 0x1234567;
const MIB = 2 ** 20;

function randomBytes(random: SeededRandom, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function groupOf(records: readonly JournalRecord[], copiedBytes: number): JournalGroup {
  const group = new JournalGroup();
  for (const [index, record] of records.entries()) {
    group.add(record, { sequence: index + 1, identity: IDENTITY, syncedSequence: 0 }, copiedBytes);
  }
  return group;
}

async function bytesOf(group: JournalGroup): Promise<Buffer> {
  await group.seal(() => undefined);
  return Buffer.concat(group.pieces());
}

test('a group with long records has the bytes of one that copies them, wherever they stand in it', async () => {
  const random = new SeededRandom(20261122);
  for (let round = 0; round < 30; round++) {
    const records = Array.from({ length: 1 + random.below(5) }, (): JournalRecord => {
      const payload = randomBytes(random, random.pick([1, 99, 100, 101, 5000]));
      return random.below(4) === 0 ? (out: ByteWriter) => out.raw(payload) : payload;
    });
    const [copied, long] = [groupOf(records, Number.POSITIVE_INFINITY), groupOf(records, 100)];
    assert.equal(long.sizeBytes, copied.sizeBytes);
    const bytes = await bytesOf(copied);
    assert.deepEqual(await bytesOf(long), bytes);
    assert.equal(bytes.length, copied.sizeBytes);
    assert.equal(
      decodeFrame(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, IDENTITY).sequence,
      1,
    );
  }
});

test('a long record is not copied, and others have a turn at each MiB of its checksum', async () => {
  const record = new Uint8Array(5 * MIB);
  const group = groupOf([record], MIB);
  let turns = 0;
  await group.seal(() => {
    turns++;
    return undefined;
  });
  assert.equal(turns, 5);
  assert.ok(group.pieces().includes(record));
  group.clear();
  assert.equal(group.sizeBytes, 0);
  assert.deepEqual(group.pieces(), []);
});

test('a group without long records asks for no turn', () => {
  assert.equal(
    groupOf([new Uint8Array(100)], 100).seal(() => assert.fail()),
    undefined,
  );
});
