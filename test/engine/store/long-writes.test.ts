// A request that leaves a long head: its blocks are written in turns, and all rules hold meanwhile.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine } from '../../../engine/index.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2025, 0, 1);
/** No multiple of what is written in a turn, and many times that. */
const LONG_COUNT = 20_001;
const TURN_LIMIT = 10_000;

function pointsFrom(first: number, count: number): NumberPoint[] {
  return Array.from({ length: count }, (_, i) => ({ ms: START_MS + (first + i) * 1000, value: (first + i) / 4 }));
}

function open(vfs: MemoryVfs): Promise<Engine> {
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS + 1e9),
    random: new SeededRandom(1),
    tunables: { sliceMs: 0, blockPoints: 64, systemTagIntervalMs: 0, diskReserveBytes: 0 },
  });
}

async function countOf(engine: Engine, tag: string): Promise<number> {
  const { points, gaps } = await readNumbers(engine, 'd', tag);
  assert.deepEqual(gaps, []);
  for (const [i, { ms, value }] of points.entries()) assert.deepEqual([ms, value], [START_MS + i * 1000, i / 4]);
  return points.length;
}

/** Turns of the event loop in which blocks were written, until all are. */
async function filingTurns(engine: Engine, onTurn: (turn: number) => Promise<void>): Promise<number> {
  let turns = 0;
  let idle = 0;
  let bytes = engine.stats().bytesWritten.tags;
  for (let turn = 0; turn < TURN_LIMIT && idle < 100; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = engine.stats().bytesWritten.tags;
    idle = now === bytes ? idle + 1 : 0;
    if (now === bytes) continue;
    bytes = now;
    turns++;
    await onTurn(turns);
  }
  return turns;
}

describe('long requests', () => {
  it('are flushed while others have their turns; reads see all their points, and later requests come after them', async () => {
    const engine = await open(makeDisk({}));
    await writeNumbers(engine, 'd', { T: pointsFrom(0, LONG_COUNT) });
    let count = LONG_COUNT;
    const turns = await filingTurns(engine, async (turn) => {
      if (turn % 3 !== 1) return;
      assert.equal(await countOf(engine, 'T'), count);
      await writeNumbers(engine, 'd', { T: pointsFrom(count, 1) });
      assert.equal(await countOf(engine, 'T'), ++count);
    });
    assert.ok(turns > 8, `${turns} turns`);
    assert.equal(await countOf(engine, 'T'), count);
    await engine.close();
  });

  const seed = chooseSeed();
  it(`are whole after a power cut while they are flushed (SEED=${seed})`, async () => {
    const random = new SeededRandom(seed);
    const vfs = makeDisk({});
    const engine = await open(vfs);
    await writeNumbers(engine, 'd', { T: pointsFrom(0, 5_000) });
    await writeNumbers(engine, 'd', { T: pointsFrom(5_000, LONG_COUNT) });
    const clones: MemoryVfs[] = [];
    await filingTurns(engine, async () => {
      clones.push(vfs.crashClone({ content: 'any', entries: 'any', random }));
    });
    assert.ok(clones.length > 8, `${clones.length} clones`);
    for (const clone of clones) {
      const again = await open(clone);
      assert.equal(await countOf(again, 'T'), 5_000 + LONG_COUNT);
      await again.close();
    }
    await engine.close();
  });
});
