// Backups of a dataset that is written all the time: between any two files of the copy come more requests, and
// everything turns over meanwhile.

import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { tagFolder } from '../../../../engine/filenames.ts';
import { readCatalog } from '../../../../engine/files/catalog-file.ts';
import { checkFolder, type Engine, type EngineEvent, openEngine } from '../../../../engine/index.ts';
import { nodeVfs } from '../../../../engine/io/node-vfs.ts';
import { type BackupOptions, type BackupSummary, backUp } from '../../../../server/commands/backup/backup.ts';
import { MANIFEST_NAME } from '../../../../server/commands/backup/manifest.ts';
import { type RestoreOptions, restore } from '../../../../server/commands/backup/restore.ts';
import { type NumberPoint, readNumbers } from '../../../support/engine-points.ts';
import { LivePlant, SMALL, START_MS } from '../../../support/live-plant.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const MINUTE_MS = 60_000;
/** A process id that Linux gives nobody. */
const DEAD_PID = 2 ** 22 + 1;

const nothing = (): Promise<void> => Promise.resolve();

function run(plant: LivePlant, target: string, more: Partial<BackupOptions> = {}): Promise<BackupSummary> {
  return backUp({
    dataFolder: plant.folder,
    target,
    datasets: undefined,
    verify: 'all',
    say: () => undefined,
    checkpoint: nothing,
    ...more,
  });
}

function runRestore(backup: string, dataFolder: string, more: Partial<RestoreOptions> = {}): Promise<number> {
  return restore({
    backup,
    dataFolder,
    datasets: undefined,
    as: undefined,
    say: () => undefined,
    checkpoint: nothing,
    ...more,
  });
}

async function openPlant(context: TestContext, requests: number): Promise<LivePlant> {
  const plant = new LivePlant(context);
  await plant.open({ retiredFileMs: 0 }); // without HOLD a copy would lack points
  await plant.writeMany(requests);
  plant.stepMs = MINUTE_MS; // purge stays behind what is compared
  return plant;
}

/** Restores into a folder of its own, which holds what was acknowledged. */
async function assertRestores(
  context: TestContext,
  target: string,
  wanted: ReadonlyMap<string, NumberPoint[]>,
): Promise<void> {
  const dataFolder = join(makeTempFolder(context), 'data');
  assert.equal(await runRestore(target, dataFolder), 1);
  await assertHolds(dataFolder, wanted);
}

/** Opens a data folder without a complaint, and finds what was acknowledged, and no gaps. */
async function assertHolds(dataFolder: string, wanted: ReadonlyMap<string, NumberPoint[]>): Promise<void> {
  const { clean, findings } = checkFolder(nodeVfs, dataFolder);
  assert.ok(clean, JSON.stringify(findings));
  const events: EngineEvent[] = [];
  const listener = (event: EngineEvent) => events.push(event);
  const engine = await openEngine({ folder: dataFolder, clock: new ManualClock(START_MS), tunables: SMALL, listener });
  try {
    assert.deepEqual(
      events.filter(({ level }) => level !== 'info'),
      [],
    );
    await assertReads(engine, wanted);
  } finally {
    await engine.close();
  }
}

async function assertReads(engine: Engine, wanted: ReadonlyMap<string, NumberPoint[]>): Promise<void> {
  let compared = 0;
  for (const [name, points] of wanted) {
    const { points: read, gaps } = await readNumbers(engine, 'd', name);
    assert.deepEqual(gaps, [], name);
    const oldestMs = read[0]?.ms ?? Number.POSITIVE_INFINITY;
    const expected = points.filter(({ ms }) => ms >= oldestMs);
    assert.deepEqual(read.slice(0, expected.length), expected, name);
    compared += expected.length;
  }
  assert.ok(compared > 300, `only ${compared} points were compared`);
}

/** Every file of the backup with its bytes. */
function imageOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

