// The start after kill -9 and power cuts: what the journals hold goes to the heads again, and the journals stay until a
// checkpoint, on a disk in memory that drops what was not synced.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkFolder, type Engine, type EngineEvent, type EngineTunables, ValueType } from '../../../engine/index.ts';
import { diskOf, keepFiles, takeImage } from '../../corruption/disk-image.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type MemoryVfs, type Operation, systemError } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JOURNALS = `${DATA_FOLDER}/d/journal`;
const SPILLS = `${DATA_FOLDER}/d/spill`;
const SMALL: Partial<EngineTunables> = { systemTagIntervalMs: 0, diskReserveBytes: 0, retiredFileMs: 60_000 };

interface Started {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly events: readonly EngineEvent[];
}

async function start(
  vfs: MemoryVfs,
  tunables: Partial<EngineTunables> = {},
  durability: 'group' | 'os' = 'group',
): Promise<Started> {
  const clock = new ManualClock(START_MS);
  const events: EngineEvent[] = [];
  const engine = await openTestEngine({
    vfs,
    clock,
    durability,
    random: new SeededRandom(1),
    tunables: { ...SMALL, ...tunables },
    listener: (event) => events.push(event),
  });
  return { engine, clock, events };
}

function kill(vfs: MemoryVfs): MemoryVfs {
  return vfs.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(1) });
}

function cutPower(vfs: MemoryVfs): MemoryVfs {
  return vfs.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(1) });
}

function points(from: number, to: number): NumberPoint[] {
  return Array.from({ length: to - from }, (_, i) => ({ ms: START_MS - 1e6 + 1000 * (from + i), value: from + i }));
}

async function valuesOf({ engine }: Started, tag = 'T'): Promise<(number | null)[]> {
  const back = await readNumbers(engine, 'd', tag);
  assert.deepEqual(back.gaps, []);
  return back.points.map(({ value }) => value);
}

function numbersUpTo(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i);
}

it('a torn end of a journal that is not the last, of which no record is missing, is truncated at the first start, and no error to a check', async () => {
  let vfs = makeDisk({});
  for (let run = 0; run < 2; run++) {
    const { engine } = await start(vfs);
    await writeNumbers(engine, 'd', { T: points(10 * run, 10 * run + 10) });
    vfs = kill(vfs);
  }
  const [first = ''] = vfs.listSync(JOURNALS).sort();
  const path = `${JOURNALS}/${first}`;
  vfs.openSync(path, 'write').writeSync(new Uint8Array(100).fill(7), vfs.content(path).length);
  const errors = () => checkFolder(vfs, DATA_FOLDER).findings.filter(({ level }) => level === 'error');
  assert.deepEqual(errors(), []);
  for (const reported of [['journal.tail-cut'], []]) {
    const started = await start(vfs);
    assert.deepEqual(await valuesOf(started), numbersUpTo(20));
    assert.deepEqual(
      started.events.filter(({ level }) => level !== 'info').map(({ event }) => event),
      reported,
    );
    vfs = cutPower(vfs);
  }
  assert.deepEqual(errors(), []);
});

it('a start after kill -9 writes no spill and no catalog, and the journals stay until a checkpoint', async () => {
  let vfs = makeDisk({});
  for (let run = 0; run < 4; run++) {
    const started = await start(vfs);
    if (run > 0) assert.deepEqual(await valuesOf(started), numbersUpTo(10 * run));
    await writeNumbers(started.engine, 'd', { T: points(10 * run, 10 * run + 10) });
    assert.deepEqual(vfs.listSync(SPILLS), []);
    assert.equal(vfs.listSync(JOURNALS).length, run + 1);
    vfs = kill(vfs);
  }
  const last = await start(vfs);
  assert.deepEqual(await valuesOf(last), numbersUpTo(40));
  assert.ok((last.engine.stats().datasets[0]?.journalBytes ?? 0) > 0);
  await last.engine.close();

  const reopened = await start(cutPower(vfs));
  assert.deepEqual(await valuesOf(reopened), numbersUpTo(40));
  assert.deepEqual(reopened.events, []);
  await reopened.engine.close();
});

it('journals of runs before that no checkpoint covers are never removed, however old (D12)', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs);
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  const killed = kill(vfs);
  const second = await start(killed);
  second.clock.advance(120_000);
  assert.deepEqual(killed.listSync(JOURNALS), vfs.listSync(JOURNALS));
  await second.engine.close();
  const third = await start(killed);
  third.clock.advance(120_000);
  assert.deepEqual(killed.listSync(JOURNALS), []);
  assert.deepEqual(await valuesOf(third), numbersUpTo(10));
  await third.engine.close();
});

it('what a start has read of a journal whose sync had failed survives a power cut (D11)', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs);
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  vfs.failAt(1, 'write-done', 'EIO');
  await assert.rejects(writeNumbers(first.engine, 'd', { T: points(10, 20) }));
  // The same disk with the same memory: the process alone has ended.
  const second = await start(vfs);
  assert.deepEqual(await valuesOf(second), numbersUpTo(20));
  const receipt = await writeNumbers(second.engine, 'd', { T: points(10, 20) });
  assert.equal(receipt.repeated, 10);
  const third = await start(cutPower(vfs));
  assert.deepEqual(await valuesOf(third), numbersUpTo(20));
});

