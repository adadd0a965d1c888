// A backup has the annotations of a dataset, also while more are written, and a restore brings them back.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFolder, openEngine } from '../../../../engine/index.ts';
import { nodeVfs } from '../../../../engine/io/node-vfs.ts';
import { backUp } from '../../../../server/commands/backup/backup.ts';
import { restore } from '../../../../server/commands/backup/restore.ts';
import { ANY_REVISION, contentAt, linesOf } from '../../../support/annotation-texts.ts';
import { LivePlant } from '../../../support/live-plant.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

test('annotations acknowledged before a backup are in it, and those written meanwhile whole or not at all', async (context) => {
  const plant = new LivePlant(context);
  await plant.open();
  await plant.writeMany(20);
  const folder = makeTempFolder(context);
  const target = join(folder, 'backup');
  const create = (i: number) => plant.engine.createAnnotation('d', contentAt(i, `text ${i}`), 'maria');
  for (const round of [1, 2]) {
    for (let i = 0; i < 30; i++) await create(i);
    const [first] = plant.engine.annotations('d');
    await plant.engine.deleteAnnotation('d', first?.id ?? 0, ANY_REVISION);
    const before = linesOf(plant.engine.annotations('d'));
    const say = (): void => undefined;
    const summary = await backUp({
      dataFolder: plant.folder,
      target,
      datasets: undefined,
      verify: 'all',
      say,
      checkpoint: async () => void (await create(99)),
    });
    assert.deepEqual(summary.faults, []);
    const restored = join(folder, `restored ${round}`);
    await restore({
      backup: target,
      dataFolder: restored,
      datasets: undefined,
      as: 'copy',
      say,
      checkpoint: async () => {},
    });
    assert.deepEqual(checkFolder(nodeVfs, restored).findings, []);
    const engine = await openEngine({ folder: restored, clock: new ManualClock(plant.clock.nowMs()) });
    const kept = new Set(linesOf(engine.annotations('copy')));
    for (const line of before) assert.ok(kept.has(line), line);
    const known = new Set(linesOf(plant.engine.annotations('d')));
    for (const line of kept) assert.ok(known.has(line), line);
    await engine.close();
  }
  await plant.engine.close();
});
