// A file of points that purge has hidden may be gone while one of older points is left: nothing of that is missing (D9).

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CatalogWriter, readCatalog } from '../../../engine/files/catalog-file.ts';
import { readDatasetFile, writeDatasetFile } from '../../../engine/files/dataset-file.ts';
import { checkFolder } from '../../../engine/index.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';
import { DATA_FOLDER } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const FOLDER = `${DATA_FOLDER}/d`;
const DAY_MS = 86_400_000;

it('the check misses nothing that the cutoff hides, whichever files are left, and all that it does not hide', async () => {
  const tunables = { blockPoints: 16, tagFileBytes: 200, systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const plant = new KillablePlant(START_MS + 200 * DAY_MS, tunables);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  for (let i = 0; i < 100; i++)
    await writeNumbers(engine, 'd', { T: [{ ms: START_MS + i * DAY_MS, value: Math.sin(i) }] });
  await engine.close();
  const catalog = readCatalog(plant.vfs, FOLDER);
  assert.ok(catalog?.meta);
  const files = catalog.tags.find(({ definition }) => definition.name === 'T')?.files ?? [];
  assert.ok(files.length >= 4, `${files.length} files`);
  const [, gone, next] = files;
  assert.ok(gone && next);
  const writer = new CatalogWriter(plant.vfs, FOLDER, 1);
  for (const tag of catalog.tags) writer.add({ ...tag, files: tag.files.filter((file) => file !== gone) });
  await writer.finish(catalog.meta, catalog.sequence);
  for (const name of plant.vfs.listSync(`${FOLDER}/journal`)) plant.vfs.removeSync(`${FOLDER}/journal/${name}`);
  plant.vfs.removeSync(`${FOLDER}/tags/40/64.${gone.number}`);
  const errors = (): string[] => checkFolder(plant.vfs, DATA_FOLDER).findings.map(({ message }) => message);
  const missing = `points ${gone.firstOrdinal} to ${gone.nextOrdinal - 1} of tag id 64 'T' are in no file`;
  assert.deepEqual(errors(), [missing]);
  const setCutoff = (purgedBeforeMs: number): Promise<void> =>
    writeDatasetFile(plant.vfs, FOLDER, { ...readDatasetFile(plant.vfs, FOLDER), purgedBeforeMs });
  await setCutoff(gone.lastMs);
  assert.deepEqual(errors(), [missing], 'the newest of them is to be kept');
  await setCutoff(next.firstMs);
  assert.deepEqual(errors(), []);
});
