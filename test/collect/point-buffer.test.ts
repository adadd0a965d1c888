// Points on their way over the disk: what is refused, what finds no room, and what is acknowledged.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBody } from '../../client/http-link.ts';
import { advanceByLeft } from '../../collect/left-batches.ts';
import { NewestTimes } from '../../collect/newest-times.ts';
import type { NamedPoint } from '../../collect/point.ts';
import { type BufferOptions, PointBuffer } from '../../collect/point-buffer.ts';
import { RefusedError } from '../../forward/errors.ts';
import { type PostReceipt, UnavailableError } from '../../forward/historian-client.ts';
import { SmallDisk, whyNoSmallDisk } from '../support/small-disk.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const MEGABYTE = 1024 * 1024;
const FINE: PostReceipt = { rejectedCount: 0, ignoredCount: 0, fault: undefined };
const MOST_LOOKS = 3000;

class Rig {
  readonly posted: string[] = [];
  readonly log: string[] = [];
  readonly failures: unknown[] = [];
  readonly stop = new AbortController();
  droppings = 0;
  answer: (text: string) => PostReceipt = () => FINE;
  prepare: () => void = () => undefined;
  readonly folder: string;

  constructor(context: TestContext, folder: string) {
    this.folder = folder;
    context.after(() => this.stop.abort());
  }

  open(limitBytes = MEGABYTE) {
    const options: BufferOptions = {
      folder: this.folder,
      limitBytes,
      target: { baseUrl: new URL('http://127.0.0.1'), token: undefined },
      client: {
        postData: async ({ bytes }: HttpBody) => {
          const receipt = this.answer(bytes.toString());
          this.posted.push(bytes.toString());
          return receipt;
        },
      },
      prepare: async () => this.prepare(),
      onAway: () => undefined,
      onStored: () => undefined,
      onDropping: () => {
        this.droppings++;
      },
      onFailure: (error) => this.failures.push(error),
      log: (line) => this.log.push(line),
      signal: this.stop.signal,
    };
    return PointBuffer.open(options);
  }
}

function points(tag: string, count: number, json = '1'): NamedPoint[] {
  return Array.from({ length: count }, (_, index) => ({
    tag,
    point: { timeMs: index, ticks: 0, json, number: 1, quality: 192 },
  }));
}

function away(): PostReceipt {
  throw new UnavailableError('nobody there');
}

async function until(what: string, look: () => boolean): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    if (look()) return;
    await delay(10);
  }
  throw new Error(`waited too long for ${what}`);
}

test('faulty points are counted and kept aside, the others of their batch and those behind go on', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  rig.answer = (text) =>
    text.includes('"bad"') ? { rejectedCount: 2, ignoredCount: 0, fault: '/bad/0/v: got text' } : FINE;
  const { buffer } = await rig.open();
  buffer.add([...points('good', 3), ...points('bad', 2, '"x"')]);
  await buffer.sent();
  buffer.add(points('good', 1));
  await buffer.sent();
  assert.equal(rig.posted.length, 2);
  assert.equal(buffer.counts.refused, 2);
  assert.equal(readdirSync(join(rig.folder, 'refused')).length, 1);
  assert.match(rig.log.join('\n'), /refused 2 points of a batch: \/bad\/0\/v: got text; the batch is kept in/);
});

test('a batch that is refused as a whole is kept aside with the number of its points', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  rig.answer = () => {
    throw new RefusedError(400, 'the server refused a batch of points with 400');
  };
  const { buffer } = await rig.open();
  buffer.add(points('a', 7));
  await buffer.sent();
  assert.equal(buffer.counts.refused, 7);
});

test('a dataset that cannot be made makes points wait, and refuses none', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  rig.prepare = () => {
    throw new RefusedError(400, 'the server refused creating the dataset with 400');
  };
  const { buffer } = await rig.open();
  buffer.add(points('a', 5));
  await buffer.written();
  await until('the line of the log', () =>
    rig.log.some((line) => line.includes('the points wait until it takes them')),
  );
  assert.equal(buffer.counts.refused, 0);
  assert.deepEqual([buffer.figures.points, buffer.figures.batches], [5, 1]);
  rig.prepare = () => undefined;
  await buffer.sent();
  assert.equal(rig.posted.length, 1);
  assert.equal(buffer.figures.points, 0);
});