describe('a backup', () => {
  it('taken under load holds everything acknowledged before it began, opens without a complaint, and leaves no HOLD', async (context) => {
    const plant = await openPlant(context, 300);
    const target = join(makeTempFolder(context), 'backup');
    const before = plant.snapshot();
    const bytesBefore = { ...plant.engine.stats().bytesWritten };
    let held = 0;
    const checkpoint = async (): Promise<void> => {
      if (existsSync(join(plant.folder, 'd', 'HOLD'))) held++;
      await plant.writeMany(4);
    };
    const summary = await run(plant, target, { checkpoint });
    assert.deepEqual(summary.faults, []);
    assert.ok(held > 20, `held at ${held} files`);
    const { spill, tags } = plant.engine.stats().bytesWritten;
    assert.ok(spill > bytesBefore.spill && tags > bytesBefore.tags, 'heads spilled and files grew meanwhile');
    assert.equal(existsSync(join(plant.folder, 'd', 'HOLD')), false);
    await plant.engine.close();
    await assertRestores(context, target, before);
  });

  it('taken again copies only what has grown; a third one copies nothing', async (context) => {
    const plant = await openPlant(context, 300);
    const target = join(makeTempFolder(context), 'backup');
    const first = await run(plant, target);
    assert.ok(first.copiedBytes >= first.bytes);
    await plant.writeMany(20);
    const second = await run(plant, target);
    assert.ok(second.copiedBytes < first.bytes / 3, `${second.copiedBytes} of ${second.bytes} bytes were copied again`);
    const third = await run(plant, target);
    assert.equal(third.copiedBytes, 0);
    assert.equal(third.bytes, second.bytes);
    const after = plant.snapshot();
    await plant.engine.close();
    await assertRestores(context, target, after);
  });

  it('taken again and again under load stays whole, whatever purge, spills and roll-over do in between', async (context) => {
    const plant = await openPlant(context, 100);
    const target = join(makeTempFolder(context), 'backup');
    let before = plant.snapshot();
    for (let round = 0; round < 6; round++) {
      plant.stepMs = 30 * MINUTE_MS;
      await plant.writeMany(60);
      await plant.engine.purge();
      plant.stepMs = MINUTE_MS;
      before = plant.snapshot();
      const { faults } = await run(plant, target, { checkpoint: () => plant.write() });
      assert.deepEqual(faults, []);
    }
    await plant.engine.close();
    await assertRestores(context, target, before);
  });

  it('negative control: with any of its files left out or cut in half, the same look at the copy fails', async (context) => {
    const plant = await openPlant(context, 100);
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    const wanted = plant.snapshot();
    await plant.engine.close();
    const paths = [...imageOf(join(target, 'd')).keys()];
    assert.ok(paths.length > 5, `${paths.length} files`);
    const undetected: string[] = [];
    const losses = {
      'left out': rmSync,
      'cut in half': (file: string) => truncateSync(file, statSync(file).size >> 1),
    };
    for (const path of paths) {
      for (const [loss, lose] of Object.entries(losses)) {
        const dataFolder = join(makeTempFolder(context), 'data');
        await runRestore(target, dataFolder);
        lose(join(dataFolder, 'd', path));
        const judgement = assertHolds(dataFolder, wanted);
        if (
          await judgement.then(
            () => true,
            () => false,
          )
        )
          undetected.push(`${path} ${loss}`);
      }
    }
    assert.deepEqual(undetected, []);
  });

  it('cut off at any file leaves the one before, and the next one goes on', async (context) => {
    const plant = await openPlant(context, 250);
    const target = join(makeTempFolder(context), 'backup');
    const { fileCount } = await run(plant, target);
    for (let stopAt = 1; stopAt < fileCount; stopAt += 7) {
      const before = plant.snapshot();
      await run(plant, target, { verify: 'none' });
      await plant.writeMany(15);
      let seen = 0;
      const checkpoint = async (): Promise<void> => {
        if (++seen === stopAt) throw new Error('cut off');
      };
      await assert.rejects(run(plant, target, { checkpoint }), /cut off/);
      assert.equal(existsSync(join(plant.folder, 'd', 'HOLD')), false);
      await assertRestores(context, target, before);
    }
    const after = plant.snapshot();
    assert.deepEqual((await run(plant, target)).faults, []);
    await plant.engine.close();
    await assertRestores(context, target, after);
  });

  it('does not go on with a file whose end was written anew', async (context) => {
    const plant = await openPlant(context, 200);
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    const { folder } = plant;
    await plant.engine.close();
    const before = plant.snapshot();
    // A power cut leaves this: the end of a journal was lost, and other requests stand there now.
    const journal = join(
      folder,
      'd',
      'journal',
      readdirSync(join(folder, 'd', 'journal'))
        .sort()
        .at(-1) ?? '',
    );
    const backedUp = join(
      target,
      'd',
      'journal',
      readdirSync(join(target, 'd', 'journal'))
        .sort()
        .at(-1) ?? '',
    );
    const bytes = readFileSync(backedUp);
    bytes.fill(0xa5, bytes.length - 10);
    writeFileSync(backedUp, bytes);
    assert.ok(existsSync(journal));
    const { faults } = await run(plant, target);
    assert.deepEqual(faults, []);
    await assertRestores(context, target, before);
  });

  it('whose medium has rotted is told by the next run, and by restore, which then restores nothing', async (context) => {
    const plant = await openPlant(context, 400);
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    const [tagFile = ''] = readdirSync(join(target, 'd', 'tags'), { recursive: true, encoding: 'utf8' })
      .map((path) => join(target, 'd', 'tags', path))
      .filter((path) => statSync(path).isFile() && statSync(path).size > 1000);
    const bytes = readFileSync(tagFile);
    bytes[500] = (bytes[500] as number) ^ 4;
    writeFileSync(tagFile, bytes);
    const { faults } = await run(plant, target);
    await plant.engine.close();
    assert.match(faults.join('\n'), /its bytes are not those that were copied/);
    const dataFolder = join(makeTempFolder(context), 'data');
    await assert.rejects(runRestore(target, dataFolder), /The backup is damaged: .* it fails its checksum/);
    assert.deepEqual(readdirSync(dataFolder), []);
  });

  it('keeps a dataset that is not in the data folder any more, and says so', async (context) => {
    const plant = await openPlant(context, 100);
    const target = join(makeTempFolder(context), 'backup');
    await plant.engine.createDataset({ name: 'gone/1', purgeAgeDays: 1, purgeSizeGb: 0 });
    await run(plant, target);
    await plant.engine.deleteDataset('gone/1');
    const lines: string[] = [];
    await run(plant, target, { say: (line) => lines.push(line) });
    await plant.engine.close();
    assert.match(lines.join('\n'), /^gone\/1: is not in the data folder any more; the backup of .* is kept\.$/m);
    const dataFolder = join(makeTempFolder(context), 'data');
    assert.equal(await runRestore(target, dataFolder, { datasets: ['gone/1'], as: 'back/2' }), 1);
    assert.deepEqual(readdirSync(dataFolder), ['back%2F2']);
  });

  it("leaves a HOLD file of somebody else alone, takes over a dead backup's, and steps back before a living one's", async (context) => {
    const plant = await openPlant(context, 50);
    const target = join(makeTempFolder(context), 'backup');
    const hold = join(plant.folder, 'd', 'HOLD');
    writeFileSync(hold, '');
    await run(plant, target);
    assert.equal(readFileSync(hold, 'utf8'), '');
    writeFileSync(hold, `varve backup, process ${process.ppid} on ${hostname()}\n`);
    await assert.rejects(run(plant, target), /Another backup is under way: process \d+/);
    assert.ok(existsSync(hold));
    writeFileSync(hold, `varve backup, process ${DEAD_PID} on ${hostname()}\n`);
    await run(plant, target);
    assert.equal(existsSync(hold), false);
    await plant.engine.close();
  });

  it('begins anew when somebody removes the HOLD file, or a file, while it runs', async (context) => {
    const plant = await openPlant(context, 200);
    const target = join(makeTempFolder(context), 'backup');
    let seen = 0;
    const checkpoint = async (): Promise<void> => {
      seen++;
      if (seen === 5) await plant.engine.deleteTags('d', ['T3']);
      await plant.write();
    };
    assert.deepEqual((await run(plant, target, { checkpoint })).faults, []);
    const before = plant.snapshot();
    before.delete('T3');
    assert.deepEqual((await run(plant, target)).faults, []);
    await plant.engine.close();
    await assertRestores(context, target, before);
  });

  it('after the deletion of a tag, whose files are gone and which the catalog still lists, is whole', async (context) => {
    const plant = await openPlant(context, 300);
    const listed = readCatalog(nodeVfs, join(plant.folder, 'd'))?.tags ?? [];
    const deleted = listed.find(({ files, definition }) => files.length > 0 && plant.acknowledged.has(definition.name));
    assert.ok(deleted, 'a tag with a file');
    const { name } = deleted.definition;
    await plant.engine.deleteTags('d', [name]);
    plant.acknowledged.delete(name);
    await plant.engine.purge(); // behind the removal of the files
    const path = join(plant.folder, 'd', 'tags', tagFolder(deleted.id));
    assert.deepEqual(existsSync(path) ? readdirSync(path) : [], []);
    const target = join(makeTempFolder(context), 'backup');
    assert.deepEqual((await run(plant, target)).faults, []);
    await assertRestores(context, target, plant.snapshot());
    assert.deepEqual(checkFolder(nodeVfs, plant.folder).findings, [], 'the folder itself is sound, too');
    await plant.engine.close();
  });

  it('wants a folder of its own, apart from the data folder', async (context) => {
    const plant = await openPlant(context, 10);
    await assert.rejects(run(plant, join(plant.folder, 'backup')), /must lie apart/);
    const other = makeTempFolder(context);
    writeFileSync(join(other, 'letter.txt'), 'x');
    await assert.rejects(run(plant, other), /holds 'letter.txt' and no backup/);
    await assert.rejects(run(plant, `${other}/new`, { datasets: ['none'] }), /There is no dataset 'none'/);
    await plant.engine.close();
  });
});

