// Spills: packed pages that are read as one row of blocks, and damage that stays within its page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSpill, type Spill, SpillWriter } from '../../../engine/files/spill.ts';
import { readBlock } from '../../../engine/files/tag-file-reader.ts';
import { SPILL_HEADER } from '../../../engine/format/bytes/file-headers.ts';
import { findPages, type PageEntry } from '../../../engine/format/bytes/page.ts';
import { EngineError, PointColumns, ValueType } from '../../../engine/index.ts';
import { MemoryVfs } from '../../support/memory-vfs.ts';

const TAG_COUNT = 2000;
const POINT_COUNT = 6;
const PATH = 'd/spill/0000000007';

/** A disk with one spill of many short blocks. */
async function writeSpill(): Promise<MemoryVfs> {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('d/spill');
  const writer = new SpillWriter(vfs, 'd', 7, 1234);
  const points = new PointColumns(POINT_COUNT);
  for (let tag = 0; tag < TAG_COUNT; tag++) {
    points.count = POINT_COUNT;
    for (let i = 0; i < POINT_COUNT; i++) {
      points.timesMs[i] = 1e12 + i * 1000 + (tag % 7);
      points.numbers[i] = numberOf(tag, i);
      points.qualities[i] = 192;
    }
    writer.addAll(points, { tagId: 64 + tag, type: ValueType.Double, firstOrdinal: 10 });
  }
  const written = await writer.finish();
  assert.deepEqual(tagsRead(vfs, written), everyTag());
  return vfs;
}

function numberOf(tag: number, i: number): number {
  return tag + i / 4;
}

function everyTag(): number[] {
  return Array.from({ length: TAG_COUNT }, (_, tag) => tag);
}

/** The tags whose points are read; the others' blocks are damaged. */
function tagsRead(vfs: MemoryVfs, spill: Spill): number[] {
  const read: number[] = [];
  const points = new PointColumns(POINT_COUNT);
  const file = spill.open(vfs, 'd');
  for (let i = 0; i < spill.index.count; i++) {
    const entry = spill.index.entry(i);
    try {
      readBlock(file, entry, points);
    } catch (error) {
      assert.ok(error instanceof EngineError && error.code === 'CORRUPT');
      continue;
    }
    const tag = entry.tagId - 64;
    assert.deepEqual(
      [...points.numbers.subarray(0, points.count)],
      Array.from({ length: POINT_COUNT }, (_, n) => numberOf(tag, n)),
    );
    read.push(tag);
  }
  file.closeSync();
  return read;
}

function bytesOf(vfs: MemoryVfs): Uint8Array {
  const file = vfs.openSync(PATH, 'read');
  const bytes = new Uint8Array(file.sizeSync());
  file.readSync(bytes, 0, bytes.length, 0);
  file.closeSync();
  return bytes;
}

function pagesOf(vfs: MemoryVfs): PageEntry[] {
  return findPages(bytesOf(vfs), SPILL_HEADER.sizeBytes, 7);
}

function flip(vfs: MemoryVfs, offset: number): void {
  const file = vfs.openSync(PATH, 'write');
  file.writeSync(Uint8Array.of((bytesOf(vfs)[offset] as number) ^ 1), offset);
  file.closeSync();
}

test('a spill of short blocks takes a third of what its blocks and its index take', async () => {
  const vfs = await writeSpill();
  const spill = openSpill(vfs, 'd', 7);
  const unpacked = spill.open(vfs, 'd').sizeSync();
  assert.ok(spill.sizeBytes < unpacked / 2.5, `${spill.sizeBytes} of ${unpacked} bytes`);
  assert.equal(spill.sizeBytes, bytesOf(vfs).length);
  assert.equal(spill.createdMs, 1234);
  assert.deepEqual(spill.damages, []);
  assert.deepEqual(tagsRead(vfs, spill), everyTag());
});

test('damage in a page takes the blocks of that page and no other, whether it was there at the start or comes later', async () => {
  const vfs = await writeSpill();
  const before = openSpill(vfs, 'd', 7);
  const page = pagesOf(vfs)[3] as PageEntry;
  const isInside = (i: number): boolean => {
    const { offset } = before.index.entry(i);
    return offset >= page.unpackedOffset && offset < page.unpackedOffset + page.sizeBytes;
  };
  const left = everyTag().filter((tag) => !isInside(tag));
  assert.ok(left.length < TAG_COUNT && left.length > TAG_COUNT - 500);
  for (const offset of [0, 5, 9, 17, 21, 24, 30, page.packedBytes - 1]) {
    flip(vfs, page.offset + offset);
    assert.deepEqual(tagsRead(vfs, openSpill(vfs, 'd', 7)), left, `byte ${offset} of the page`);
    flip(vfs, page.offset + offset);
  }
  flip(vfs, page.offset + 100);
  assert.deepEqual(tagsRead(vfs, before), left);
});

test('a spill with a damaged index or header is read by its blocks', async () => {
  const vfs = await writeSpill();
  const last = pagesOf(vfs).at(-1) as PageEntry;
  for (const offset of [last.offset + 40, 2]) {
    flip(vfs, offset);
    const spill = openSpill(vfs, 'd', 7);
    assert.ok(spill.damages.length > 0);
    assert.deepEqual(tagsRead(vfs, spill), everyTag());
    flip(vfs, offset);
  }
});
