// Cutoffs that purge moves on are in force once they are stored, not before; what is asked meanwhile has its place behind them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine, EngineTunables } from '../../../engine/index.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';
import { systemError } from '../../support/memory-vfs.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const TUNABLES: Partial<EngineTunables> = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15, diskReserveBytes: 0 };
const DAYS = 30;
const KEPT_DAYS = 20;
const TURNS = 20;

function daily(fromDay: number, count: number): NumberPoint[] {
  return Array.from({ length: count }, (_, i) => ({ ms: NOW_MS + (fromDay + i) * DAY_MS, value: fromDay + i }));
}

async function daysOf(engine: Engine, tag = 'T'): Promise<(number | null)[]> {
  const { points, gaps } = await readNumbers(engine, 'd', tag);
  assert.deepEqual(gaps, []);
  return points.map(({ value }) => value);
}

function days(fromDay: number, count: number): number[] {
  return daily(fromDay, count).map(({ value }) => value);
}

/** A rule that no purge has applied yet. */
async function unpurged(): Promise<{ plant: KillablePlant; engine: Engine }> {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await writeNumbers(engine, 'd', { T: daily(-DAYS, DAYS), Newest: daily(-1, 1) });
  await engine.updateDataset({ name: 'd', purgeAgeDays: KEPT_DAYS, purgeSizeGb: 0 });
  return { plant, engine };
}

async function someTurns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await nextTurn();
}

describe('cutoffs that move on (D9)', () => {
  it('hide nothing while they are stored, nor where they cannot be', async () => {
    const { plant, engine } = await unpurged();
    const { vfs } = plant;
    const cancel = vfs.watch(({ kind, path }) => {
      if (kind === 'sync-done' && path.includes('dataset.json')) throw systemError('ENOSPC', 'write', path);
    });
    vfs.hold();
    const purging = engine.purge();
    await someTurns();
    assert.deepEqual(await daysOf(engine), days(-DAYS, DAYS));
    vfs.resume();
    await purging;
    cancel();
    assert.deepEqual(await daysOf(engine), days(-DAYS, DAYS));
    await engine.purge();
    assert.deepEqual(await daysOf(engine), days(-KEPT_DAYS - 1, KEPT_DAYS + 1));
    await engine.close();
  });

  it('are there before a removal that comes meanwhile, and that before a write behind it', async () => {
    const { plant, engine } = await unpurged();
    plant.vfs.hold();
    const purging = engine.purge();
    await someTurns();
    // The removal has the point that purge keeps, and with it all that purge hides.
    const startMs = NOW_MS - (KEPT_DAYS + 1) * DAY_MS;
    const removal = engine.deletePoints('d', ['T'], { ms: startMs, ticks: 0 });
    const write = writeNumbers(engine, 'd', { T: daily(-2, 1) });
    await someTurns();
    plant.vfs.resume();
    await Promise.all([purging, write]);
    assert.deepEqual(await removal, { removed: KEPT_DAYS + 1 });
    assert.deepEqual(await daysOf(engine), [-2]);
    const again = await plant.kill();
    assert.deepEqual(await daysOf(again), [-2]);
    await again.close();
  });
});
