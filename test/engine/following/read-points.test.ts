import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type FollowedTag, type Following, PointColumns, ValueType } from '../../../engine/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const ROUNDS = 60;
const START_MS = Date.parse('2026-03-01T00:00:00Z');
const WANTED_CHARACTERS = 1000;
const MOST_TURNS = 10_000;

function hasTagFile(vfs: MemoryVfs): boolean {
  return vfs.files().some((path) => path.includes('/tags/'));
}

/** Appends `count` points whose values are their ordinals. */
async function write(engine: Engine, from: number, count: number): Promise<void> {
  const points = new PointColumns(count);
  points.count = count;
  for (let i = 0; i < count; i++) {
    points.timesMs[i] = START_MS + (from + i) * 1000;
    points.numbers[i] = from + i;
    points.qualities[i] = 192;
  }
  const tag = engine.lookup('Plant').find('T');
  await engine.append('Plant', {
    points,
    runs: [{ name: 'T', tag, type: ValueType.Double, start: 0, count, rejected: 0, stamped: 0 }],
  });
}

function ownTag(following: Following): FollowedTag {
  return [...following.tags()].find(({ isSystem }) => !isSystem) as FollowedTag;
}

function wholeNumbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** The values of the points from an ordinal on, in parts of at most `most`. */
function readOn(following: Following, id: number, from: number, most: number): number[] {
  const target = new PointColumns(0);
  const values: number[] = [];
  for (let at = from; ; ) {
    target.clear();
    const read = following.readPoints(id, at, { points: most, characters: WANTED_CHARACTERS }, target);
    if (read.nextOrdinal === at) return values;
    for (let i = read.start; i < read.start + read.count; i++) values.push(target.numbers[i] as number);
    at = read.nextOrdinal;
  }
}

test('a follower reads each point once and in order, while points go from memory to files', async () => {
  const seed = chooseSeed();
  const random = new SeededRandom(seed);
  const vfs = makeDisk({});
  const engine = await openTestEngine({
    vfs,
    clock: new ManualClock(START_MS),
    random,
    tunables: { blockPoints: 64, systemTagIntervalMs: 0 },
  });
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  const following = await engine.follow('Plant');
  const copied: number[] = [];
  let written = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const count = 1 + random.below(150);
    await write(engine, written, count);
    written += count;
    // Blocks are written in turns of the event loop.
    for (let turn = random.below(20); turn > 0; turn--) await new Promise(setImmediate);
    const { id } = ownTag(following);
    const most = 1 + random.below(100);
    copied.push(...readOn(following, id, copied.length, most));
    assert.equal(copied.length, written, `seed ${seed}, round ${round}`);
    const all = readOn(following, id, 0, most);
    assert.deepEqual(all, copied, `seed ${seed}, round ${round}`);
  }
  assert.deepEqual(copied, wholeNumbers(0, written));
  assert.ok(hasTagFile(vfs));
  await engine.close();
});

test('behind a cut a follower reads what is left in files, and what has come since, from memory', async () => {
  const vfs = makeDisk({});
  const clock = new ManualClock(START_MS);
  const tunables = { blockPoints: 64, systemTagIntervalMs: 0 };
  const engine = await openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables });
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  const following = await engine.follow('Plant');
  await write(engine, 0, 200);
  for (let turn = 0; turn < MOST_TURNS && !hasTagFile(vfs); turn++) await new Promise(setImmediate);
  assert.ok(hasTagFile(vfs));
  await engine.deletePoints('Plant', ['T'], { ms: START_MS + 190_000, ticks: 0 });
  await write(engine, 200, 30);
  const { id, nextOrdinal } = ownTag(following);
  assert.equal(nextOrdinal, 230);
  assert.deepEqual(readOn(following, id, 0, 50), [...wholeNumbers(0, 190), ...wholeNumbers(200, 230)]);
  await engine.close();
});

test('a follower that has read a part of what was there gets nothing of it that was cut meanwhile', async () => {
  const clock = new ManualClock(START_MS);
  const tunables = { blockPoints: 64, systemTagIntervalMs: 0 };
  const engine = await openTestEngine({ vfs: makeDisk({}), clock, random: new SeededRandom(1), tunables });
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  const following = await engine.follow('Plant');
  await write(engine, 0, 20);
  await engine.deletePoints('Plant', ['T'], { ms: START_MS + 15_000, ticks: 0 });
  await write(engine, 20, 30);
  const { id } = ownTag(following);
  const target = new PointColumns(0);
  const wanted = { points: 15, characters: WANTED_CHARACTERS };
  assert.equal(following.readPoints(id, 0, wanted, target).nextOrdinal, 15);
  assert.equal(following.readPoints(id, 15, wanted, target).nextOrdinal, 35);
  await engine.deletePoints('Plant', ['T'], { ms: START_MS + 40_000, ticks: 0 });
  assert.deepEqual(readOn(following, id, 35, 50), wholeNumbers(35, 40));
  await engine.close();
});
