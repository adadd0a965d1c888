// A hole in the last journal: a torn unsynced group ends it, damage to synced records does not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { encodeHeader, JOURNAL_HEADER, JOURNAL_MAGIC } from '../../../engine/format/bytes/file-headers.ts';
import { beginFrame, endFrame } from '../../../engine/format/bytes/frame.ts';
import { type JournalFileContent, readJournal } from '../../../engine/journal/journal-reader.ts';
import { endAtTear } from '../../../engine/journal/torn-tail.ts';
import { MemoryVfs } from '../../support/memory-vfs.ts';

const IDENTITY = 77;
const PAYLOAD_BYTES = 1000;
const SECTOR_BYTES = 512;

/** Records 1 to `syncedBefore.length`; each stores which record was synced when it was written. */
function journalOf(syncedBefore: readonly number[]): { bytes: Uint8Array; starts: number[] } {
  const out = new ByteWriter(64);
  encodeHeader(out, JOURNAL_HEADER, JOURNAL_MAGIC, { identity: IDENTITY, number: 1, firstSequence: 1 });
  const starts = syncedBefore.map((synced, i) => {
    const offset = beginFrame(out);
    for (let k = 0; k < PAYLOAD_BYTES; k++) out.u8(1 + (k % 250));
    endFrame(out, offset, i + 1, IDENTITY, synced);
    return offset;
  });
  return { bytes: out.written().slice(), starts };
}

function read(bytes: Uint8Array, durableSequence = 0): JournalFileContent {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('journal');
  const file = vfs.openSync('journal/0000000001', 'write');
  file.writeSync(bytes, 0);
  file.closeSync();
  return endAtTear(readJournal(vfs, 'journal', 1), durableSequence);
}

/** Zeros in the first whole sector behind an offset. */
function loseSector(bytes: Uint8Array, behind: number): void {
  const start = Math.ceil(behind / SECTOR_BYTES) * SECTOR_BYTES;
  bytes.fill(0, start, start + SECTOR_BYTES);
}

function sequencesOf(content: JournalFileContent): number[] {
  return content.frames.map(({ sequence }) => sequence);
}

describe('a journal with a sector that was never written (D3)', () => {
  it('ends before the hole when no later record proves that it was synced', () => {
    const { bytes, starts } = journalOf([0, 1, 1, 1]);
    loseSector(bytes, starts[1] as number);
    const content = read(bytes);
    assert.deepEqual(sequencesOf(content), [1]);
    assert.deepEqual(
      content.damages.map(({ place, offset, bytes: length }) => ({ place, end: offset + length })),
      [{ place: 'tail', end: bytes.length }],
    );
  });

  it('continues after the hole when a later record proves that it was synced', () => {
    const { bytes, starts } = journalOf([0, 1, 1, 2]);
    loseSector(bytes, starts[1] as number);
    const content = read(bytes);
    assert.deepEqual(sequencesOf(content), [1, 3, 4]);
    assert.deepEqual(
      content.damages.map(({ place }) => place),
      ['middle'],
    );
  });

  it('continues after the hole when a checkpoint proves that it was synced', () => {
    const { bytes, starts } = journalOf([0, 1, 1, 1]);
    loseSector(bytes, starts[1] as number);
    assert.deepEqual(sequencesOf(read(bytes, 2)), [1, 3, 4]);
  });

  it('ends where the end of a sector that held synced records was not written', () => {
    const { bytes, starts } = journalOf([0, 1, 1]);
    const start = starts[1] as number;
    bytes.fill(0, start, Math.ceil(start / SECTOR_BYTES) * SECTOR_BYTES);
    assert.deepEqual(sequencesOf(read(bytes)), [1]);
  });

  it('ends at its beginning when its own header was not written', () => {
    const { bytes } = journalOf([0, 0, 0, 0]);
    bytes.fill(0, 0, SECTOR_BYTES);
    assert.deepEqual(sequencesOf(read(bytes)), []);
  });
});

describe('a journal that was copied part by part while records came (D3)', () => {
  it('ends where the copy was ahead of the records, although later ones say that all before them was synced', () => {
    const { bytes, starts } = journalOf([0, 1, 2, 3, 4, 5, 6]);
    const frontier = starts[2] as number;
    const partEnd = 4096;
    assert.ok(frontier % SECTOR_BYTES !== 0 && frontier < partEnd && partEnd < (starts[5] as number));
    bytes.fill(0, frontier, partEnd);
    assert.deepEqual(sequencesOf(read(bytes, 2)), [1, 2]);
  });

  it('is damaged where whole sectors are missing behind the end of a record', () => {
    const { bytes, starts } = journalOf([0, 1, 2, 3, 4, 5, 6]);
    const frontier = Math.ceil((starts[2] as number) / SECTOR_BYTES) * SECTOR_BYTES;
    bytes.fill(0, frontier, 4096);
    assert.deepEqual(sequencesOf(read(bytes)), [1, 2, 5, 6, 7]);
  });
});

it('zeros behind the last record are room, and no damage', () => {
  const { bytes } = journalOf([0, 1, 2]);
  const withRoom = new Uint8Array(bytes.length + 65_536);
  withRoom.set(bytes);
  const content = read(withRoom);
  assert.deepEqual(sequencesOf(content), [1, 2, 3]);
  assert.deepEqual(content.damages, []);
});

it('a flipped bit is not taken for a tear, also where nothing proves that the record was synced', () => {
  const { bytes, starts } = journalOf([0, 1, 1, 1]);
  const offset = (starts[1] as number) + 500;
  bytes[offset] = (bytes[offset] as number) ^ 4;
  assert.deepEqual(sequencesOf(read(bytes)), [1, 3, 4]);
});