describe('a restore', () => {
  it('never replaces a dataset, and leaves a folder alone that is in use', async (context) => {
    const plant = await openPlant(context, 100);
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    await assert.rejects(runRestore(target, plant.folder), { code: 'LOCKED' });
    await plant.engine.close();
    const before = imageOf(plant.folder);
    await assert.rejects(runRestore(target, plant.folder), /has a dataset 'd' already/);
    assert.deepEqual(imageOf(plant.folder), before);
    assert.equal(await runRestore(target, plant.folder, { as: 'D' }), 1);
    // A name that differs in case only gets another folder on every file system.
    assert.deepEqual(readdirSync(plant.folder).sort(), ['%44', 'd']);
  });

  it('wants a backup, a dataset that is in it, and one dataset for --as', async (context) => {
    const plant = await openPlant(context, 50);
    await plant.engine.createDataset({ name: 'e', purgeAgeDays: 0, purgeSizeGb: 0 });
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    await plant.engine.close();
    const empty = makeTempFolder(context);
    await assert.rejects(runRestore(empty, join(empty, 'data')), /is no backup/);
    await assert.rejects(runRestore(target, join(empty, 'data'), { datasets: ['x'] }), /it has 'd', 'e'/);
    await assert.rejects(runRestore(target, join(empty, 'data'), { as: 'x' }), /--as is for one dataset/);
    appendFileSync(join(target, MANIFEST_NAME), ' ');
    assert.equal(await runRestore(target, join(empty, 'data')), 2);
    const manifest = readFileSync(join(target, MANIFEST_NAME), 'utf8');
    writeFileSync(join(target, MANIFEST_NAME), manifest.replace('"name":"d"', '"name":"x"'));
    await assert.rejects(runRestore(target, join(empty, 'other')), /backup.json is damaged: it fails its checksum/);
  });

  it('keeps every rule of a dataset', async (context) => {
    const plant = await openPlant(context, 20);
    await plant.engine.updateDataset({
      name: 'd',
      purgeAgeDays: 9,
      purgeSizeGb: 0,
      lateToleranceMs: 5000,
      lateAgeDays: 30,
    });
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    await plant.engine.close();
    const dataFolder = join(makeTempFolder(context), 'data');
    assert.equal(await runRestore(target, dataFolder), 1);
    const engine = await openEngine({ folder: dataFolder, clock: new ManualClock(START_MS), tunables: SMALL });
    const { purgeAgeDays, lateToleranceMs, lateAgeDays } = engine.dataset('d');
    await engine.close();
    assert.deepEqual([purgeAgeDays, lateToleranceMs, lateAgeDays], [9, 5000, 30]);
  });

  it('of a truncated file restores nothing, and names the file', async (context) => {
    const plant = await openPlant(context, 100);
    const target = join(makeTempFolder(context), 'backup');
    await run(plant, target);
    await plant.engine.close();
    truncateSync(join(target, 'd', 'catalog'), 100);
    const dataFolder = join(makeTempFolder(context), 'data');
    await assert.rejects(runRestore(target, dataFolder), /d\/catalog: it has 100 bytes; want \d+/);
    assert.deepEqual(readdirSync(dataFolder), []);
  });
});

describe('the folder of a dataset in a backup', () => {
  it('can be dropped into a data folder by hand', async (context) => {
    const plant = await openPlant(context, 150);
    const target = join(makeTempFolder(context), 'backup');
    const before = plant.snapshot();
    await run(plant, target, { checkpoint: () => plant.write() });
    await plant.engine.close();
    const dataFolder = makeTempFolder(context);
    for (const path of imageOf(join(target, 'd')).keys()) {
      mkdirSync(join(dataFolder, 'd', path, '..'), { recursive: true });
      copyFileSync(join(target, 'd', path), join(dataFolder, 'd', path));
    }
    const engine = await openEngine({ folder: dataFolder, clock: new ManualClock(START_MS), tunables: SMALL });
    const { points, gaps } = await readNumbers(engine, 'd', 'T1');
    assert.deepEqual(gaps, []);
    assert.deepEqual(points.slice(0, before.get('T1')?.length), before.get('T1'));
    await engine.close();
  });
});
