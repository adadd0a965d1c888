// The same seed, now and configuration give the same points, byte for byte, also when the run is cut off and begun again
// at any place.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { standingClock } from '../../simulator/clock.ts';
import { OutFile } from '../../simulator/out-file.ts';
import { Simulation } from '../../simulator/simulation.ts';
import { planResume } from '../../simulator/state/resume.ts';
import { StateFolder } from '../../simulator/state/state-folder.ts';
import type { SavedState } from '../../simulator/state/state-model.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { plantOf } from '../support/simulated-points.ts';
import { mixedPlant, NOW_MS, simulate } from '../support/simulator-runs.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${SEED}`);

const CUTS = 50;
const plant = plantOf(mixedPlant(2));

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

class Cut extends Error {}

/**
 * Runs from the folder's state until it is complete (true) or `slices` slices were generated (false): then everything in
 * memory is lost, and bytes that no state speaks of stay behind in the file.
 */
async function runUntilCut(folder: string, slices: number): Promise<boolean> {
  const states = await StateFolder.open(join(folder, 'state'), () => {});
  const saved = await states.read();
  const path = join(folder, 'out.jsonl');
  const out = await OutFile.open(path, saved?.out?.sizeBytes ?? 0);
  let left = slices;
  const simulation = new Simulation({
    pace: 'whole cycles',
    resume: await planResume({
      plant,
      state: saved,
      older: () => states.older(),
      newestMs: newestOf(saved),
      seed: 7,
      nowMs: NOW_MS,
      log: () => {},
    }),
    seed: 7,
    sink: new Proxy(out, {
      get: (target, key) => {
        // Asked after every slice.
        if (key === 'isFull') {
          if (left-- <= 0) throw new Cut();
          return target.isFull || left % 5 === 0;
        }
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    clock: standingClock(NOW_MS),
    newestMs: newestOf(saved),
    save: (state) => states.write(state),
    createTags: () => Promise.resolve(),
    stateExtras: () => ({ out: { runId: 'test', sizeBytes: out.sizeBytes } }),
    signal: new AbortController().signal,
    leastSaveIntervalMs: 0,
  });
  try {
    await simulation.saveStart();
    await simulation.finishFormerDefinitions();
    await simulation.catchUp();
    await simulation.saveNow();
    return true;
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    return false;
  } finally {
    await simulation.idle();
    await out.close();
  }
}

function newestOf(saved: SavedState | undefined): Map<string, number> {
  const carries = saved?.instances.flatMap((instance) => [...instance.position.carries]) ?? [];
  return new Map(carries.map(([name, carry]) => [name, carry.lastTimeMs]));
}

test('the same seed, now and configuration give the same file; another seed another one', async (context) => {
  const folder = makeTempFolder(context);
  const hashes: string[] = [];
  for (const [index, seed] of [7, 7, 8].entries()) {
    const out = join(folder, `${index}.jsonl`);
    await simulate({ folder, configuration: mixedPlant(1), options: { out, seed } });
    hashes.push(hashOf(out));
  }
  assert.equal(hashes[0], hashes[1]);
  assert.notEqual(hashes[0], hashes[2]);
});

test(`a run that is cut off at ${CUTS} random places and begun again gives the file of an uncut run, byte for byte`, async (context) => {
  const random = new SeededRandom(SEED);
  const whole = makeTempFolder(context);
  assert.equal(await runUntilCut(whole, Infinity), true);
  const reference = hashOf(join(whole, 'out.jsonl'));
  const folder = makeTempFolder(context);
  let cuts = 0;
  let leftovers = 0;
  while (cuts < CUTS) {
    const isComplete = await runUntilCut(folder, random.between(1, 60));
    if (isComplete) {
      assert.equal(hashOf(join(folder, 'out.jsonl')), reference);
      const handle = await open(join(folder, 'out.jsonl'), 'w');
      await handle.close();
      const states = await StateFolder.open(join(folder, 'state'), () => {});
      await states.clear();
    } else {
      cuts++;
      // What a kill may also leave: the beginning of a line after the last whole chunk.
      const handle = await open(join(folder, 'out.jsonl'), 'a');
      await handle.write('{"n":"torn');
      await handle.close();
      leftovers += statSync(join(folder, 'out.jsonl')).size > 10 ? 1 : 0;
    }
  }
  while (!(await runUntilCut(folder, Infinity)));
  assert.equal(hashOf(join(folder, 'out.jsonl')), reference);
  assert.ok(leftovers > CUTS / 4, `only ${leftovers} cuts left something behind`);
});

test('a finished file is written anew by the next run, an unfinished one of another configuration too', async (context) => {
  const folder = makeTempFolder(context);
  const out = join(folder, 'out.jsonl');
  await simulate({ folder, configuration: mixedPlant(1), options: { out } });
  const first = hashOf(out);
  await simulate({ folder, configuration: mixedPlant(1), options: { out } });
  assert.equal(hashOf(out), first);
  const stopped = AbortSignal.abort();
  await assert.rejects(
    simulate({ folder, configuration: mixedPlant(1), options: { out }, signal: stopped }),
    /stopped/,
  );
  await simulate({ folder, configuration: mixedPlant(2), options: { out } });
  const other = join(folder, 'other.jsonl');
  await simulate({ folder, configuration: mixedPlant(2), options: { out: other } });
  assert.equal(hashOf(out), hashOf(other));
});

test('every line of --out is a point of a known tag, each tag in strict order of time, from within the first tenth to past now', async (context) => {
  const folder = makeTempFolder(context);
  const out = join(folder, 'out.jsonl');
  await simulate({ folder, configuration: mixedPlant(2), options: { out } });
  const newest = new Map<string, number>();
  const oldest = new Map<string, number>();
  for (const line of readFileSync(out, 'utf8').trimEnd().split('\n')) {
    const point = JSON.parse(line) as { n: string; t: string; v: unknown; q: number };
    const timeMs = Date.parse(point.t);
    assert.ok(timeMs > (newest.get(point.n) ?? -Infinity), `${line} is not after the one before`);
    assert.equal(point.q, 192);
    newest.set(point.n, timeMs);
    if (!oldest.has(point.n)) oldest.set(point.n, timeMs);
  }
  const names = plant.sequences.flatMap((s) => s.instances).flatMap((i) => i.tags.map((tag) => tag.object.n));
  assert.deepEqual([...newest.keys()].sort(), names.sort());
  const dayMs = 86_400_000;
  for (const timeMs of oldest.values()) {
    assert.ok(timeMs >= NOW_MS - 2 * dayMs && timeMs <= NOW_MS - 1.8 * dayMs, new Date(timeMs).toISOString());
  }
  assert.ok(new Set([...oldest.values()]).size >= 4, 'every sequence instance has a start of its own');
});
