import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, exhaustDescriptors, whyNoLimits } from './open-files.ts';

const skip = whyNoLimits();

test('without file descriptors requests are answered or refused, nothing acknowledged is lost, and it goes on by itself', {
  skip,
}, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const { trials, failures, refused } = await exhaustDescriptors({ seed, count: COUNTS.slice, room: 'none' });
  assert.deepEqual({ trials, failures }, { trials: COUNTS.slice, failures: [] });
  assert.ok(refused > 0, 'nothing was refused');
});

test('negative control: when half of every tag file and journal goes with the kill, the same trial fails', {
  skip,
}, async () => {
  const cut = (dataFolder: string): void => {
    const folder = join(dataFolder, 'kept');
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (/^(journal|tags)/.test(name) && statSync(path).isFile()) truncateSync(path, statSync(path).size >> 1);
    }
  };
  const { failures } = await exhaustDescriptors({ seed: 1, count: 1, room: 'none', afterKill: cut });
  assert.match(failures.join(), /points; want \d+ or \d+ of both|has gaps|status 404/);
});
