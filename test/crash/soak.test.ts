// Two short rounds of the soak; and that it notices a loss and growth.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutNewestJournal } from '../support/journal-loss.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { COUNTS, soak } from './soak.ts';
import { findGrowth, type SoakRow } from './soak-figures.ts';

const ROUND_MS = 1500;
const skip = process.platform === 'linux' ? false : 'memory and descriptors are read from /proc';

test('D1: under mixed load at full speed kill -9 loses nothing acknowledged', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const rows: SoakRow[] = [];
  const dataFolder = join(makeTempFolder(context), 'data');
  const report = await soak({
    seed,
    rounds: COUNTS.slice,
    roundMs: ROUND_MS,
    dataFolder,
    onRow: (row) => rows.push(row),
  });
  assert.deepEqual(report, { trials: COUNTS.slice, failures: [] });
  for (const row of rows) assert.ok(row.requests > 8 && row.reads > 2, `no load: ${JSON.stringify(row)}`);
});

test('D1, negative control: when a kill takes half of the newest journal along, the soak fails', {
  skip,
}, async (context) => {
  const dataFolder = join(makeTempFolder(context), 'data');
  const afterKill = (): void => cutNewestJournal(join(dataFolder, 'kept'));
  const report = await soak({ seed: 1, rounds: 3, roundMs: ROUND_MS, dataFolder, afterKill });
  assert.match(report.failures.join(), /points; want \d+ or \d+ of both/);
});

test('growth of memory above a tenth, of descriptors and of files is found; noise below is not', () => {
  const rows = (figures: (minute: number) => Partial<SoakRow>): SoakRow[] =>
    Array.from({ length: 20 }, (_, minute) => ({
      requests: 1,
      points: 1,
      reads: 1,
      recoveryMs: 1,
      memoryMb: 200 + (minute % 3) * 8,
      descriptors: 50 + (minute % 4),
      files: 40 + (minute % 5),
      dataMb: 1,
      ...figures(minute),
    }));
  assert.deepEqual(findGrowth(rows(() => ({}))), []);
  assert.match(findGrowth(rows((minute) => ({ memoryMb: 200 + 3 * minute }))).join(), /^resident memory/);
  assert.match(findGrowth(rows((minute) => ({ descriptors: 50 + 4 * minute }))).join(), /^open descriptors/);
  assert.match(findGrowth(rows((minute) => ({ files: 40 + 4 * minute }))).join(), /^files/);
});