test('points that were late for a dataset that takes none such are counted, and told once', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  rig.answer = () => ({ ...FINE, ignoredCount: 1 });
  const { buffer } = await rig.open();
  for (let round = 0; round < 2; round++) {
    buffer.add(points('a', 1));
    await buffer.sent();
  }
  assert.equal(buffer.counts.ignored, 2);
  assert.equal(rig.log.filter((line) => line.includes('takes no late points')).length, 1);
});

test('a batch stays below a megabyte, so that proxies let it pass', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  const { buffer } = await rig.open(64 * MEGABYTE);
  buffer.add(points('a', 60, JSON.stringify('x'.repeat(50_000))));
  await buffer.sent();
  assert.ok(rig.posted.length > 1);
  assert.ok(rig.posted.every((text) => text.length < MEGABYTE));
});

test('what finds no room is dropped with all behind it, never acknowledged, and taken again when there is room', async (context) => {
  const rig = new Rig(context, makeTempFolder(context));
  rig.answer = away;
  const { buffer } = await rig.open(2000);
  let keptCount = 0;
  buffer.add(points('a', 30));
  void buffer.kept().then(() => keptCount++);
  await buffer.written();
  await until('the first batch to be kept', () => keptCount === 1);
  buffer.add(points('b', 30));
  void buffer.kept().then(() => keptCount++);
  await buffer.written();
  buffer.add(points('c', 1));
  await buffer.written();
  assert.deepEqual([buffer.counts.dropped, rig.droppings, buffer.canResume, keptCount], [31, 1, false, 1]);
  rig.answer = () => FINE;
  await until('room', () => buffer.canResume);
  buffer.add(points('d', 1));
  // Points from before the resumption are dropped: they lie behind the hole.
  await buffer.resume();
  buffer.add(points('e', 1));
  await buffer.sent();
  assert.equal(buffer.counts.dropped, 32);
  assert.match(rig.posted.at(-1) ?? '', /"e"/);
});

test('a disk that is full drops points until it has room, and ends nothing', {
  skip: whyNoSmallDisk(),
}, async (context) => {
  const disk = new SmallDisk('4m');
  context.after(() => disk.remove());
  const rig = new Rig(context, join(disk.path, 'points'));
  const { buffer } = await rig.open(64 * MEGABYTE);
  disk.fill();
  buffer.add(points('a', 1000));
  await buffer.written();
  assert.deepEqual([buffer.counts.dropped, buffer.canResume, rig.failures], [1000, false, []]);
  assert.match(rig.log.join('\n'), /the disk of .* is full: points are dropped/);
  const newest = await NewestTimes.open(join(disk.path, 'newest.json'));
  newest.advance(points('a', 1));
  await newest.save();
  disk.makeRoom();
  assert.equal(buffer.canResume, true);
  await buffer.resume();
  buffer.add(points('a', 10));
  await buffer.sent();
  assert.equal(rig.posted.length, 1);
  await newest.save();
  assert.equal((await NewestTimes.open(join(disk.path, 'newest.json'))).get('a')?.newest.timeMs, 0);
});

test('batches that an earlier run left go first, are counted, and tell the newest times', async (context) => {
  const folder = makeTempFolder(context);
  const first = new Rig(context, join(folder, 'points'));
  first.answer = away;
  const before = await first.open();
  before.buffer.add([...points('a', 3), ...points('b', 1)]);
  await before.buffer.written();
  first.stop.abort();
  const rig = new Rig(context, join(folder, 'points'));
  rig.answer = away;
  const { buffer, left } = await rig.open();
  const { points: pointCount, batches, bytes } = buffer.figures;
  assert.deepEqual([pointCount, batches, bytes > 100], [4, 1, true]);
  const newest = await NewestTimes.open(join(folder, 'newest.json'));
  await advanceByLeft(newest, left);
  assert.deepEqual(newest.get('a')?.newest, { timeMs: 2, ticks: 0 });
  buffer.add(points('c', 1));
  rig.answer = () => FINE;
  await buffer.sent();
  assert.deepEqual(
    rig.posted.map((text) => Object.keys(JSON.parse(text))),
    [['a', 'b'], ['c']],
  );
});
