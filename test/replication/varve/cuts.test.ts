// Removed points of a tag with late points: those that lie between points that stay have to be found in time.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PassingFailure } from '../../../replication/sink.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import type { Fate } from './lossy-line.ts';
import { SteppedCopy } from './stepped-copy.ts';

/** More of them by `STEPS`. */
const STEPS = Number(process.env.STEPS ?? 30);

async function assertAlike(stepped: SteppedCopy, what: () => string): Promise<void> {
  await stepped.settle();
  const [edge, copy] = await stepped.answers();
  assert.equal(copy, edge, what());
}

test('points are removed behind the time up to which a removal had left no late ones', async (context) => {
  const stepped = await SteppedCopy.start(context);
  const steps: readonly (() => Promise<void>)[] = [
    () => stepped.write(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100),
    () => stepped.write(50),
    () => stepped.cut(15),
    () => stepped.write(10, 11, 12),
    () => stepped.cut(11),
    () => stepped.write(13),
  ];
  for (const [i, step] of steps.entries()) {
    await step();
    await assertAlike(stepped, () => `step ${i}`);
  }
});

test('late points between those that a removal has left and those that it takes stay', async (context) => {
  const stepped = await SteppedCopy.start(context);
  await stepped.write(0, 10, 20, 40);
  await stepped.write(15, 25);
  await assertAlike(stepped, () => 'the first points');
  await stepped.cut(30);
  await assertAlike(stepped, () => 'nothing late is removed');
  await stepped.write(28, 29);
  await stepped.write(27);
  await stepped.cut(26);
  await assertAlike(stepped, () => 'late points are removed, before the copy has them');
  await stepped.write(26);
  await assertAlike(stepped, () => 'another point');
  await stepped.cut(26);
  await assertAlike(stepped, () => 'it is removed');
  await stepped.cut(16);
  await stepped.cut(0);
  await assertAlike(stepped, () => 'everything is removed');
});

interface Random {
  readonly stepped: SteppedCopy;
  readonly random: SeededRandom;
  readonly log: string[];
}

/** Writes in order, late writes, removals not far from where the last one was, and another description now and then. */
async function step({ stepped, random, log }: Random, at: { second: number }): Promise<void> {
  const kind = random.below(11);
  if (kind === 10) {
    log.push('describe');
    await stepped.describe(`changed ${log.length} times`);
  } else if (kind < 4) {
    const seconds = Array.from({ length: random.between(1, 4) }, () => (at.second += random.below(3)));
    log.push(`write ${seconds}`);
    await stepped.write(...seconds);
  } else if (kind < 7) {
    const second = Math.max(0, at.second - 1 - random.below(12));
    log.push(`write ${second}`);
    await stepped.write(second);
  } else {
    const second = Math.max(0, at.second - random.below(10));
    log.push(`cut ${second}`);
    await stepped.cut(second);
    at.second = random.chance(0.5) ? second : Math.max(second, at.second - 3);
  }
}

async function tryAtRandom(context: TestContext, faults: (parts: Random) => Promise<void>): Promise<void> {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const stepped = await SteppedCopy.start(context);
  const log: string[] = [];
  const parts = { stepped, random, log };
  const at = { second: 100 };
  await stepped.write(at.second);
  for (let i = 0; i < STEPS; i++) {
    const beside = random.chance(0.3) ? stepped.round() : undefined;
    if (beside) log.push('a round beside');
    for (let steps = random.between(1, 4); steps > 0; steps--) await step(parts, at);
    await beside;
    await faults(parts);
    await assertAlike(stepped, () => `SEED=${seed}: ${log.join(', ')}`);
    log.push('|');
  }
}

test('points behind a late one that came first after a removal are removed', async (context) => {
  const stepped = await SteppedCopy.start(context);
  await stepped.write(1, 2, 3, 5);
  await assertAlike(stepped, () => 'the first points');
  await stepped.cut(4);
  await stepped.write(1);
  await assertAlike(stepped, () => 'a removal, and a late point');
  await stepped.cut(2);
  await assertAlike(stepped, () => 'another removal');
});

test('random writes, late writes and removals come to the same', async (context) => {
  await tryAtRandom(context, async () => {});
});

test('they do so where requests get lost, positions too, and the edge starts again', async (context) => {
  await tryAtRandom(context, async ({ stepped, random, log }) => {
    if (random.chance(0.5)) return;
    stepped.line.fate = () => random.pick<Fate>(['passes', 'passes', 'passes', 'lost before', 'lost after']);
    for (let rounds = random.between(1, 3); rounds > 0; rounds--) {
      log.push('faulty round');
      await stepped.round().catch((error: unknown) => assert.ok(error instanceof PassingFailure, String(error)));
    }
    stepped.line.fate = () => 'passes';
    if (random.chance(0.5)) return;
    log.push('new start');
    stepped.end();
    if (random.chance(0.5)) stepped.losePositions();
  });
});
