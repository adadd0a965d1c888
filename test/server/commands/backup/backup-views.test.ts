// Saved views go into a backup of everything, and come back.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backUp } from '../../../../server/commands/backup/backup.ts';
import { backUpViews, restoreViews } from '../../../../server/commands/backup/backup-views.ts';
import { restore } from '../../../../server/commands/backup/restore.ts';
import { formatViewFile } from '../../../../server/views/view-file.ts';
import { LivePlant } from '../../../support/live-plant.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const IDS = ['0123456789abcdef0123', '123456789abcdef01234', '23456789abcdef012345'] as const;
const nothing = (): Promise<void> => Promise.resolve();

function viewFile(id: string, name: string): Buffer {
  const changed = '2026-01-02T03:04:05.000Z';
  const head = { id, kind: 'trend', name, folder: '', datasets: ['d'], changed, revision: 1 } as const;
  return formatViewFile({ head, content: '{"rows":[]}' });
}

function put(folder: string, id: string, name: string): void {
  mkdirSync(join(folder, '.views'), { recursive: true });
  writeFileSync(join(folder, '.views', `${id}.json`), viewFile(id, name));
}

function views(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, '.views')).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, '.views', name), 'utf8')]));
}

function folders(context: TestContext): { data: string; copy: string; again: string } {
  const folder = makeTempFolder(context);
  return { data: join(folder, 'data'), copy: join(folder, 'copy'), again: join(folder, 'again') };
}

test('the copy has the views of the data folder, also those that were changed, and none that are gone', (context) => {
  const { data, copy } = folders(context);
  assert.deepEqual(backUpViews(data, copy), { count: 0, faults: [] });
  for (const id of IDS) put(data, id, 'first');
  assert.deepEqual(backUpViews(data, copy), { count: 3, faults: [] });
  put(data, IDS[0], 'second');
  rmSync(join(data, '.views', `${IDS[1]}.json`));
  assert.deepEqual(backUpViews(data, copy), { count: 2, faults: [] });
  assert.deepEqual(views(copy), views(data));
});

test('a damaged view is told, and the older copy of it stays', (context) => {
  const { data, copy } = folders(context);
  put(data, IDS[0], 'whole');
  backUpViews(data, copy);
  appendFileSync(join(data, '.views', `${IDS[0]}.json`), 'x');
  const { count, faults } = backUpViews(data, copy);
  assert.equal(count, 1);
  assert.match(faults.join(), /0123456789abcdef0123\.json: it fails its checksum/);
  assert.deepEqual(views(copy), { [`${IDS[0]}.json`]: viewFile(IDS[0], 'whole').toString() });
});

test('a restore brings back what is missing, and leaves what is there', (context) => {
  const { data, copy, again } = folders(context);
  for (const id of IDS) put(data, id, 'of the backup');
  backUpViews(data, copy);
  put(again, IDS[2], 'newer');
  assert.deepEqual(restoreViews(copy, again), { count: 2, kept: 1, faults: [] });
  assert.deepEqual(
    Object.values(views(again)).map((text) => /"name":"([^"]*)"/.exec(text)?.[1]),
    ['of the backup', 'of the backup', 'newer'],
  );
});

test('backup and restore of everything include them, those of one dataset do not', async (context) => {
  const plant = new LivePlant(context);
  await plant.open({});
  await plant.writeMany(3);
  put(plant.folder, IDS[0], 'mine');
  const { copy, again } = folders(context);
  const said: string[] = [];
  const options = { verify: 'all', say: (line: string) => void said.push(line), checkpoint: nothing } as const;
  const { faults } = await backUp({ ...options, dataFolder: plant.folder, target: copy, datasets: undefined });
  assert.deepEqual(faults, []);
  await restore({ ...options, backup: copy, dataFolder: again, datasets: undefined, as: undefined });
  assert.deepEqual(views(again), views(plant.folder));
  assert.deepEqual(
    said.filter((line) => line.startsWith('Saved views')),
    ['Saved views: 1.', 'Saved views: 1.'],
  );
});
