// Blocks that are encoded on a thread of its own: the same bytes as here, and everything there whatever becomes of the thread.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EncodingBatch } from '../../../engine/encoder/encoding-batch.ts';
import { EncodingThread } from '../../../engine/encoder/encoding-thread.ts';
import { encodeBatch } from '../../../engine/encoder/encoding-work.ts';
import { evenBlockPoints } from '../../../engine/encoder/even-blocks.ts';
import { encodeBlock } from '../../../engine/format/block/block.ts';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { Head } from '../../../engine/head/head.ts';
import { HeadArena } from '../../../engine/head/head-arena.ts';
import { type Engine, type EngineEvent, nodeThreads, openEngine, type StartThread } from '../../../engine/index.ts';
import { PointColumns, ValueType } from '../../../engine/types.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { lateThreads } from '../../support/late-threads.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const BLOCK_POINTS = 64;
const ROUNDS = 60;
const START_MS = Date.UTC(2025, 0, 1);
const TAGS = ['A', 'B', 'C'];
const POINTS = 3000;
const POINTS_A_REQUEST = 50;
const FILED_LIMIT_MS = 60_000;

function drawValue(points: PointColumns, i: number, type: ValueType, random: SeededRandom): void {
  if (type === ValueType.Int64) points.bigints[i] = BigInt(random.below(1e9)) * 2n ** 30n;
  else if (type === ValueType.Double) points.numbers[i] = random.pick([random.unit(), random.below(9999) / 100]);
  else points.numbers[i] = random.below(2);
}

/** A head with points of every kind, some of the oldest dropped. */
function drawHead(arena: HeadArena, random: SeededRandom): Head {
  const type = random.pick([ValueType.Double, ValueType.Int32, ValueType.Int64, ValueType.Boolean]);
  const head = new Head(type, random.below(1e6), undefined);
  const plain = random.chance(0.6);
  let ms = START_MS;
  for (let runs = 1 + random.below(60); runs > 0; runs--) {
    const points = new PointColumns(40);
    points.count = 1 + random.below(40);
    for (let i = 0; i < points.count; i++) {
      ms += 1 + random.below(5000);
      points.timesMs[i] = ms;
      points.qualities[i] = plain ? 192 : random.pick([0, 64, 192]);
      points.ticks[i] = plain ? 0 : random.below(10_000);
      points.nulls[i] = plain ? 0 : random.below(2);
      if (!points.nulls[i]) drawValue(points, i, type, random);
    }
    arena.append(head, points, 0, points.count);
  }
  if (random.chance(0.5)) arena.drop(head, random.below(head.count));
  return head;
}

/** The reference: the blocks that the main thread makes of a head's points. */
function blocksHere(arena: HeadArena, head: Head, from: number, count: number, tagId: number): Uint8Array {
  const points = new PointColumns(count);
  arena.copy(head, from, count, points);
  const out = new ByteWriter();
  const size = evenBlockPoints(count, BLOCK_POINTS);
  for (let start = 0; start < count; start += size) {
    const firstOrdinal = head.firstOrdinal + from + start;
    const end = Math.min(count, start + size);
    encodeBlock(out, points, start, end, { tagId, type: head.type, firstOrdinal, statistics: 'when-long' });
  }
  return out.written();
}

interface Asked {
  readonly head: Head;
  readonly from: number;
  readonly count: number;
}

function pointsFrom(first: number, count: number, tag: number): NumberPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    ms: START_MS + (first + i) * 1000,
    value: Math.round(Math.sin((first + i) / 50 + tag) * 1e4) / 100,
  }));
}

