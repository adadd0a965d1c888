// Long requests are cut into batches: what they answer and leave is what they would as one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Engine,
  type EngineError,
  PointColumns,
  type PointRun,
  ValueType,
  type WriteCounts,
} from '../../../engine/index.ts';
import type { EngineTunables } from '../../../engine/limits.ts';
import { readNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type MemoryVfs, systemError } from '../../support/memory-vfs.ts';
import { asPlain } from '../../support/plain-batches.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;
const ROUNDS = 150;
const REQUESTS = 6;
const TAGS = ['A', 'B', 'C'];
const TAG_OF_TEXTS = 'C';

const WHOLE: Partial<EngineTunables> = { batchTags: 1e9, batchPoints: 1e9, batchChars: 1e9 };
const CUT: Partial<EngineTunables> = { batchTags: 2, batchPoints: 4, batchChars: 40 };
/** Only what has many characters is cut. */
const CUT_BY_CHARS: Partial<EngineTunables> = { batchTags: 1e9, batchPoints: 1e9, batchChars: 100 };

const POINT = { ms: START_MS, ticks: 0, value: 1, quality: 192, isNull: false };

async function openWith(vfs: MemoryVfs, tunables: Partial<EngineTunables>): Promise<Engine> {
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS + 1e9),
    random: new SeededRandom(1),
    tunables: { ...tunables, sliceMs: 0, blockPoints: 16, systemTagIntervalMs: 0, diskReserveBytes: 0 },
  });
}

interface Draw {
  readonly name: string;
  readonly points: readonly { ms: number; ticks: number; value: number; quality: number; isNull: boolean }[];
  readonly rejected: number;
  readonly stamped: number;
}

/** Points in order or not, of equal times too, before and behind those that are there. */
function drawRequest(random: SeededRandom, round: number): Draw[] {
  const spanDays = random.pick([1, 30]);
  return TAGS.filter(() => random.chance(0.7)).map((name) => {
    const isOrdered = random.chance(0.5);
    const isPlain = random.chance(0.5);
    const count = random.between(1, 40);
    const behindMs = random.pick([0, 0, 25]) * DAY_MS;
    const points = Array.from({ length: count }, (_, i) => {
      const index = isOrdered ? i : random.below(count + 1);
      return {
        ms: START_MS - behindMs + Math.floor(((round + index / 40) * spanDays * DAY_MS) / 1000) * 1000,
        ticks: isPlain ? 0 : random.pick([0, 0, 5]),
        value: random.below(4) / 2,
        quality: isPlain ? 192 : random.pick([192, 0]),
        isNull: !isPlain && random.chance(0.2),
      };
    });
    return { name, points, rejected: random.pick([0, 2]), stamped: random.pick([0, 0, 2]) };
  });
}

async function send(engine: Engine, request: readonly Draw[]): Promise<unknown> {
  const points = new PointColumns(200);
  const runs: PointRun[] = request.map(({ name, points: own, rejected, stamped }) => {
    const start = points.count;
    for (const { ms, ticks, value, quality, isNull } of own) {
      const i = points.count++;
      points.timesMs[i] = ms;
      points.ticks[i] = ticks;
      if (!isNull) points.numbers[i] = name === TAG_OF_TEXTS ? points.texts.push(String(value).padEnd(i % 60)) : value;
      points.nulls[i] = isNull ? 1 : 0;
      points.qualities[i] = quality;
    }
    const tag = engine.hasDataset('d') ? engine.lookup('d').find(name) : undefined;
    const type = name === TAG_OF_TEXTS ? ValueType.String : ValueType.Double;
    return { name, tag, type, start, count: own.length, rejected, stamped };
  });
  const { tags, ...all } = await engine.append('d', asPlain({ points, runs }));
  return { all: countsOf(all), tags: [...tags].map(([name, counts]) => [name, countsOf(counts)]) };
}

/** How those that are not stored are counted depends on what is still in the head: blocks of what is cut begin earlier. */
function countsOf({ written, ignored, repeated, rejected, ahead, expired }: WriteCounts): unknown {
  return { written, rejected, ahead, dropped: ignored + repeated + expired };
}

