import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkUnusedFolder, openEngine } from '../../../engine/index.ts';
import { ProblemError } from '../../../server/problem.ts';
import { MAX_VIEWS, type ViewDefinition } from '../../../server/views/view.ts';
import { openViewDisk, type ViewDisk } from '../../../server/views/view-disk.ts';
import { formatViewFile } from '../../../server/views/view-file.ts';
import { ViewStore } from '../../../server/views/view-store.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const DEFINITION: ViewDefinition = { kind: 'trend', name: 'Feed water', folder: '', datasets: ['Plant'] };
const NOW_MS = Date.parse('2026-11-22T14:05:00.000Z');
const ANY = (): void => {};

interface Opened {
  readonly store: ViewStore;
  readonly leftAlone: string[];
}

async function openStore(disk: ViewDisk, reserveBytes = 0): Promise<Opened> {
  const leftAlone: string[] = [];
  const onLeftAlone = (file: string, reason: string): void => void leftAlone.push(`${file}: ${reason}`);
  const store = await ViewStore.open({ disk, nowMs: () => NOW_MS, reserveBytes, onLeftAlone });
  return { store, leftAlone };
}

function folderOf(context: TestContext): string {
  return join(makeTempFolder(context), '.views');
}

function create(store: ViewStore, name = 'Feed water', content = '{"a":1}') {
  return store.create({ definition: { ...DEFINITION, name }, owner: 'Line 4', content }, 'me');
}

function problemOf(status: number, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ProblemError && error.status === status && message.test(error.message);
}