/** Writes all points, some of each tag at a time, with turns between. */
async function writeAll(engine: Engine): Promise<void> {
  for (let first = 0; first < POINTS; first += POINTS_A_REQUEST) {
    const tags = TAGS.map((name, tag) => [name, pointsFrom(first, POINTS_A_REQUEST, tag)] as const);
    await writeNumbers(engine, 'd', Object.fromEntries(tags));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function checkAll(engine: Engine): Promise<void> {
  for (const [tag, name] of TAGS.entries()) {
    const { points, gaps } = await readNumbers(engine, 'd', name);
    assert.deepEqual(gaps, []);
    const wanted = pointsFrom(0, POINTS, tag).map((point) => ({ ...point, quality: 192 }));
    assert.deepEqual(
      points.map(({ ms, value, quality }) => ({ ms, value, quality })),
      wanted,
    );
  }
}

/** Waits until so many batches were sent to the thread, and no blocks have been written for a while. */
async function untilFiled(engine: Engine, sent: () => number, want: number): Promise<void> {
  const limitMs = performance.now() + FILED_LIMIT_MS;
  let quiet = 0;
  for (let bytes = -1; quiet < 10 && performance.now() < limitMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = engine.stats().bytesWritten.tags;
    quiet = now === bytes && sent() >= want ? quiet + 1 : 0;
    bytes = now;
  }
}

function open(folder: string, threads: StartThread, events: EngineEvent[] = []): Promise<Engine> {
  const tunables = { blockPoints: BLOCK_POINTS, systemTagIntervalMs: 0, diskReserveBytes: 0 };
  return openEngine({ folder, threads, tunables, listener: (event) => events.push(event) });
}

describe('an encoding batch', () => {
  const seed = chooseSeed();
  it(`gives the blocks that this thread would make of the same heads (SEED=${seed})`, () => {
    const random = new SeededRandom(seed);
    const arena = new HeadArena();
    const batch = new EncodingBatch();
    for (let round = 0; round < ROUNDS; round++) {
      batch.clear();
      const asked: Asked[] = [];
      for (let n = 1 + random.below(10); n > 0; n--) {
        const head = drawHead(arena, random);
        const from = random.below(head.count);
        const task = { tagId: 64 + asked.length, type: head.type, firstOrdinal: head.firstOrdinal + from };
        assert.equal(batch.add(task, arena, head, from), head.count - from);
        asked.push({ head, from, count: head.count - from });
      }
      // The other thread does it like this: over the same memory.
      encodeBatch(new EncodingBatch(batch.memory), BLOCK_POINTS);
      for (const [index, { head, from, count }] of asked.entries()) {
        assert.deepEqual(batch.blocksOf(index), blocksHere(arena, head, from, count, 64 + index));
        arena.drop(head, head.count);
      }
    }
  });

  it('takes of a head that is too long what has room, when it is empty, and else nothing', () => {
    const arena = new HeadArena();
    const head = new Head(ValueType.Double, 0, undefined);
    const points = new PointColumns(200_000);
    for (let i = 0; i < 200_000; i++) {
      points.timesMs[i] = START_MS + i * 1000;
      points.numbers[i] = Math.sin(i);
      points.qualities[i] = 192;
    }
    points.count = 200_000;
    arena.append(head, points, 0, points.count);
    const batch = new EncodingBatch();
    const task = { tagId: 64, type: head.type, firstOrdinal: 0 };
    const taken = batch.add(task, arena, head, 0);
    assert.ok(taken > 10_000 && taken < 200_000, `${taken} points`);
    assert.equal(batch.add(task, arena, head, taken), 0);
    assert.equal(batch.count, 1);
    encodeBatch(batch, 3072);
    assert.deepEqual(batch.blocksOf(0).length > 0, true);
  });
});

describe('an encoding thread', () => {
  it('wakes all who wait for a free batch: the first may not need it any more', async () => {
    const thread = new EncodingThread(lateThreads(new SeededRandom(1), 0), BLOCK_POINTS, () => {});
    thread.take(); // starts it
    await new Promise((resolve) => setImmediate(resolve));
    const taken: EncodingBatch[] = [];
    for (let batch = thread.take(); batch; batch = thread.take()) taken.push(batch);
    assert.ok(taken.length > 0);
    let woken = 0;
    for (let i = 0; i < 3; i++) void thread.whenFree().then(() => woken++);
    thread.release(taken[0] as EncodingBatch);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(woken, 3);
  });
});

describe('an engine with an encoding thread', () => {
  it('has all points, before and after a restart, and the thread has made blocks of them', async (context) => {
    const folder = makeTempFolder(context);
    let sent = 0;
    const counting: StartThread = (module, shared, events) => {
      const thread = nodeThreads(module, shared, events);
      return {
        send: (message) => {
          sent++;
          thread.send(message);
        },
        end: () => thread.end(),
      };
    };
    const engine = await open(folder, counting);
    await writeAll(engine);
    // The thread takes some time to start: points until then are encoded here.
    for (let first = 0; sent === 0 && first < 1e6; first += POINTS_A_REQUEST) {
      await writeNumbers(engine, 'd', { Late: pointsFrom(first, POINTS_A_REQUEST, 9) });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await untilFiled(engine, () => sent, 1);
    assert.ok(sent > 0);
    await checkAll(engine);
    await engine.close();
    const again = await open(folder, nodeThreads);
    await checkAll(again);
    await again.close();
  });

  it('says so when the thread ends, and encodes here what it had', async (context) => {
    const events: EngineEvent[] = [];
    const engine = await open(makeTempFolder(context), lateThreads(new SeededRandom(1), 1), events);
    await writeAll(engine);
    await untilFiled(engine, () => 0, 0);
    await checkAll(engine);
    const { tags } = engine.stats().bytesWritten;
    assert.ok(tags > 0);
    assert.deepEqual(
      events.filter(({ level }) => level !== 'info').map(({ event }) => event),
      ['blocks.thread-ended'],
    );
    await engine.close();
  });

  it('has its blocks encoded here when the thread cannot load its work', async (context) => {
    const broken: StartThread = (_module, shared, events) =>
      nodeThreads(new URL('no-such-module.ts', import.meta.url), shared, events);
    const events: EngineEvent[] = [];
    const engine = await open(makeTempFolder(context), broken, events);
    await writeAll(engine);
    const limitMs = performance.now() + FILED_LIMIT_MS;
    while (events.length === 0 && performance.now() < limitMs) await new Promise((resolve) => setTimeout(resolve, 5));
    await writeNumbers(engine, 'd', { A: pointsFrom(POINTS, BLOCK_POINTS * 2, 0) });
    await untilFiled(engine, () => 0, 0);
    assert.equal((await readNumbers(engine, 'd', 'A')).points.length, POINTS + BLOCK_POINTS * 2);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['blocks.thread-ended'],
    );
    await engine.close();
  });

  it('encodes its blocks here, and takes writes, when the system has no thread to give', async (context) => {
    const none: StartThread = () => {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    };
    const events: EngineEvent[] = [];
    const engine = await open(makeTempFolder(context), none, events);
    await writeAll(engine);
    await untilFiled(engine, () => 0, 0);
    await checkAll(engine);
    assert.ok(engine.stats().bytesWritten.tags > 0);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['blocks.thread-ended'],
    );
    await engine.close();
  });
});
