// The size of a dataset is that of its folder, however many files there are in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../../engine/index.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const TAGS = 400;
const BLOCK_POINTS = 64;
/** On disk, where files take whole pages. */
const BLOCK_BYTES = 4096;
const START_MS = Date.UTC(2026, 0, 1);
const TURNS = 5000;

/** A block of random values for each of the tags: they end up in a file of their own. */
async function writeBlocks(engine: Engine, fromMs: number): Promise<void> {
  const random = new SeededRandom(2);
  const points = () =>
    Array.from({ length: 2 * BLOCK_POINTS }, (_, i) => ({ ms: fromMs + i * 1000, value: random.unit() }));
  await writeNumbers(engine, 'd', Object.fromEntries(Array.from({ length: TAGS }, (_, tag) => [`T${tag}`, points()])));
}

test('the size of a folder of many files follows what is written, some time behind', async () => {
  const vfs = makeDisk({});
  const clock = new ManualClock(START_MS);
  const tunables = { blockPoints: BLOCK_POINTS, systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const engine = await openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables });
  const sizeBytes = (): number => Math.round(engine.dataset('d').sizeGb * 1e9);
  const settle = async (isSettled: () => boolean): Promise<void> => {
    for (let turn = 0; turn < TURNS && !isSettled(); turn++) {
      clock.advance(20);
      sizeBytes(); // somebody has to ask
      await nextTurn();
    }
  };
  await writeBlocks(engine, START_MS);
  await settle(() => vfs.files().length > TAGS);
  await settle(() => sizeBytes() >= TAGS * BLOCK_BYTES);
  const first = sizeBytes();
  assert.ok(first >= TAGS * BLOCK_BYTES, `${first} bytes`);
  await writeBlocks(engine, START_MS + 1_000_000);
  await settle(() => sizeBytes() >= 1.1 * first);
  assert.ok(sizeBytes() >= 1.1 * first, `${sizeBytes()} bytes after ${first}`);
  await engine.close();
});