async function contents(engine: Engine): Promise<unknown> {
  const all: unknown[] = [];
  for (const { name } of (await engine.tags('d')).user) {
    const { points, gaps } = await readNumbers(engine, 'd', name);
    assert.deepEqual(gaps, []);
    all.push([name, points]);
  }
  return all;
}

async function killed(vfs: MemoryVfs, tunables: Partial<EngineTunables>): Promise<Engine> {
  return openWith(vfs.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(2) }), tunables);
}

describe('long requests', () => {
  const seed = chooseSeed();
  it(`answer and leave the same, cut and whole (SEED=${seed})`, async () => {
    const random = new SeededRandom(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const tunables = random.pick([CUT, CUT_BY_CHARS]);
      const purgeAgeDays = random.pick([0, 20]);
      const disks = [makeDisk({}), makeDisk({})] as const;
      const [whole, cut] = [await openWith(disks[0], WHOLE), await openWith(disks[1], tunables)];
      for (const engine of [whole, cut]) await engine.createDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0 });
      for (let i = 0; i < REQUESTS; i++) {
        const request = drawRequest(random, i);
        assert.deepEqual(await send(cut, request), await send(whole, request), `round ${round}, request ${i}`);
        if (random.chance(0.2)) {
          assert.deepEqual(await send(cut, request), await send(whole, request), `round ${round}, ${i} again`);
        }
      }
      const want = await contents(whole);
      assert.deepEqual(await contents(cut), want, `round ${round}`);
      // A start may purge: what both find then is compared.
      const [wholeAgain, cutAgain] = [await killed(disks[0], WHOLE), await killed(disks[1], tunables)];
      assert.deepEqual(await contents(cutAgain), await contents(wholeAgain), `round ${round}, after a kill`);
      for (const engine of [whole, cut, wholeAgain, cutAgain]) await engine.close();
    }
  });

  it('of points that are out of order are sorted before they are cut', async () => {
    const random = new SeededRandom(5);
    const engine = await openWith(makeDisk({}), { batchPoints: 1000 });
    const count = 20_000;
    const indexes = random.shuffled(Array.from({ length: count }, (_, i) => i));
    const points = new PointColumns(count);
    for (const index of indexes) {
      points.timesMs[points.count] = START_MS + index * 10;
      points.numbers[points.count] = index;
      points.qualities[points.count++] = 192;
    }
    const run = { name: 'T', tag: undefined, type: ValueType.Double, start: 0, count, rejected: 0, stamped: 0 };
    const receipt = await engine.append('d', asPlain({ points, runs: [run] }));
    assert.deepEqual([receipt.written, receipt.tags.get('T')?.written, receipt.ignored], [count, count, 0]);
    const { points: read } = await readNumbers(engine, 'd', 'T');
    assert.deepEqual(
      read.map(({ value }) => value),
      Array.from({ length: count }, (_, i) => i),
    );
    await engine.close();
  });

  it('of which the dataset is deleted meanwhile leave nothing', async () => {
    const engine = await openWith(makeDisk({}), CUT);
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    const many = Array.from({ length: 100 }, (_, i) => ({
      ms: START_MS + i,
      ticks: 0,
      value: i,
      quality: 192,
      isNull: false,
    }));
    const sending = send(engine, [{ name: 'T', points: many, rejected: 0, stamped: 0 }]);
    await new Promise((resolve) => setImmediate(resolve));
    const deleting = engine.deleteDataset('d');
    await assert.rejects(sending);
    await deleting;
    assert.equal(engine.hasDataset('d'), false);
    await engine.close();
  });

  const manyOf = (count: number, value = 1): Draw => ({
    name: 'A',
    points: Array.from({ length: count }, (_, i) => ({
      ms: START_MS + i,
      ticks: 0,
      value,
      quality: 192,
      isNull: false,
    })),
    rejected: 0,
    stamped: 0,
  });

  it('with a fault in their last batch store nothing', async () => {
    for (const [code, faulty] of [
      ['BAD_NAME', { ...manyOf(1), name: '$System.Mine' }],
      ['TOO_FAR_AHEAD', { ...manyOf(1), name: 'B', points: [{ ...POINT, ms: START_MS + 2e9 }] }],
    ] as const) {
      const engine = await openWith(makeDisk({}), { ...CUT, maxAheadMs: 1e6 });
      await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
      await assert.rejects(send(engine, [manyOf(50), faulty]), (error) => (error as EngineError).code === code);
      assert.equal(engine.dataset('d').tagCount, 0);
      await engine.close();
    }
  });

  it('count as ahead, and expire, by what was there when they came', async () => {
    const engine = await openWith(makeDisk({}), { ...CUT, aheadMs: 10 });
    await engine.createDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
    const nowMs = START_MS + 1e9;
    const newest = { ...manyOf(1), points: [20, 40, 60, 80, 100].map((ms) => ({ ...POINT, ms: nowMs + ms })) };
    const old = {
      ...manyOf(1),
      name: 'B',
      points: [
        { ...POINT, ms: nowMs - 1.5 * DAY_MS },
        { ...POINT, ms: nowMs - DAY_MS },
      ],
    };
    const { all } = (await send(engine, [newest, old])) as { all: unknown };
    assert.deepEqual(all, { written: 7, rejected: 0, ahead: 5, dropped: 0 });
    await engine.close();
  });

  it('of which nothing but an expired point is left define their tag with it', async () => {
    const disk = makeDisk({});
    const engine = await openWith(disk, { ...CUT, batchPoints: 2 });
    await engine.createDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
    await send(engine, [{ ...manyOf(1), name: 'B', points: [{ ...POINT, ms: START_MS + 9e8 }] }]);
    const { all } = (await send(engine, [manyOf(9)])) as { all: unknown };
    assert.deepEqual(all, { written: 1, rejected: 0, ahead: 0, dropped: 8 });
    const again = await killed(disk, CUT);
    assert.deepEqual(await contents(again), await contents(engine));
    await Promise.all([engine.close(), again.close()]);
  });

  it('leave whole batches after a power cut, in order, which are known when they come again (D2)', async () => {
    const disk = makeDisk({});
    const engine = await openWith(disk, CUT);
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    const clones: MemoryVfs[] = [];
    disk.watch(({ kind, path }) => {
      if (kind === 'write-done' && path.includes('journal'))
        clones.push(disk.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(3) }));
    });
    await send(engine, [manyOf(41)]);
    const counts = new Set<number>();
    for (const clone of clones) {
      const again = await openWith(clone, CUT);
      const left = again.lookup('d').find('A') ? (await readNumbers(again, 'd', 'A')).points.length : 0;
      assert.ok(left === 41 || left % 4 === 0, `${left} points`);
      counts.add(left);
      const { all } = (await send(again, [manyOf(41)])) as { all: unknown };
      assert.deepEqual(all, { written: 41 - left, rejected: 0, ahead: 0, dropped: left });
      await again.close();
    }
    assert.ok(counts.size > 3, `${counts.size} different states`);
    await engine.close();
  });

  it('that meet a full disk say how many points of them are stored (D10)', async () => {
    const disk = makeDisk({});
    const engine = await openWith(disk, CUT);
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    let left = 8;
    const cancel = disk.watch(({ kind, path }) => {
      if (kind === 'write' && path.includes('journal') && --left <= 0) throw systemError('ENOSPC', kind, path);
    });
    const error = (await send(engine, [manyOf(41)]).catch((refused: unknown) => refused)) as EngineError;
    cancel();
    assert.equal(error.code, 'DISK_FULL');
    const { points } = await readNumbers(engine, 'd', 'A');
    const none = { ignored: 0, repeated: 0, rejected: 0, ahead: 0, expired: 0 };
    assert.deepEqual(error.details.stored, { written: points.length, ...none });
    assert.match(error.message, new RegExp(`the first ${points.length} of 41 points .* send all of it again`));
    assert.ok(points.length > 0 && points.length < 41, `${points.length} points`);
    const { all } = (await send(engine, [manyOf(41)])) as { all: unknown };
    assert.deepEqual(all, { written: 41 - points.length, rejected: 0, ahead: 0, dropped: points.length });
    await engine.close();
  });
});
