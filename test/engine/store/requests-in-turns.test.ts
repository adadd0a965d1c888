// Requests on very many tags, which take several turns of the event loop, writes batch by batch: all rules hold meanwhile.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Engine, EngineError } from '../../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../../engine/limits.ts';
import { sortInSlices } from '../../../engine/points/sort-in-slices.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2025, 0, 1);
const TAG_COUNT = DEFAULT_TUNABLES.longRequestTags + 1000;

function open(vfs: MemoryVfs): Promise<Engine> {
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS + 1e9),
    random: new SeededRandom(1),
    tunables: { sliceMs: 0, blockPoints: 64, systemTagIntervalMs: 0, diskReserveBytes: 0 },
  });
}

/** A point for each of very many tags. */
function manyTags(value: number): Record<string, NumberPoint[]> {
  const point = { ms: START_MS + value * 1000, value };
  return Object.fromEntries(Array.from({ length: TAG_COUNT }, (_, i) => [`T${i}`, [point]]));
}

async function valuesOf(engine: Engine, tag: string): Promise<(number | null | undefined)[]> {
  const { points, gaps } = await readNumbers(engine, 'd', tag);
  assert.deepEqual(gaps, []);
  return points.map(({ value }) => value);
}

function names(): string[] {
  return Array.from({ length: TAG_COUNT }, (_, i) => `T${i}`);
}

async function turns(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let count = 0;
  void work
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    count++;
  }
  return count;
}

describe('requests on very many tags', () => {
  it('let others have their turns (D17), and what comes behind them stays behind them (D15)', async () => {
    const vfs = makeDisk({});
    let engine = await open(vfs);
    const writes = [1, 2].map((value) => writeNumbers(engine, 'd', manyTags(value)));
    const late = writeNumbers(engine, 'd', { T5: [{ ms: START_MS + 3000, value: 3 }] });
    const other = writeNumbers(engine, 'e', { X: [{ ms: START_MS, value: 9 }] });
    const batches = Math.ceil(TAG_COUNT / DEFAULT_TUNABLES.batchTags);
    assert.ok((await turns(Promise.all(writes))) >= 2 * batches, 'the event loop came round');
    await Promise.all([...writes, late, other]);
    for (const round of ['running', 'restarted']) {
      assert.deepEqual(await valuesOf(engine, 'T5'), [1, 2, 3], round);
      assert.deepEqual(await valuesOf(engine, `T${TAG_COUNT - 1}`), [1, 2], round);
      assert.equal(engine.dataset('d').tagCount, TAG_COUNT, round);
      await engine.close();
      engine = await open(vfs);
    }
    await engine.close();
  });

  it('hold those behind them no longer than they last: these go to disk together', async () => {
    const vfs = makeDisk({});
    const engine = await open(vfs);
    await writeNumbers(engine, 'd', { T0: [{ ms: START_MS, value: 0 }] });
    let writes = 0;
    vfs.watch(({ kind, path }) => {
      if (kind === 'write-done' && path.includes('journal')) writes++;
    });
    const long = writeNumbers(engine, 'd', manyTags(1));
    const short = Array.from({ length: 50 }, (_, i) =>
      writeNumbers(engine, 'd', { [`S${i % 10}`]: [{ ms: START_MS + i, value: i }] }),
    );
    await Promise.all([long, ...short]);
    assert.ok(writes >= 2 && writes <= 8, `${writes} writes, room included`);
    assert.deepEqual(await valuesOf(engine, 'S3'), [3, 13, 23, 33, 43]);
    await engine.close();
  });

  it('of tags that are defined, written and deleted leave what their order says (D15)', async () => {
    const vfs = makeDisk({});
    let engine = await open(vfs);
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    const defined = engine.defineTags(
      'd',
      names().map((name) => ({ name, description: 'first' })),
    );
    const changed = engine.defineTags('d', [{ name: 'T7', description: 'second' }]);
    const written = writeNumbers(engine, 'd', manyTags(1));
    const deleted = engine.deleteTags('d', names().slice(10));
    const again = writeNumbers(engine, 'd', { T20: [{ ms: START_MS, value: 5 }] });
    await Promise.all([defined, changed, written, deleted, again]);
    for (const round of ['running', 'restarted']) {
      const user = [...(await engine.tags('d')).user];
      assert.deepEqual(
        user.map(({ name }) => name),
        [...names().slice(0, 10), 'T20'].sort(),
        round,
      );
      assert.equal(engine.tag('d', 'T7').description, 'second', round);
      assert.deepEqual([await valuesOf(engine, 'T7'), await valuesOf(engine, 'T20')], [[1], [5]], round);
      await engine.close();
      engine = await open(vfs);
    }
    await engine.close();
  });

  it('are refused, and leave nothing, when their dataset is deleted meanwhile', async () => {
    const engine = await open(makeDisk({}));
    await writeNumbers(engine, 'd', { T0: [{ ms: START_MS, value: 0 }] });
    const writing = writeNumbers(engine, 'd', manyTags(1));
    await new Promise((resolve) => setImmediate(resolve));
    const deleting = engine.deleteDataset('d');
    await assert.rejects(writing, (error) => error instanceof EngineError && error.code === 'DATASET_NOT_FOUND');
    await deleting;
    assert.equal(engine.hasDataset('d'), false);
    await engine.close();
  });

  it('with one unknown name delete nothing', async () => {
    const engine = await open(makeDisk({}));
    await writeNumbers(engine, 'd', manyTags(1));
    await assert.rejects(
      engine.deleteTags('d', [...names(), 'None']),
      (error) => error instanceof EngineError && error.code === 'TAG_NOT_FOUND',
    );
    assert.equal((await engine.tags('d')).user.names.length, TAG_COUNT);
    await engine.close();
  });

  it('sorting in slices is sorting', async () => {
    const random = new SeededRandom(7);
    for (const count of [0, 1, 1023, 1024, 1025, 5000]) {
      const items = Array.from({ length: count }, () => Math.floor(random.unit() * 1000));
      const want = items.toSorted((a, b) => a - b);
      assert.deepEqual(await sortInSlices(items, (a, b) => a - b, { pause: () => undefined }), want);
    }
  });
});
