// Tags that are renamed while a checkpoint writes the catalog, which takes several turns: no two tags of that catalog have one
// name, and a start over it, with the records behind it, has every tag under its new name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkFolder } from '../../../engine/check/check.ts';
import { readCatalog } from '../../../engine/files/catalog-file.ts';
import type { Engine } from '../../../engine/index.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const TICK_MS = 1000;
/** The pass over them takes a turn for each. */
const TAGS = 400;
const MOST_TURNS = 20_000;
const FIRST = 'T0';
const LAST = `T${TAGS - 1}`;

const at = (value: number) => ({ ms: START_MS - 1_000_000 + value * 1000, value });
const freely = (from: string, to: string) => ({ from, to, forwards: false, keepMs: 0 });

interface Checkpoint {
  readonly disk: MemoryVfs;
  readonly engine: Engine;
  /** Path of the folder with the catalog. */
  readonly folder: string;
  readonly isOver: () => boolean;
}

/** A checkpoint in the middle of its pass: the first tags are in its catalog, the last ones are not yet. */
async function checkpointUnderWay(): Promise<Checkpoint> {
  const disk = makeDisk({});
  const clock = new ManualClock(START_MS);
  // Any journal is beyond the limit, at the next tick.
  const tunables = { journalLimitBytes: 1, sliceMs: 0, systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const engine = await openTestEngine({ vfs: disk, clock, random: new SeededRandom(1), tunables });
  await writeNumbers(engine, 'd', Object.fromEntries(Array.from({ length: TAGS }, (_, i) => [`T${i}`, [at(i)]])));
  let folder: string | undefined;
  let isOver = false;
  disk.watch(({ kind, path }) => {
    if (kind === 'open' && path.endsWith('/catalog.new')) folder = path.slice(0, path.lastIndexOf('/'));
    if (kind === 'rename' && path.includes('/catalog')) isOver = true;
  });
  clock.advance(TICK_MS);
  await turnsUntil(() => folder !== undefined);
  for (let i = 0; i < 20; i++) await nextTurn();
  assert.equal(isOver, false);
  return { disk, engine, folder: folder as unknown as string, isOver: () => isOver };
}

async function turnsUntil(isThere: () => boolean): Promise<void> {
  for (let turn = 0; !isThere(); turn++) {
    assert.ok(turn < MOST_TURNS, 'the checkpoint did not come');
    await nextTurn();
  }
  for (let i = 0; i < 5; i++) await nextTurn();
}

/** Waits for the end of the checkpoint, cuts the power, and looks at the catalog and at what a start makes of it. */
async function check({ disk, folder, isOver }: Checkpoint, wanted: Record<string, number[]>): Promise<void> {
  assert.equal(isOver(), false, 'the renames fell into the checkpoint');
  await turnsUntil(isOver);
  const cut = disk.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(2) });
  disk.halt();
  const names = (readCatalog(cut, folder)?.tags ?? []).map(({ definition }) => definition.name);
  assert.ok(names.length >= TAGS, `${names.length} tags`);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
    'names that two tags of the catalog have',
  );
  assert.deepEqual(checkFolder(cut, DATA_FOLDER).findings, []);
  const errors: unknown[] = [];
  const again = await openTestEngine({
    vfs: cut,
    clock: new ManualClock(START_MS),
    random: new SeededRandom(3),
    tunables: { systemTagIntervalMs: 0, diskReserveBytes: 0 },
    listener: (event) => void (event.level === 'error' && errors.push(event)),
  });
  for (const [name, values] of Object.entries(wanted)) {
    const { points } = await readNumbers(again, 'd', name);
    assert.deepEqual(
      points.map(({ value }) => value),
      values,
      name,
    );
  }
  assert.deepEqual(errors, []);
  await again.close();
}

test('a later tag that gets the name of one that the catalog has already', async () => {
  const checkpoint = await checkpointUnderWay();
  const { engine } = checkpoint;
  await engine.renameTag('d', freely(FIRST, 'X'));
  await engine.renameTag('d', freely(LAST, FIRST));
  await check(checkpoint, { X: [0], [FIRST]: [TAGS - 1], T1: [1] });
});

test('two tags that swap their names, and back', async () => {
  const checkpoint = await checkpointUnderWay();
  const { engine } = checkpoint;
  await engine.renameTag('d', freely(FIRST, 'X'));
  await engine.renameTag('d', freely(LAST, FIRST));
  await engine.renameTag('d', freely('X', LAST));
  await engine.renameTag('d', freely('T1', 'Y'));
  await engine.renameTag('d', freely('Y', 'T1'));
  await check(checkpoint, { [FIRST]: [TAGS - 1], [LAST]: [0], T1: [1] });
});
