// Datasets whose names differ in case only, on a disk that does not tell capitals from small letters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaseFoldingVfs } from '../../support/case-folding-vfs.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);

async function open(vfs: CaseFoldingVfs) {
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS),
    random: new SeededRandom(1),
    tunables: { systemTagIntervalMs: 0 },
  });
}

for (const names of [
  ['CaseX', 'casex'],
  ['casex', 'CaseX', 'CASEX'],
  ['con', 'CON', 'cON'],
  ['lock', 'LOCK'],
]) {
  test(`${names.join(', ')}, created in this order, are datasets of their own, also after a restart and when one is deleted`, async () => {
    const vfs = new CaseFoldingVfs();
    vfs.makeDirectorySync(DATA_FOLDER);
    vfs.openSync(`${DATA_FOLDER}/LOCK`, 'write').closeSync();
    const engine = await open(vfs);
    for (const [i, name] of names.entries()) await writeNumbers(engine, name, { T: [{ ms: START_MS, value: i }] });
    await engine.close();
    const again = await open(vfs);
    assert.deepEqual(
      again.datasets().map(({ name }) => name),
      names.toSorted(),
    );
    for (const [i, name] of names.entries())
      assert.deepEqual(
        (await readNumbers(again, name, 'T')).points.map(({ value }) => value),
        [i],
      );
    await again.deleteDataset(names[0] as string);
    for (const [i, name] of names.slice(1).entries())
      assert.deepEqual(
        (await readNumbers(again, name, 'T')).points.map(({ value }) => value),
        [i + 1],
      );
    await writeNumbers(again, names[1] as string, { T: [{ ms: START_MS + 1, value: 9 }] });
    await again.close();
  });
}
