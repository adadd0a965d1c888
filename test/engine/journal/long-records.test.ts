// A long record is written from where it is, as a group of its own: the order of records and of answers stays, also when the
// disk refuses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { beginFrame } from '../../../engine/format/bytes/frame.ts';
import { readJournal } from '../../../engine/journal/journal-reader.ts';
import { JournalWriter } from '../../../engine/journal/journal-writer.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const FOLDER = 'journal';
const COPIED_BYTES = 100;

function openJournal(vfs: MemoryVfs): JournalWriter {
  vfs.makeDirectorySync(FOLDER);
  return new JournalWriter({
    vfs,
    clock: new ManualClock(0),
    random: new SeededRandom(1),
    folder: FOLDER,
    durability: 'group',
    fileBytes: 2 ** 20,
    syncIntervalMs: 1000,
    copiedRecordBytes: COPIED_BYTES,
    firstNumber: 1,
    nextSequence: 1,
    onPoisoned: () => undefined,
    room: () => undefined,
  });
}

function recordOf(fill: number, count: number): ByteWriter {
  const record = new ByteWriter(16);
  beginFrame(record);
  record.raw(new Uint8Array(count).fill(fill));
  return record;
}

/** Submits records of these sizes at once, each filled with its number; what was heard of them, in order. */
async function submitAll(journal: JournalWriter, sizes: readonly number[]): Promise<string[]> {
  const heard: string[] = [];
  for (const [index, size] of sizes.entries()) {
    journal.submit(recordOf(index + 1, size), {
      commit: () => void heard.push(`${index + 1} stored`),
      fail: ({ code }) => heard.push(`${index + 1} ${code}`),
    });
  }
  await journal.drain();
  return heard;
}

function storedIn(vfs: MemoryVfs): string[] {
  const { bytes, frames } = readJournal(vfs, FOLDER, 1);
  return frames.map(({ sequence, payloadStart, payloadEnd }) => {
    const payload = bytes.subarray(payloadStart, payloadEnd);
    assert.ok(payload.every((byte) => byte === payload[0]));
    return `${sequence}: ${payload.length} x ${payload[0]}`;
  });
}

test('long and short records come in the order they were submitted in, and so do their answers', async () => {
  const vfs = new MemoryVfs({});
  const journal = openJournal(vfs);
  const sizes = [10, 5000, 20, 30, 6000, 7000, 40];
  assert.deepEqual(
    await submitAll(journal, sizes),
    sizes.map((_, index) => `${index + 1} stored`),
  );
  await journal.close();
  assert.deepEqual(
    storedIn(vfs),
    sizes.map((size, index) => `${index + 1}: ${size} x ${index + 1}`),
  );
});

test('what is behind a long record that the disk refuses fails with it, newest first, and the journal goes on', async () => {
  const vfs = new MemoryVfs({ capacityBytes: 20_000 });
  const journal = openJournal(vfs);
  assert.deepEqual(await submitAll(journal, [10, 50_000, 20, 40_000, 30]), [
    '1 stored',
    '5 DISK_FULL',
    '4 DISK_FULL',
    '3 DISK_FULL',
    '2 DISK_FULL',
  ]);
  assert.deepEqual(await submitAll(journal, [50, 1000]), ['1 stored', '2 stored']);
  await journal.close();
  assert.deepEqual(storedIn(vfs), ['1: 10 x 1', '2: 50 x 1', '3: 1000 x 2']);
});