function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: of the test`), { code });
}

test('what was saved, changed and deleted is so after the next start', async (context) => {
  const folder = folderOf(context);
  const { store } = await openStore(openViewDisk(folder));
  const kept = await create(store);
  const gone = await create(store, 'Gone');
  const definition = { ...DEFINITION, name: 'Renamed', folder: 'Boilers/North' };
  await store.change(kept.id, { definition, content: '{"b":2}' }, ANY, 'me');
  await store.delete(gone.id, ANY, 'me');
  const again = (await openStore(openViewDisk(folder))).store;
  assert.deepEqual(again.heads(), store.heads());
  const { head, content } = await again.read(kept.id);
  const changed = new Date(NOW_MS).toISOString();
  assert.deepEqual(head, { id: kept.id, ...definition, owner: 'Line 4', changed, revision: 2 });
  assert.equal(content, '{"b":2}');
  assert.deepEqual(readdirSync(folder), [`${kept.id}.json`]);
  assert.equal(statSync(folder).mode & 0o007, 0, 'nothing for others');
});

test('files that cannot be read are left alone, told and not served; all others are served', async (context) => {
  const folder = folderOf(context);
  const { store } = await openStore(openViewDisk(folder));
  const [good, torn, newer] = [await create(store), await create(store), await create(store)];
  truncateSync(join(folder, `${torn.id}.json`), 150);
  writeFileSync(join(folder, `${newer.id}.json`), '{"format":9,"crc":1,\n"new":{}}\n');
  mkdirSync(join(folder, '00000000000000000000.json'));
  writeFileSync(join(folder, 'notes.json'), '{}');
  writeFileSync(join(folder, '11111111111111111111.json'), Buffer.alloc(600_000));
  writeFileSync(join(folder, `${good.id}.json.new`), 'of a crash');
  writeFileSync(join(folder, 'README'), 'not ours');
  const { store: again, leftAlone } = await openStore(openViewDisk(folder));
  assert.deepEqual(again.heads(), [good]);
  assert.deepEqual(
    leftAlone.map((line) => line.replace(/^[0-9a-f]{20}/, '<id>')).sort(),
    [
      '<id>.json: it fails its checksum: it was cut off or changed',
      '<id>.json: it has 600000 bytes, more than any view',
      '<id>.json: it has format 9; this program knows 1',
      '<id>.json: it is no file',
      'notes.json: its name is not that of a view',
    ].sort(),
  );
  assert.equal(statSync(join(folder, `${torn.id}.json`)).size, 150, 'it is as it was');
  assert.ok(!readdirSync(folder).some((name) => name.endsWith('.new')), 'what a crash has left is removed');
  assert.throws(() => again.head(torn.id), problemOf(404, /no view/));
});

test('a file that is damaged after the start is told to who opens it, and the view can be deleted', async (context) => {
  const folder = folderOf(context);
  const { store } = await openStore(openViewDisk(folder));
  const { id } = await create(store);
  truncateSync(join(folder, `${id}.json`), 150);
  await assert.rejects(store.read(id), problemOf(500, /file of this view is damaged/));
  await store.delete(id, ANY, 'me');
  assert.deepEqual(readdirSync(folder), []);
});

test('of changes at once to one revision one is made', async (context) => {
  const { store } = await openStore(openViewDisk(folderOf(context)));
  const { id } = await create(store);
  const check = (revision: number): void => {
    if (revision !== 1) throw new ProblemError(412, 'changed');
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      store.change(id, { definition: DEFINITION, content: `{"by":${i}}` }, check, 'me'),
    ),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(store.head(id).revision, 2);
});

test('a full disk is 507 and a read-only folder 500, and what was there stays', async (context) => {
  const folder = folderOf(context);
  const disk = openViewDisk(folder);
  let fault: NodeJS.ErrnoException | undefined;
  const failing: ViewDisk = {
    ...disk,
    replace: (id, bytes) => (fault ? Promise.reject(fault) : disk.replace(id, bytes)),
  };
  const { store } = await openStore({ ...failing, remove: (id) => (fault ? Promise.reject(fault) : disk.remove(id)) });
  const { id } = await create(store);
  const before = readFileSync(join(folder, `${id}.json`));
  const change = () => store.change(id, { definition: DEFINITION, content: '{"b":2}' }, ANY, 'me');
  for (const [code, status] of [
    ['ENOSPC', 507],
    ['EDQUOT', 507],
    ['EROFS', 500],
    ['EACCES', 500],
  ] as const) {
    fault = systemError(code);
    await assert.rejects(change(), problemOf(status, status === 507 ? /too little is free/ : new RegExp(code)));
    await assert.rejects(create(store), problemOf(status, /not/));
    if (status === 500) await assert.rejects(store.delete(id, ANY, 'me'), problemOf(500, /could not be deleted/));
  }
  assert.deepEqual([store.head(id).revision, store.heads().length], [1, 1]);
  assert.deepEqual(readFileSync(join(folder, `${id}.json`)), before);
  fault = undefined;
  assert.equal((await change()).revision, 2);
});

test('where the folder cannot be made or read the server serves, and saving says so', async (context) => {
  const folder = folderOf(context);
  writeFileSync(folder, 'a file where the folder should be');
  const { store, leftAlone } = await openStore(openViewDisk(folder));
  assert.equal(leftAlone.length, 1);
  assert.deepEqual(store.heads(), []);
  await assert.rejects(create(store), problemOf(500, /could not be saved/));
  assert.equal(readFileSync(folder, 'utf8'), 'a file where the folder should be');
});

test('the reserve of the disk is kept free', async (context) => {
  const disk = openViewDisk(folderOf(context));
  const { store } = await openStore({ ...disk, freeBytes: () => Promise.resolve(1000) }, 900);
  await assert.rejects(create(store), problemOf(507, /too little is free/));
});

test('there are 10,000 views at most, and no more changes at once than memory should hold', async () => {
  const held = new Map<string, Buffer>();
  const disk: ViewDisk = {
    list: () => Promise.resolve([...held.keys()]),
    read: (id) => Promise.resolve(held.get(id) as Buffer),
    replace: async (id, bytes) => void held.set(id, bytes),
    remove: async (id) => void held.delete(id),
    sync: () => Promise.resolve(),
    freeBytes: () => Promise.resolve(Number.MAX_SAFE_INTEGER),
  };
  for (let i = 1; i < MAX_VIEWS; i++) {
    const head = { id: i.toString(16).padStart(20, '0'), ...DEFINITION, changed: '', revision: 1 };
    held.set(head.id, formatViewFile({ head, content: '{}' }));
  }
  const { store } = await openStore(disk);
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => create(store)));
  const reasons = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as ProblemError] : [],
  );
  assert.equal(reasons.filter(({ status }) => status === 503).length, 36);
  assert.equal(reasons.filter(({ key }) => key === 'Error.TooManyViews').length, 63);
  assert.equal(store.heads().length, MAX_VIEWS);
});

test('the check of a data folder, and the start of the engine, say nothing of it', async (context) => {
  const folder = makeTempFolder(context);
  await create((await openStore(openViewDisk(join(folder, '.views')))).store);
  const events: string[] = [];
  const listener = ({ level, message }: { level: string; message: string }): void => {
    if (level !== 'info' && level !== 'debug') events.push(message);
  };
  const engine = await openEngine({ folder, durability: 'os', listener });
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  assert.equal(engine.datasets().length, 1);
  await engine.close();
  assert.deepEqual(events, []);
  const { clean, findings } = await checkUnusedFolder(folder);
  assert.deepEqual([clean, findings], [true, []]);
});
