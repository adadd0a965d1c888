import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_SYSTEMS, whyNoLoopDisk } from '../support/loop-disk.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { COUNTS, cutRealPower } from './real-disk.ts';

const CONTROL_CUTS = 6;

for (const kind of FILE_SYSTEMS) {
  test(`D1, D2 on ${kind}: after a power cut every acknowledged request is there whole; without syncs this fails`, async (context) => {
    const reason = whyNoLoopDisk(kind, makeTempFolder(context));
    if (reason !== false) return context.skip(reason);
    const seed = chooseSeed();
    context.diagnostic(`SEED=${seed}`);
    const count = COUNTS.slice;
    assert.deepEqual(await cutRealPower({ kind, durability: 'group', seed, count }), { trials: count, failures: [] });
    const control = await cutRealPower({ kind, durability: 'os', seed, count: CONTROL_CUTS });
    assert.match(control.failures.join(), /got \d+ points, want \d+/, 'negative control');
  });
}
