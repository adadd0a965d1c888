// The newest point, found again from files after points were deleted.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Engine } from '../../../engine/index.ts';
import { NEWEST, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const TURN_LIMIT = 1000;
const RANDOM = new SeededRandom(1);
const WHOLE = { content: 'everything', entries: 'everything', random: RANDOM } as const;

it('is the last of those at its time, also when a spill repeats some that a tag file holds', async () => {
  const engine = await openTestEngine({
    vfs: makeDisk({}),
    clock: new ManualClock(START_MS),
    random: new SeededRandom(1),
    // Every request is spilled at once; spills stay.
    tunables: { headLimitBytes: 1, blockPoints: 64, maxSpills: 100, systemTagIntervalMs: 0, diskReserveBytes: 0 },
  });
  await writeNumbers(engine, 'd', { T: valuesAt(START_MS, 0, 2) });
  await turnUntil(() => engine.stats().bytesWritten.spill > 0);
  await writeNumbers(engine, 'd', { T: valuesAt(START_MS, 2, 70) });
  await turnUntil(() => engine.stats().bytesWritten.tags > 0);
  await writeNumbers(engine, 'd', { T: valuesAt(START_MS + 1000, 100, 1) });
  await engine.deletePoints('d', ['T'], { ms: START_MS + 500, ticks: 0 });
  const { points } = await readNumbers(engine, 'd', 'T', NEWEST);
  assert.deepEqual(points, [{ ms: START_MS, value: 71, quality: 192 }]);
  assert.equal(spillCount(engine) > 0, true);
  await engine.close();
});

it('is known with all that share its time, also when a deletion and points after it are replayed', async () => {
  const vfs = makeDisk({});
  const open = () => openTestEngine({ vfs: vfs.crashClone(WHOLE), clock: new ManualClock(START_MS), random: RANDOM });
  const engine = await openTestEngine({ vfs, clock: new ManualClock(START_MS), random: RANDOM });
  await writeNumbers(engine, 'd', { T: [...valuesAt(START_MS, 1, 1), ...valuesAt(START_MS + 1000, 9, 1)] });
  await engine.deletePoints('d', ['T'], { ms: START_MS + 500, ticks: 0 });
  await writeNumbers(engine, 'd', { T: valuesAt(START_MS, 2, 1) });
  const again = await open();
  const { written, repeated } = await writeNumbers(again, 'd', { T: valuesAt(START_MS, 1, 2) });
  assert.deepEqual({ written, repeated }, { written: 0, repeated: 2 });
  await again.close();
  await engine.close();
});

function valuesAt(ms: number, first: number, count: number) {
  return Array.from({ length: count }, (_, i) => ({ ms, value: first + i }));
}

function spillCount(engine: Engine): number {
  return engine.stats().datasets[0]?.spillCount ?? 0;
}

async function turnUntil(isReached: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURN_LIMIT && !isReached(); turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(isReached());
}