it('a start that has no room to write the last journal anew makes a checkpoint instead', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs);
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  const killed = kill(vfs);
  const isRenewal = ({ kind, path }: Operation) => kind === 'write' && path.startsWith(JOURNALS);
  const stopFailing = killed.watch((operation) => {
    if (isRenewal(operation)) throw systemError('ENOSPC', 'write', operation.path);
  });
  const second = await start(killed);
  stopFailing();
  assert.equal(killed.listSync(SPILLS).length, 1);
  assert.deepEqual(killed.listSync(JOURNALS), vfs.listSync(JOURNALS));
  const third = await start(cutPower(killed));
  assert.deepEqual(await valuesOf(second), numbersUpTo(10));
  assert.deepEqual(await valuesOf(third), numbersUpTo(10));
});

it('a journal that was written anew by half is removed by the next start', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs);
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  const killed = kill(vfs);
  let half: MemoryVfs | undefined;
  killed.watch(({ kind, path }) => {
    if (kind === 'rename' && path.startsWith(JOURNALS)) half ??= kill(killed);
  });
  await start(killed);
  assert.ok(half);
  assert.equal(half.listSync(JOURNALS).length, 2);
  const again = await start(half);
  assert.deepEqual(await valuesOf(again), numbersUpTo(10));
  assert.deepEqual(half.listSync(JOURNALS), vfs.listSync(JOURNALS));
});

it('blocks that a killed process has left unsynced are synced before a catalog vouches for them (D7)', async () => {
  const vfs = makeDisk({});
  const blocks = { blockPoints: 16, retiredFileMs: 0 };
  const first = await start(vfs, blocks);
  await writeNumbers(first.engine, 'd', { T: points(0, 100) });
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
  const killed = vfs; // its memory stays, and what is in it is not on the disk
  assert.ok(killed.files().some((path) => path.includes('/tags/')));
  const second = await start(killed, blocks);
  await second.engine.close();
  const third = await start(killed, blocks);
  third.clock.advance(1000);
  assert.deepEqual(killed.listSync(JOURNALS), []);
  const fourth = await start(cutPower(killed), blocks);
  assert.deepEqual(await valuesOf(fourth), numbersUpTo(100));
  assert.deepEqual(fourth.events, []);
});

it('what a lost tag file held goes to a spill before the start is done, since later points are in files', async () => {
  const vfs = makeDisk({});
  const files = { blockPoints: 16, tagFileBytes: 1 };
  const first = await start(vfs, files);
  await writeNumbers(first.engine, 'd', { T: points(0, 100) });
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
  const killed = kill(vfs);
  const tagFiles = killed.files().filter((path) => path.includes('/tags/'));
  assert.ok(tagFiles.length > 2);
  killed.removeSync(tagFiles[0] as string);
  const second = await start(killed, files);
  assert.equal(killed.listSync(SPILLS).length, 1);
  assert.deepEqual(await valuesOf(second), numbersUpTo(100));
});

it('while heads let go, in slices, of what is in a spill, reads give each point once (D6)', async () => {
  const started = await start(makeDisk({}), { sliceMs: 0, headLimitBytes: 1, maxSpills: 100 });
  const { engine } = started;
  const names = Array.from({ length: 20 }, (_, i) => `T${i}`);
  const headBytes = () => engine.stats().datasets[0]?.headBytes ?? 0;
  await writeNumbers(engine, 'd', Object.fromEntries(names.map((name) => [name, points(0, 5)])));
  const fullBytes = headBytes();
  let partlyDropped = 0;
  while (headBytes() > 0) {
    const bytes = headBytes();
    if (bytes < fullBytes) partlyDropped++;
    for (const name of names) assert.deepEqual(await valuesOf(started, name), numbersUpTo(5));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(partlyDropped > 1);
  await engine.close();
});

it('a fault of the disk while the last journal is written anew ends the process, as any other does (D11)', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs);
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  const killed = kill(vfs);
  killed.failAt(1, 'sync', 'EIO');
  await assert.rejects(start(killed), (error: { code?: string }) => error.code === 'POISONED');
  const second = await start(kill(killed));
  assert.deepEqual(await valuesOf(second), numbersUpTo(10));
});

it('a process that is killed again and again does not pile up journals', async () => {
  let vfs = makeDisk({});
  for (let i = 0; i < 40; i++) {
    const { engine } = await start(vfs, { retiredFileMs: 0 });
    await writeNumbers(engine, 'd', { T: points(i, i + 1) });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    vfs = kill(vfs);
    assert.ok(vfs.listSync(JOURNALS).length <= 20, `${vfs.listSync(JOURNALS).length} journals after ${i + 1} kills`);
  }
  assert.deepEqual(await valuesOf(await start(vfs)), numbersUpTo(40));
});

