// What moves full heads into tag files, on a dataset of its own: never a point whose record is not synced (D5), and
// nothing forgotten of what could not be written.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Dataset, type EngineContext } from '../../../engine/dataset/dataset.ts';
import { DiskSpace } from '../../../engine/dataset/disk-space.ts';
import { EncodingThread } from '../../../engine/encoder/encoding-thread.ts';
import { BlockWriter } from '../../../engine/flush/block-writer.ts';
import type { EngineEvent } from '../../../engine/index.ts';
import { appendToHead } from '../../../engine/ingest/commit-append.ts';
import type { JournalWriter } from '../../../engine/journal/journal-writer.ts';
import { DEFAULT_TUNABLES } from '../../../engine/limits.ts';
import type { Tag } from '../../../engine/tag/tag.ts';
import { PointColumns, ValueType } from '../../../engine/types.ts';
import { lateThreads } from '../../support/late-threads.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const BLOCK_POINTS = 16;
const TURNS = 200;

interface Plant {
  readonly dataset: Dataset;
  readonly disk: MemoryVfs;
  readonly events: EngineEvent[];
  readonly writer: BlockWriter;
}

type Encoding = 'here' | 'on a thread' | 'on a thread that ends';

async function makePlant(encoding: Encoding, syncedSequence: () => number): Promise<Plant> {
  const disk = makeDisk({});
  const clock = new ManualClock(START_MS);
  const events: EngineEvent[] = [];
  const listener = (event: EngineEvent): void => void events.push(event);
  const threads = lateThreads(new SeededRandom(1), encoding === 'on a thread that ends' ? 1 : 0);
  const encodingThread = encoding === 'here' ? undefined : new EncodingThread(threads, BLOCK_POINTS, listener);
  encodingThread?.take(); // starts it
  await turn();
  const context = {
    vfs: disk,
    clock,
    listener,
    encodingThread,
    tunables: { ...DEFAULT_TUNABLES, blockPoints: BLOCK_POINTS },
    disk: new DiskSpace(disk, clock, DATA_FOLDER, 0),
    health: { poisoned: undefined },
    poison: (error: Error) => assert.fail(error),
    bytesWritten: { journal: 0, spill: 0, tags: 0, catalog: 0 },
  } as unknown as EngineContext;
  const dataset = new Dataset(context, DATA_FOLDER, { name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  disk.makeDirectorySync(`${DATA_FOLDER}/tags`);
  const journal = {
    get syncedSequence() {
      return syncedSequence();
    },
    sync: () => Promise.resolve(),
  };
  dataset.writing.journal = journal as unknown as JournalWriter;
  return { dataset, disk, events, writer: new BlockWriter(dataset) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await turn();
}

/** Points of a request that is applied; its record has a number. */
function addPoints(dataset: Dataset, tag: Tag, count: number, sequence: number): void {
  const points = new PointColumns(count);
  for (let i = 0; i < count; i++) {
    points.timesMs[i] = START_MS + (tag.nextOrdinal + i) * 1000;
    points.numbers[i] = i;
    points.qualities[i] = 192;
  }
  points.count = count;
  appendToHead(dataset.memory, tag, ValueType.Double, tag.nextOrdinal, points, 0, count);
  tag.nextOrdinal += count;
  tag.headSequence = sequence;
}

function addFullTag(dataset: Dataset, name: string): Tag {
  const tag = dataset.tags.add({ name, type: ValueType.Double }, undefined);
  addPoints(dataset, tag, BLOCK_POINTS, 1);
  tag.queued = true;
  dataset.memory.fullTags.push(tag);
  return tag;
}

describe('a block writer', () => {
  for (const encoding of ['here', 'on a thread'] as const) {
    it(`files no points that come right behind its look at what is synced (D5, encoding ${encoding})`, async () => {
      // The levels `interval` and `os` work like this: short records are written and applied within one turn of the event loop.
      let onLook: (() => void) | undefined;
      const { dataset, writer } = await makePlant(encoding, () => {
        if (onLook) queueMicrotask(onLook);
        onLook = undefined;
        return 1;
      });
      const tag = addFullTag(dataset, 'A');
      onLook = () => addPoints(dataset, tag, BLOCK_POINTS, 2);
      writer.start();
      await turns();
      assert.equal(tag.nextOrdinal, 2 * BLOCK_POINTS);
      assert.ok(
        tag.flushedOrdinal <= BLOCK_POINTS,
        `${tag.flushedOrdinal} points are flushed, ${BLOCK_POINTS} are synced`,
      );
    });
  }

  it('files no points that come while a thread that ends has their head, until these are synced (D5)', async () => {
    let looks = 0;
    let synced = 1;
    const { dataset, events, writer } = await makePlant('on a thread that ends', () => {
      // The second look is right before the head goes to the thread.
      if (++looks === 2) queueMicrotask(() => addPoints(dataset, tag, BLOCK_POINTS, 2));
      return synced;
    });
    const tag = addFullTag(dataset, 'A');
    writer.start();
    await turns();
    assert.deepEqual(
      events.map(({ event }) => event),
      ['blocks.thread-ended'],
    );
    assert.deepEqual([tag.nextOrdinal, tag.flushedOrdinal], [2 * BLOCK_POINTS, 0]);
    synced = 2;
    dataset.memory.fullTags.push(tag); // as the next points of it do
    writer.start();
    await turns();
    assert.deepEqual([tag.nextOrdinal, tag.flushedOrdinal], [2 * BLOCK_POINTS, 2 * BLOCK_POINTS]);
  });

  it('keeps the tags of a batch queued that a full disk refuses, says so once, and files them at the next start', async () => {
    const { dataset, disk, events, writer } = await makePlant('on a thread', () => 1);
    const tags = ['A', 'B', 'C', 'D'].map((name) => addFullTag(dataset, name));
    disk.failAt(2, 'write', 'ENOSPC');
    writer.start();
    await turns();
    assert.deepEqual(
      events.map(({ event }) => event),
      ['blocks.delayed'],
    );
    const isFiled = (tag: Tag): boolean => tag.flushedOrdinal === BLOCK_POINTS;
    assert.equal(tags.filter(isFiled).length, 1);
    assert.equal(tags.filter((tag) => tag.queued && dataset.memory.fullTags.includes(tag)).length, 3);
    writer.start();
    await turns();
    assert.ok(tags.every(isFiled));
    assert.equal(dataset.memory.fullTags.length, 0);
  });
});
