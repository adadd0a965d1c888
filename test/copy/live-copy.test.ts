// Copies of a dataset's folder taken while it is written (docs/durability.md, "Copies"): with roll-over, spills, absorption,
// purge and retirement going on, each copy opens under another data folder and holds what was acknowledged before it began.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Engine, type EngineEvent, openEngine } from '../../engine/index.ts';
import { correct } from '../engine/corrections/corrected-tag.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../support/engine-points.ts';
import { LivePlant, SMALL, START_MS } from '../support/live-plant.ts';
import { ManualClock } from '../support/manual-clock.ts';

const DAY_MS = 86_400_000;

type Order = 'directory' | 'reverse';

/** Copies as `cp -r` does: a listing, then file by file; what has gone meanwhile is left out. `between` runs after each file. */
async function copyFolder(from: string, to: string, order: Order, between: () => Promise<void>): Promise<void> {
  mkdirSync(to, { recursive: true });
  const entries = readdirSync(from, { withFileTypes: true });
  if (order === 'reverse') entries.reverse();
  for (const entry of entries) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) await copyFolder(source, join(to, entry.name), order, between);
    else if (copyFile(source, join(to, entry.name))) await between();
  }
}

function copyFile(from: string, to: string): boolean {
  try {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

interface OpenedCopy {
  readonly engine: Engine;
  readonly events: EngineEvent[];
}

async function openCopy(context: TestContext, folder: string): Promise<OpenedCopy> {
  const events: EngineEvent[] = [];
  const clock = new ManualClock(START_MS);
  const engine = await openEngine({ folder, clock, tunables: SMALL, listener: (event) => events.push(event) });
  context.after(() => engine.close());
  return { engine, events };
}

function copyPlace(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-copied-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Purge may have cut the beginning off; from its first point on, the copy has everything that was acknowledged. */
async function assertHoldsAll(
  { engine }: OpenedCopy,
  before: ReadonlyMap<string, NumberPoint[]>,
  purgedToMs: number,
): Promise<void> {
  let compared = 0;
  for (const [name, points] of before) {
    const { points: read, gaps } = await readNumbers(engine, 'd', name);
    const lastMs = points.at(-1)?.ms ?? 0;
    const among = gaps.filter(({ start, end }) => end.ms >= purgedToMs && start.ms < lastMs);
    assert.deepEqual(among, [], name);
    const wanted = points.filter(({ ms }) => ms >= purgedToMs);
    const byTime = new Map(read.map((point) => [point.ms, point]));
    for (const { ms, value, quality } of wanted) {
      assert.deepEqual(byTime.get(ms), { ms, value, quality }, `${name} at ${new Date(ms).toISOString()}`);
      compared++;
    }
    assert.equal(byTime.size, read.length, `${name} has doubles`);
  }
  assert.ok(compared > 500, `${compared} points were compared`);
}

/** A tag of the plant with corrections, of which every third is undone. */
class CorrectedTag {
  readonly #plant: LivePlant;
  #firstMs = 0;
  #round = 0;

  constructor(plant: LivePlant) {
    this.#plant = plant;
  }

  async write(): Promise<void> {
    this.#firstMs = Math.max(...[...this.#plant.acknowledged.values()].map((points) => points.at(-1)?.ms ?? 0)) + 1;
    const points = Array.from({ length: 400 }, (_, i) => ({ ms: this.#firstMs + i * 1000, value: i }));
    await writeNumbers(this.#plant.engine, 'd', { Corrected: points, Other: points });
  }

  async correct(tag = 'Corrected'): Promise<void> {
    const i = this.#round++;
    const startMs = this.#firstMs + ((i * 7) % 380) * 1000;
    const points = [0, 1, 2].map((k) => ({ ms: startMs + k * 700, value: 10_000 + i * 10 + k, quality: 192 }));
    const kind = (['delete', 'replace', 'insert'] as const)[i % 3] as 'delete' | 'replace' | 'insert';
    const { id } = await correct(this.#plant.engine, 'd', {
      tag,
      kind,
      startMs,
      endMs: startMs + 5000,
      points: kind === 'delete' ? [] : points,
    });
    if (i % 3 === 2) await this.#plant.engine.undoCorrection('d', id as number, 'tester', 'undone');
  }

  correctOther(): Promise<void> {
    return this.correct('Other');
  }

  async read(engine: Engine): Promise<unknown> {
    return (await readNumbers(engine, 'd', 'Corrected')).points;
  }

  list(engine: Engine): unknown {
    return engine.corrections('d', { tag: 'Corrected', before: undefined, limit: 1000 });
  }
}

const CASES: readonly { readonly title: string; readonly order: Order; readonly requestsBetweenFiles: number }[] = [
  { title: 'in directory order', order: 'directory', requestsBetweenFiles: 1 },
  { title: 'in reverse order', order: 'reverse', requestsBetweenFiles: 1 },
  {
    title: 'slowed down, so that journals retire and spills are absorbed meanwhile',
    order: 'directory',
    requestsBetweenFiles: 12,
  },
  { title: 'slowed down and in reverse order', order: 'reverse', requestsBetweenFiles: 12 },
];

describe('a copy of a dataset folder taken while it is written', () => {
  for (const { title, order, requestsBetweenFiles } of CASES) {
    it(`holds every point acknowledged before it began: ${title}`, async (context) => {
      const plant = new LivePlant(context);
      await plant.open();
      await plant.writeMany(600);
      plant.stepMs = 5 * 60_000;
      const before = plant.snapshot();
      const writtenBefore = { ...plant.engine.stats().bytesWritten };
      const target = copyPlace(context);
      await copyFolder(join(plant.folder, 'd'), join(target, 'd'), order, () => plant.writeMany(requestsBetweenFiles));
      const written = plant.engine.stats().bytesWritten;
      assert.ok(
        written.spill > writtenBefore.spill && written.tags > writtenBefore.tags,
        'heads spilled and files grew',
      );
      await plant.engine.close();
      const opened = await openCopy(context, target);
      const lastMs = Math.max(...[...plant.acknowledged.values()].map((points) => points.at(-1)?.ms ?? 0));
      await assertHoldsAll(opened, before, lastMs - 19 * DAY_MS);
    });
  }

  for (const order of ['directory', 'reverse'] as const) {
    it(`carries the corrections made before it began: in ${order} order`, async (context) => {
      const plant = new LivePlant(context);
      await plant.open();
      await plant.writeMany(500);
      plant.stepMs = 60_000;
      const corrected = new CorrectedTag(plant);
      await corrected.write();
      for (let i = 0; i < 12; i++) await corrected.correct();
      const [before, listed] = [await corrected.read(plant.engine), corrected.list(plant.engine)];
      const target = copyPlace(context);
      // Corrections of another tag go on, so that their log turns over, too.
      const between = async (): Promise<void> => {
        await corrected.correctOther();
        await plant.writeMany(8);
      };
      await copyFolder(join(plant.folder, 'd'), join(target, 'd'), order, between);
      await plant.engine.close();
      const { engine } = await openCopy(context, target);
      assert.deepEqual(await corrected.read(engine), before);
      assert.deepEqual(corrected.list(engine), listed);
    });
  }

  it('that was slower than the retention of journals is noticed on opening, and its reads say what is missing', async (context) => {
    const plant = new LivePlant(context);
    await plant.open({ retiredFileMs: 0 });
    await plant.writeMany(300);
    plant.stepMs = 5 * 60_000;
    const before = plant.snapshot();
    const target = copyPlace(context);
    // Tag files first; what moves into them from journals and spills before those are copied is in none of the copied files.
    const parts = ['tags', 'journal', 'spill', 'catalog', 'dataset.json'];
    for (const part of parts) {
      const source = join(plant.folder, 'd', part);
      if (part.includes('.') || part === 'catalog') copyFile(source, join(target, 'd', part));
      else await copyFolder(source, join(target, 'd', part), 'directory', async () => undefined);
      await plant.writeMany(200);
    }
    await plant.engine.close();
    const { engine, events } = await openCopy(context, target);
    assert.ok(
      events.some(({ level }) => level === 'error'),
      `events: ${events.map(({ event }) => event).join(' ')}`,
    );
    let missing = 0;
    let reported = 0;
    for (const [name, points] of before) {
      const { points: read, gaps } = await readNumbers(engine, 'd', name);
      const times = new Set(read.map(({ ms }) => ms));
      const oldestMs = read[0]?.ms ?? 0;
      missing += points.filter(({ ms }) => ms >= oldestMs && !times.has(ms)).length;
      reported += gaps.reduce((sum, gap) => sum + gap.points, 0);
    }
    assert.ok(missing > 0, 'the copy was too slow on purpose');
    assert.ok(reported >= missing, `${missing} points are missing, ${reported} are reported`);
  });
});
