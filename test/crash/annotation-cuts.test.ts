// The power is cut before every single operation of the disk while annotations are made, changed, deleted, and their file is
// written anew. After each, every acknowledged change is there, and of the one under way all or nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Annotation, type Engine, MAX_ANNOTATION_TEXT } from '../../engine/index.ts';
import { ANNOTATED, ANY_REVISION, contentAt, linesOf, makeAnnotated } from '../support/annotation-texts.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const LONG = '°'.repeat(MAX_ANNOTATION_TEXT);
/** Then the file is long enough to be written anew. */
const LONG_CHANGES = 132;
const FEWEST_CUTS = 60;

function open(vfs: MemoryVfs): Promise<Engine> {
  const tunables = { systemTagIntervalMs: 0, diskReserveBytes: 0 };
  return openTestEngine({ vfs, clock: new ManualClock(START_MS), random: new SeededRandom(7), tunables });
}

interface Cut {
  readonly disk: MemoryVfs;
  readonly certain: readonly Annotation[];
  /** Index of the change under way. */
  readonly step: number;
  readonly where: string;
}

type Step = (engine: Engine, ids: readonly number[]) => Promise<Annotation>;

const create: Step = (engine) => engine.createAnnotation(ANNOTATED, contentAt(1, 'short'), 'maria');
const change =
  (text: string): Step =>
  (engine, [id = 0]) =>
    engine.changeAnnotation(ANNOTATED, id, { content: contentAt(1, text), by: 'otto', check: ANY_REVISION });
const remove: Step = (engine, ids) => engine.deleteAnnotation(ANNOTATED, ids.at(-1) ?? 0, ANY_REVISION);
const few: readonly Step[] = [create, create, change('a'), create, remove, change('b'), create];

/** Cuts the power before each operation of these steps; gives what was there before and after each step. */
async function cutEverywhere(syncIsNoop: boolean, seed: number): Promise<{ cuts: Cut[]; states: Annotation[][] }> {
  const random = new SeededRandom(seed);
  const disk = makeDisk({ random: random.fork(), syncIsNoop, nowMs: () => START_MS });
  const engine = await open(disk);
  await makeAnnotated(engine);
  const cuts: Cut[] = [];
  const states: Annotation[][] = [[]];
  const all = (): Annotation[] => [...engine.annotations(ANNOTATED)];
  const run = async (steps: readonly Step[], isCut: boolean): Promise<void> => {
    for (const step of steps) {
      const certain = all();
      const stop = disk.watch(({ kind, path }) => {
        if (!isCut) return;
        const cut = { content: 'any', entries: 'any', random: random.fork() } as const;
        const clone = disk.crashClone(cut, { ...disk.options, random: random.fork() });
        cuts.push({ disk: clone, certain, step: states.length - 1, where: `${kind} of ${path}` });
      });
      await step(
        engine,
        certain.map(({ id }) => id),
      );
      stop();
      states.push(all());
    }
  };
  await run(few, true);
  await run(
    Array.from({ length: LONG_CHANGES }, () => change(LONG)),
    false,
  );
  // Somewhere in here the file is written anew.
  await run([change(LONG), change('c'), change('d'), remove, create, ...few], true);
  disk.halt();
  return { cuts, states };
}

async function checkCuts(syncIsNoop: boolean, seed: number): Promise<number> {
  const { cuts, states } = await cutEverywhere(syncIsNoop, seed);
  for (const { disk, certain, step, where } of cuts) {
    const engine = await open(disk);
    const shown = linesOf(engine.annotations(ANNOTATED));
    const isBefore = JSON.stringify(shown) === JSON.stringify(linesOf(certain));
    const isAfter = JSON.stringify(shown) === JSON.stringify(linesOf(states[step + 1] as Annotation[]));
    assert.ok(isBefore || isAfter, `seed ${seed}, cut before ${where} of step ${step}: something else is there`);
    const made = await engine.createAnnotation(ANNOTATED, contentAt(2, 'goes on'), undefined);
    assert.ok(certain.every(({ id }) => id !== made.id));
    await engine.close();
    const again = await open(disk);
    assert.equal(again.annotations(ANNOTATED).length, shown.length + 1);
    await again.close();
  }
  return cuts.length;
}

test('D1, D2: after a power cut at any operation every acknowledged annotation is as it was, another one whole or not at all', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = await checkCuts(false, seed);
  context.diagnostic(`${count} cuts`);
  assert.ok(count >= FEWEST_CUTS, `${count} cuts`);
});

test('D1, D2, negative control: with syncs as no-ops annotations are lost', async () => {
  await assert.rejects(checkCuts(true, chooseSeed()));
});
