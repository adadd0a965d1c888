// A close, and a deletion, do not wait for maintenance of very many tags: what it has done counts, the next start does the rest.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkFolder, type Engine, type EngineTunables } from '../../../engine/index.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 20);
const TAGS = Array.from({ length: 400 }, (_, i) => `T${i}`);
/** A turn of the loop for each tag. */
const TUNABLES: Partial<EngineTunables> = { sliceMs: 0, maxSpills: 2, systemTagIntervalMs: 0, diskReserveBytes: 0 };
/** Turns until some tags are done and most are not. */
const SOME_TURNS = 60;

interface Plant {
  readonly vfs: MemoryVfs;
  readonly clock: ManualClock;
  readonly engine: Engine;
}

async function open(vfs: MemoryVfs, clock: ManualClock): Promise<Plant> {
  return { vfs, clock, engine: await openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables: TUNABLES }) };
}

function pointAt(run: number): NumberPoint {
  return { ms: NOW_MS - 10 * DAY_MS + 3 * run * DAY_MS, value: run };
}

/** Three spills with a point of each tag; a fourth makes them too many. */
async function spilled(): Promise<Plant> {
  let plant = await open(makeDisk({}), new ManualClock(NOW_MS));
  for (let run = 0; run < 3; run++) {
    await writeNumbers(plant.engine, 'd', Object.fromEntries(TAGS.map((tag) => [tag, [pointAt(run)]])));
    await plant.engine.close();
    plant = await open(plant.vfs, plant.clock);
  }
  return plant;
}

function filesBelow({ vfs }: Plant, folder: string): number {
  return vfs.files().filter((path) => path.startsWith(`${DATA_FOLDER}/d/${folder}/`)).length;
}

async function someTurns(): Promise<void> {
  for (let i = 0; i < SOME_TURNS; i++) await nextTurn();
}

async function runsOf({ engine }: Plant, tag: string): Promise<(number | null)[]> {
  const { points, gaps } = await readNumbers(engine, 'd', tag);
  assert.deepEqual(gaps, []);
  return points.map(({ value }) => value);
}

/** Closes, cuts the power and starts again. */
async function restarted({ vfs, clock, engine }: Plant): Promise<Plant> {
  await engine.close();
  const after = vfs.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(1) });
  const errors = checkFolder(after, DATA_FOLDER).findings.filter(({ level }) => level === 'error');
  assert.deepEqual(errors, []);
  return open(after, clock);
}

async function moveSpills({ clock }: Plant): Promise<void> {
  clock.advance(1000);
  await someTurns();
}

describe('work of very many tags that is left', () => {
  it('spills that are moved into tag files stay for the tags that were not reached', async () => {
    const plant = await spilled();
    await moveSpills(plant);
    const again = await restarted(plant);
    const moved = filesBelow(again, 'tags');
    assert.ok(moved > 0 && moved < TAGS.length, `${moved} of ${TAGS.length} tags were moved`);
    assert.ok(filesBelow(again, 'spill') >= 3);
    for (const tag of TAGS) assert.deepEqual(await runsOf(again, tag), [0, 1, 2]);
    await moveSpills(again);
    while (filesBelow(again, 'tags') < TAGS.length) await nextTurn();
    await again.engine.close();
  });

  it('a close that is announced ends it while writes and reads go on', async () => {
    const plant = await spilled();
    await moveSpills(plant);
    plant.engine.announceClose();
    await someTurns();
    const moved = filesBelow(plant, 'tags');
    await moveSpills(plant);
    assert.equal(filesBelow(plant, 'tags'), moved);
    assert.ok(moved > 0 && moved < TAGS.length, `${moved} of ${TAGS.length} tags were moved`);
    await writeNumbers(plant.engine, 'd', Object.fromEntries(TAGS.map((tag) => [tag, [pointAt(3)]])));
    const again = await restarted(plant);
    for (const tag of TAGS) assert.deepEqual(await runsOf(again, tag), [0, 1, 2, 3]);
    await again.engine.close();
  });

  it('purge that frees files leaves those that were not reached to the next purge', async () => {
    const plant = await spilled();
    await moveSpills(plant);
    for (let turn = 0; turn < 100 * TAGS.length && plant.engine.stats().datasets[0]?.spillCount !== 0; turn++)
      await nextTurn();
    const files = plant.vfs.files();
    await plant.engine.updateDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
    const purging = plant.engine.purge();
    await someTurns();
    const again = await restarted(plant);
    await purging;
    const rewritten = plant.vfs.files().filter((path) => path.includes('/tags/') && !files.includes(path)).length;
    assert.ok(rewritten > 0 && rewritten < TAGS.length / 2, `${rewritten} of ${TAGS.length} files were rewritten`);
    for (const tag of TAGS) assert.deepEqual(await runsOf(again, tag), [1, 2]);
    await again.engine.purge();
    for (const tag of TAGS) assert.deepEqual(await runsOf(again, tag), [1, 2]);
    const next = await restarted(again);
    for (const tag of TAGS) assert.deepEqual(await runsOf(next, tag), [1, 2]);
    await next.engine.close();
  });

  it('a deletion of the dataset ends it', async () => {
    const plant = await spilled();
    await moveSpills(plant);
    let turns = 0;
    let isDeleted = false;
    const deletion = plant.engine.deleteDataset('d').then(() => {
      isDeleted = true;
    });
    for (; !isDeleted && turns < TAGS.length; turns++) await nextTurn();
    assert.ok(turns < TAGS.length / 2, `it took ${turns} turns`);
    await deletion;
    await plant.engine.close();
  });
});