it('points that only a spill has, because a power cut took the journal it was made from, keep their ordinals (D6)', async () => {
  const vfs = makeDisk({});
  const first = await start(vfs, {}, 'os');
  await writeNumbers(first.engine, 'd', { T: points(0, 10) });
  await first.engine.close();
  const second = await start(vfs, {}, 'os');
  await writeNumbers(second.engine, 'd', { T: points(10, 20) });
  // The process is killed; the power goes when the next start has put what it read into a spill.
  let withoutPower: MemoryVfs | undefined;
  vfs.watch(({ kind, path }) => {
    const isRenewed = path.startsWith(JOURNALS) && /[1-9]\.new$/.test(path);
    if (kind === 'open' && isRenewed) withoutPower ??= cutPower(vfs);
  });
  await start(vfs, { headLimitBytes: 1 }, 'os');
  const disk = withoutPower as MemoryVfs;
  const third = await start(disk, {}, 'os');
  await writeNumbers(third.engine, 'd', { T: points(20, 30) });
  assert.deepEqual(await valuesOf(third), numbersUpTo(30));
  await third.engine.close();
  assert.deepEqual(await valuesOf(await start(disk, {}, 'os')), numbersUpTo(30));
});

describe('a copy in the order of names, whose spills are newer than its catalog and journals', () => {
  /** A copy with points up to 20 of the tag, of which its journals have those up to `journalled`. */
  async function copy(journalled: number): Promise<MemoryVfs> {
    const vfs = makeDisk({});
    const first = await start(vfs);
    await writeNumbers(first.engine, 'd', { T: points(0, 10), U: points(-10, -9) });
    await first.engine.close();
    const { engine } = await start(vfs, { headLimitBytes: 600 });
    if (journalled > 10) await writeNumbers(engine, 'd', { T: points(10, journalled) });
    const early = kill(vfs);
    await writeNumbers(engine, 'd', { T: points(journalled, 20) });
    for (let i = 0; i < 20; i++) await writeNumbers(engine, 'd', { U: points(10 * i, 10 * i + 10) });
    for (let turn = 0; turn < 200; turn++) await nextTurn();
    for (const path of vfs.files()) {
      if (!path.startsWith(`${SPILLS}/`)) continue;
      const file = early.openSync(path, 'write');
      file.truncateSync(0);
      file.writeSync(vfs.content(path), 0);
      file.closeSync();
    }
    return early;
  }

  it('takes new points behind those of the spill', async () => {
    const { engine, ...others } = await start(await copy(10));
    await writeNumbers(engine, 'd', { T: points(20, 30) });
    assert.deepEqual(await valuesOf({ engine, ...others }), numbersUpTo(30));
  });

  it('knows a point that was sent before also behind a kill', async () => {
    const disk = await copy(15);
    const [last] = points(19, 20) as [NumberPoint];
    const first = await start(disk);
    await writeNumbers(first.engine, 'd', { T: [{ ms: last.ms, value: 99 }] });
    const second = await start(kill(disk));
    const { written, repeated } = await writeNumbers(second.engine, 'd', { T: [last] });
    assert.deepEqual({ written, repeated }, { written: 0, repeated: 1 });
    assert.deepEqual(await valuesOf(second), [...numbersUpTo(20), 99]);
  });
});

it('a journal that was retired and is there again gives the points that files lack, and takes back no definition, removal or deletion', async () => {
  const first = makeDisk({});
  const { engine } = await start(first);
  await writeNumbers(engine, 'd', { T: points(0, 10), Gone: points(0, 10), Cut: points(0, 10) });
  await engine.defineTags('d', [{ name: 'T', description: 'first' }]);
  const early = takeImage(first);
  // Two journals later, of which the first is not there any more.
  const second = kill(first);
  const again = await start(second);
  await again.engine.defineTags('d', [{ name: 'T', description: 'second', type: ValueType.Int32 }]);
  await again.engine.deleteTags('d', ['Gone']);
  await again.engine.deletePoints('d', ['Cut'], { ms: START_MS - 1e6 + 5000, ticks: 0 });
  await again.engine.close();
  const isPointFile = (path: string): boolean => path.startsWith(SPILLS) || path.includes('/tags/');
  const late = keepFiles(takeImage(second), (path) => !isPointFile(path) && !path.startsWith(JOURNALS));
  const journals = keepFiles(early, (path) => path.startsWith(JOURNALS));
  const reopened = await start(diskOf(new Map([...late, ...journals])));
  const user = [...(await reopened.engine.tags('d')).user];
  assert.deepEqual(
    user.map(({ name, description, type }) => [name, description, type]),
    [
      ['Cut', undefined, ValueType.Double],
      ['T', 'second', ValueType.Int32],
    ],
  );
  assert.deepEqual(await valuesOf(reopened), numbersUpTo(10));
  assert.deepEqual(await valuesOf(reopened, 'Cut'), numbersUpTo(5));
  await reopened.engine.close();
});
