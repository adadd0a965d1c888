// Files that are no longer needed, on a disk that refuses to remove one.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EngineEvent } from '../../../engine/index.ts';
import { NEWEST, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JOURNALS = `${DATA_FOLDER}/d/journal`;

it('a retired journal that cannot be removed is reported once, and goes when the disk allows it again', async () => {
  const vfs = makeDisk({});
  const clock = new ManualClock(START_MS);
  const events: EngineEvent[] = [];
  const open = () =>
    openTestEngine({
      vfs,
      clock,
      random: new SeededRandom(1),
      tunables: { retiredFileMs: 60_000, systemTagIntervalMs: 0, diskReserveBytes: 0 },
      listener: (event) => events.push(event),
    });
  const first = await open();
  await writeNumbers(first, 'd', { T: [{ ms: START_MS, value: 1 }] });
  await first.close();
  const second = await open();
  const [retired] = vfs.listSync(JOURNALS);
  assert.ok(retired);
  const refusals = () => events.filter(({ event }) => event === 'file.not-removed');

  clock.advance(59_000);
  for (let i = 0; i < 3; i++) {
    const stopFailing = vfs.failAt(1, 'remove', 'EIO');
    clock.advance(1000);
    stopFailing();
    assert.ok(vfs.listSync(JOURNALS).includes(retired));
  }
  assert.deepEqual(
    refusals().map(({ level, path }) => ({ level, path })),
    [{ level: 'warn', path: `journal/${retired}` }],
  );
  assert.equal((await readNumbers(second, 'd', 'T', NEWEST)).points[0]?.value, 1);

  clock.advance(1000);
  assert.ok(!vfs.listSync(JOURNALS).includes(retired));
  await second.close();
});
