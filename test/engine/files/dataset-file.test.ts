// dataset.json: files from before the late-data rules, files with them, and what a change of purge rules leaves alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDatasetFile, readDatasetFile } from '../../../engine/files/dataset-file.ts';
import type { DatasetDefinition, Engine } from '../../../engine/index.ts';
import { turnUntil } from '../../crash/crash-machine.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const CUTS = { purgedBeforeMs: 1_700_000_000_000, systemPurgedBeforeMs: null };
/** The file as programs wrote it that knew no late-data rules. */
const BEFORE = `{
  "format": 1,
  "purgeAgeDays": 30,
  "purgeSizeGb": 2,
  "purgedBeforeMs": 1700000000000,
  "systemPurgedBeforeMs": null,
  "crc": 4221117190
}
`;

const AS_WRITTEN_NOW = BEFORE.replace('"format": 1', '"format": 7').replace('4221117190', '1973690543');

function put(disk: MemoryVfs, content: Uint8Array): void {
  const file = disk.openSync(`${DATA_FOLDER}/dataset.json`, 'write');
  file.writeSync(content, 0);
  file.closeSync();
}

test('a file without late-data rules is read, and written with the same fields and the present version', () => {
  const disk = makeDisk({});
  put(disk, Buffer.from(BEFORE));
  const file = readDatasetFile(disk, DATA_FOLDER);
  assert.deepEqual(file, { format: 1, purgeAgeDays: 30, purgeSizeGb: 2, ...CUTS });
  assert.equal(
    Buffer.from(formatDatasetFile({ purgeAgeDays: 30, purgeSizeGb: 2, ...CUTS })).toString(),
    AS_WRITTEN_NOW,
  );
});

test('a file with late-data rules is read with them', () => {
  const disk = makeDisk({});
  const rules = { purgeAgeDays: 1, purgeSizeGb: 0, lateToleranceMs: 0, lateAgeDays: 365, ...CUTS };
  put(disk, formatDatasetFile(rules));
  assert.deepEqual(readDatasetFile(disk, DATA_FOLDER), { format: 7, ...rules });
});

async function boot(disk: MemoryVfs): Promise<{ engine: Engine; turn: <T>(work: Promise<T>) => Promise<T> }> {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const turn = <T>(work: Promise<T>): Promise<T> => turnUntil(work, clock);
  return { engine: await turn(openTestEngine({ vfs: disk, clock, random: new SeededRandom(1) })), turn };
}

test('late-data rules outlive a power cut, a purge and a change that does not name them', async () => {
  const disk = makeDisk({});
  const { engine, turn } = await boot(disk);
  const definition: DatasetDefinition = { name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 };
  await turn(engine.createDataset({ ...definition, lateToleranceMs: 5000 }));
  await turn(engine.updateDataset({ ...definition, lateAgeDays: 30 }));
  await turn(engine.updateDataset({ ...definition, purgeAgeDays: 10 }));
  await turn(engine.purge());
  const lost = { content: 'nothing', entries: 'nothing', random: new SeededRandom(2) } as const;
  const after = await boot(disk.crashClone(lost));
  const { lateToleranceMs, lateAgeDays, purgeAgeDays } = after.engine.dataset('d');
  assert.deepEqual(
    { lateToleranceMs, lateAgeDays, purgeAgeDays },
    { lateToleranceMs: 5000, lateAgeDays: 30, purgeAgeDays: 10 },
  );
});
