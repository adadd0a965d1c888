// Datasets that are not opened fully: reported, refused in the words of the contract, retried with growing pauses, deletable;
// and folders that Varve does not know.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, EngineError, type EngineEvent, type ErrorCode } from '../../../engine/index.ts';
import { turnUntil } from '../../crash/crash-machine.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type MemoryVfs, systemError } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);

interface Started {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  wait(seconds: number): Promise<void>;
}

async function start(vfs: MemoryVfs): Promise<Started> {
  const clock = new ManualClock(START_MS);
  const events: EngineEvent[] = [];
  const listener = (event: EngineEvent) => events.push(event);
  const tunables = { systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const engine = await turnUntil(
    openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables, listener }),
    clock,
  );
  return {
    engine,
    events,
    async wait(seconds) {
      for (let i = 0; i < seconds; i++) {
        clock.advance(1000);
        for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** A disk with the datasets `good` and `bad`, each with the point 1 of the tag `T`. */
async function makeTwo(): Promise<MemoryVfs> {
  const vfs = makeDisk({});
  const { engine } = await start(vfs);
  for (const name of ['good', 'bad']) await writeNumbers(engine, name, { T: [{ ms: START_MS, value: 1 }] });
  await engine.updateDataset({ name: 'bad', purgeAgeDays: 7, purgeSizeGb: 3 });
  await engine.close();
  return vfs;
}

/** Makes everything of a kind fail in the folder of `bad`; counts how often that was met. */
function breakBad(vfs: MemoryVfs, code: string, part = ''): { mend(): void; met: number } {
  const broken = { met: 0, mend: () => {} };
  broken.mend = vfs.watch(({ kind, path }) => {
    if (kind !== 'open' || !path.startsWith(`${DATA_FOLDER}/bad/${part}`)) return;
    broken.met++;
    throw systemError(code, kind, path);
  });
  return broken;
}

function failsWith(code: ErrorCode, words = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  };
}

function newPoint(engine: Engine, dataset: string): Promise<unknown> {
  return writeNumbers(engine, dataset, { T: [{ ms: START_MS + 1000, value: 2 }] });
}

for (const [code, part] of [
  ['EIO', 'catalog'],
  ['EACCES', ''],
  ['EMFILE', 'dataset.json'],
  ['EROFS', 'journal'],
] as const) {
  test(`D16: a dataset that could not be opened (${code} of ${part || 'anything'}) is listed and refused with the reason, the others are served, and it comes back by itself`, async () => {
    const vfs = await makeTwo();
    const broken = breakBad(vfs, code, part);
    const { engine, events, wait } = await start(vfs);
    const [bad, good] = engine.datasets();
    assert.deepEqual([bad?.name, bad?.state, good?.name, good?.state], ['bad', 'unavailable', 'good', undefined]);
    assert.match(bad?.reason ?? '', new RegExp(`${code}.*'bad/`));
    if (part !== 'dataset.json' && part !== '') assert.deepEqual([bad?.purgeAgeDays, bad?.purgeSizeGb], [7, 3]);
    assert.equal(engine.hasDataset('bad'), true);
    assert.deepEqual(engine.stats().unavailable, ['bad']);
    const refused = failsWith('UNAVAILABLE', new RegExp(code));
    assert.throws(() => engine.dataset('bad'), refused);
    await assert.rejects(engine.tags('bad'), refused);
    assert.throws(() => engine.watch('bad', () => {}), refused);
    await assert.rejects(readNumbers(engine, 'bad', 'T'), refused);
    await assert.rejects(newPoint(engine, 'bad'), refused);
    await assert.rejects(engine.defineTags('bad', [{ name: 'U' }]), refused);
    await assert.rejects(engine.deleteTags('bad', ['T']), refused);
    await assert.rejects(engine.deletePoints('bad', ['T'], { ms: 0, ticks: 0 }), refused);
    await assert.rejects(engine.postStatus('bad', [{ time: undefined, quality: 192 }]), refused);
    await assert.rejects(engine.createDataset({ name: 'bad', purgeAgeDays: 0, purgeSizeGb: 0 }), refused);
    await assert.rejects(engine.updateDataset({ name: 'bad', purgeAgeDays: 0, purgeSizeGb: 0 }), refused);
    await newPoint(engine, 'good');
    await wait(10);
    assert.equal(events.filter(({ event }) => event === 'dataset.unopened').length, 1, 'reported once');
    broken.mend();
    await wait(31);
    assert.deepEqual(
      engine.datasets().map(({ state }) => state),
      [undefined, undefined],
    );
    assert.equal(engine.dataset('bad').purgeAgeDays, 7);
    await newPoint(engine, 'bad');
    assert.deepEqual(
      (await readNumbers(engine, 'bad', 'T')).points.map(({ value }) => value),
      [1, 2],
    );
    assert.equal(events.filter(({ event }) => event === 'dataset.opened').length, 1);
    await engine.close();
  });
}

test('attempts to open a dataset come at growing pauses, of half a minute at most', async () => {
  const vfs = await makeTwo();
  const broken = breakBad(vfs, 'EIO', 'dataset.json');
  const { engine, wait } = await start(vfs);
  const met: number[] = [];
  for (let minute = 0; minute < 3; minute++) {
    const before = broken.met;
    await wait(60);
    met.push(broken.met - before);
  }
  assert.ok((met[0] ?? 0) >= 4 && (met[0] ?? 0) <= 7, `${met}`);
  assert.deepEqual(met.slice(1), [2, 2]);
  await engine.close();
});

test('a dataset that could not be opened can be deleted, and created again', async () => {
  const vfs = await makeTwo();
  breakBad(vfs, 'EIO', 'catalog');
  const { engine, wait } = await start(vfs);
  await engine.deleteDataset('bad');
  assert.equal(engine.hasDataset('bad'), false);
  await assert.rejects(newPoint(engine, 'bad'), failsWith('DATASET_DELETED'));
  await wait(12);
  assert.deepEqual(
    engine.datasets().map(({ name }) => name),
    ['good'],
  );
  assert.ok(
    vfs.files().every((path) => !path.includes('bad')),
    vfs.files().join(),
  );
  await engine.close();
});

test('a dataset whose deletion meets a disk that is full of names is there again', async () => {
  const vfs = await makeTwo();
  const { engine, wait } = await start(vfs);
  const mend = vfs.watch(({ kind, path }) => {
    if (kind === 'rename' && path === `${DATA_FOLDER}/bad`) throw systemError('ENOSPC', kind, path);
  });
  await assert.rejects(engine.deleteDataset('bad'), failsWith('DISK_FULL'));
  mend();
  await wait(2);
  assert.equal(engine.dataset('bad').state, undefined);
  assert.deepEqual(
    (await readNumbers(engine, 'bad', 'T')).points.map(({ value }) => value),
    [1],
  );
  await engine.close();
});

/** Copies a folder as somebody beside the server does. */
function copyFolder(vfs: MemoryVfs, from: string, to: string): void {
  for (const path of vfs.files().filter((name) => name.startsWith(`${from}/`))) {
    const target = to + path.slice(from.length);
    vfs.makeDirectorySync(target.slice(0, target.lastIndexOf('/')));
    vfs.openSync(target, 'write').writeSync(vfs.content(path), 0);
  }
}

test('a folder that appears while the server runs is reported and refused, not opened and not built over; the next start serves it', async () => {
  const vfs = await makeTwo();
  const { engine, events, wait } = await start(vfs);
  copyFolder(vfs, `${DATA_FOLDER}/good`, `${DATA_FOLDER}/Copy`);
  const refused = failsWith('UNAVAILABLE', /put into the data folder while the server runs.*restart the server/);
  await assert.rejects(newPoint(engine, 'Copy'), refused);
  copyFolder(vfs, `${DATA_FOLDER}/good`, `${DATA_FOLDER}/Other`);
  await wait(11);
  assert.deepEqual(
    engine.datasets().map(({ name, state }) => [name, state]),
    [
      ['Copy', 'unavailable'],
      ['Other', 'unavailable'],
      ['bad', undefined],
      ['good', undefined],
    ],
  );
  await assert.rejects(engine.tags('Other'), refused);
  assert.deepEqual(
    events.filter(({ event }) => event === 'folder.appeared').map(({ path }) => path),
    ['Copy', 'Other'],
  );
  vfs.renameSync(`${DATA_FOLDER}/Other`, 'elsewhere');
  await wait(11);
  assert.equal(engine.hasDataset('Other'), false, 'taken away again');
  await engine.close();
  const again = await start(vfs);
  assert.deepEqual(
    (await readNumbers(again.engine, 'Copy', 'T')).points.map(({ value }) => value),
    [1],
  );
  await again.engine.close();
});

test('folders whose name is no dataset name are reported with the reason and counted, also those that appear later', async () => {
  const vfs = await makeTwo();
  for (const name of ['caf\uFFFD', '100%', 'g%6Fod', 'bad.']) vfs.makeDirectorySync(`${DATA_FOLDER}/${name}`);
  vfs.makeDirectorySync(`${DATA_FOLDER}/.hidden`);
  vfs.watch(({ kind, path }) => {
    // Bytes that are no UTF-8 come as another name, of which nothing is there.
    if (kind === 'stat' && path.endsWith('\uFFFD')) throw systemError('ENOENT', kind, path);
  });
  const { engine, events, wait } = await start(vfs);
  const reported = () => events.filter(({ event }) => event === 'folder.unknown').map(({ path }) => path);
  assert.deepEqual(reported(), ['100%', 'bad.', 'caf\uFFFD', 'g%6Fod']);
  assert.equal(engine.stats().unknownFolders, 4);
  vfs.makeDirectorySync(`${DATA_FOLDER}/late!`);
  await wait(11);
  assert.equal(reported().at(-1), 'late!');
  assert.equal(reported().length, 5);
  assert.equal(engine.stats().unknownFolders, 5);
  assert.deepEqual(
    engine.datasets().map(({ name }) => name),
    ['bad', 'good'],
  );
  await engine.close();
});
