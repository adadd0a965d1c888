// Copies that are torn: read in small pieces while the files grow, with requests in between every two pieces, so that a
// copied file is of no moment at all. What a copy lacks is said; within the retention nothing is lacking.

import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { checkFolder, type Engine, type EngineEvent, type EngineTunables, openEngine } from '../../engine/index.ts';
import { nodeVfs } from '../../engine/io/node-vfs.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../support/engine-points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const TAGS = 8;
/** Three sectors: programs that copy read whole ones. */
const PIECE_BYTES = 1_536;

/** Everything turns over within a few requests. */
const SMALL: Partial<EngineTunables> = {
  blockPoints: 32,
  headLimitBytes: 12_000,
  journalFileBytes: 3_000,
  journalLimitBytes: 12_000,
  maxSpills: 1,
  tagFileBytes: 1_500,
  tagFileSpanMs: 6 * DAY_MS,
  purgeIntervalMs: 7_000,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
  sliceMs: 0,
};

interface WrittenPoint {
  readonly ms: number;
  readonly value: number;
}

/** A dataset under load; every request moves the clock on by a second, and its points by an hour. */
class Writer {
  readonly clock = new ManualClock(START_MS);
  readonly acknowledged = new Map<string, WrittenPoint[]>();
  readonly engine: Engine;
  #round = 0;

  constructor(engine: Engine, clock: ManualClock) {
    this.engine = engine;
    this.clock = clock;
  }

  static async open(folder: string, tunables: Partial<EngineTunables>): Promise<Writer> {
    const clock = new ManualClock(START_MS);
    const engine = await openEngine({ folder, clock, tunables: { ...SMALL, ...tunables } });
    await engine.createDataset({ name: 'd', purgeAgeDays: 20, purgeSizeGb: 0 });
    return new Writer(engine, clock);
  }

  async request(): Promise<void> {
    const round = this.#round++;
    const tags: Record<string, NumberPoint[]> = {};
    for (let tag = 0; tag < TAGS; tag++) {
      if ((round + tag) % 3 === 0) continue;
      tags[`T${tag}`] = [0, 1].map((i) => ({
        ms: START_MS + round * 3_600_000 + i,
        value: Math.sin(round * 31 + tag + i),
      }));
    }
    await writeNumbers(this.engine, 'd', tags);
    for (const [name, points] of Object.entries(tags)) {
      this.acknowledged.set(name, [...(this.acknowledged.get(name) ?? []), ...points]);
    }
    this.clock.advance(1000);
  }

  async requests(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.request();
  }
}

type Order = 'directory' | 'reverse' | 'any';

interface CopyPlan {
  readonly order: Order;
  readonly random: SeededRandom;
  /** Runs between every two pieces. */
  readonly between: () => Promise<void>;
}

/** Gives the number of files that had gone before they could be opened. */
async function copyFolder(from: string, to: string, plan: CopyPlan): Promise<number> {
  mkdirSync(to, { recursive: true });
  let vanished = 0;
  const entries = ordered(readdirSync(from, { withFileTypes: true }), plan);
  await plan.between();
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) vanished += await copyFolder(source, target, plan);
    else if (!(await copyFile(source, target, plan))) vanished++;
  }
  return vanished;
}

function ordered<T>(entries: T[], { order, random }: CopyPlan): T[] {
  if (order === 'any') return random.shuffled(entries);
  return order === 'reverse' ? entries.reverse() : entries;
}

async function copyFile(from: string, to: string, { between }: CopyPlan): Promise<boolean> {
  let descriptor: number;
  try {
    descriptor = openSync(from, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
  const pieces: Uint8Array[] = [];
  try {
    for (let position = 0; ; ) {
      const piece = new Uint8Array(PIECE_BYTES);
      const length = readSync(descriptor, piece, 0, piece.length, position);
      if (length === 0) break;
      pieces.push(piece.subarray(0, length));
      position += length;
      await between();
    }
  } finally {
    closeSync(descriptor);
  }
  writeFileSync(to, Buffer.concat(pieces));
  return true;
}

interface Compared {
  readonly found: number;
  readonly said: number;
  readonly silent: string[];
}

/** Looks for each point from `fromMs` on: it is there with its value, or in a gap, or (the fault) neither. */
async function compare(
  engine: Engine,
  before: ReadonlyMap<string, readonly WrittenPoint[]>,
  fromMs: number,
): Promise<Compared> {
  const result = { found: 0, said: 0, silent: [] as string[] };
  const names = new Set([...(await engine.tags('d')).user].map((tag) => tag.name));
  for (const [name, points] of before) {
    const { points: read, gaps } = names.has(name) ? await readNumbers(engine, 'd', name) : { points: [], gaps: [] };
    const values = new Map(read.map(({ ms, value }) => [ms, value]));
    assert.equal(values.size, read.length, `${name} has doubles`);
    for (const { ms, value } of points) {
      if (ms < fromMs) continue;
      if (values.has(ms)) {
        assert.equal(values.get(ms), value, `${name} at ${ms}`);
        result.found++;
      } else if (gaps.some(({ start, end }) => start.ms <= ms && end.ms >= ms)) result.said++;
      else result.silent.push(`${name} at ${new Date(ms).toISOString()}`);
    }
  }
  return result;
}

interface CopyCase {
  readonly order: Order;
  readonly requestsBetween: number;
  readonly retiredFileMs: number;
}

async function copyUnderLoad(
  context: TestContext,
  { order, requestsBetween, retiredFileMs }: CopyCase,
  random: SeededRandom,
) {
  const folder = makeTempFolder(context);
  const target = makeTempFolder(context);
  const writer = await Writer.open(folder, { retiredFileMs });
  await writer.requests(350);
  const before = new Map([...writer.acknowledged].map(([name, points]) => [name, [...points]]));
  const bytesBefore = { ...writer.engine.stats().bytesWritten };
  const vanished = await copyFolder(join(folder, 'd'), join(target, 'd'), {
    order,
    random,
    between: () => writer.requests(requestsBetween),
  });
  const bytesAfter = writer.engine.stats().bytesWritten;
  for (const kind of ['journal', 'spill', 'tags', 'catalog'] as const)
    assert.ok(bytesAfter[kind] > bytesBefore[kind], kind);
  // What the original has purged meanwhile, the copy may lack.
  const oldest = await readNumbers(writer.engine, 'd', 'T1');
  const purgedToMs = (oldest.points[1]?.ms ?? 0) + DAY_MS;
  await writer.engine.close();
  const events: EngineEvent[] = [];
  const engine = await openEngine({
    folder: target,
    clock: new ManualClock(START_MS),
    tunables: SMALL,
    listener: (event) => events.push(event),
  });
  const compared = await compare(engine, before, purgedToMs);
  await engine.close();
  return { compared, events, vanished, target };
}

describe('a copy that is torn', () => {
  for (const order of ['directory', 'reverse', 'any'] as const) {
    for (const requestsBetween of order === 'any' ? [1, 4] : [3]) {
      it(`holds every point acknowledged before it began: ${order} order, ${requestsBetween} requests between pieces`, async (context) => {
        const seed = chooseSeed();
        context.diagnostic(`seed ${seed}`);
        const plan = { order, requestsBetween, retiredFileMs: 3_600_000 };
        const { compared, target } = await copyUnderLoad(context, plan, new SeededRandom(seed));
        assert.deepEqual(compared.silent.slice(0, 3), []);
        assert.equal(compared.said, 0);
        assert.ok(compared.found > 150, `${compared.found} points were compared`);
        const report = checkFolder(nodeVfs, target);
        assert.deepEqual(report.findings.filter(({ level }) => level === 'error').slice(0, 3), []);
      });
    }
  }

  for (const order of ['reverse', 'any'] as const) {
    it(`is never silently short when it is slower than the retention: ${order} order`, async (context) => {
      const seed = chooseSeed();
      context.diagnostic(`seed ${seed}`);
      const plan = { order, requestsBetween: 12, retiredFileMs: 2_000 };
      const { compared, events, vanished } = await copyUnderLoad(context, plan, new SeededRandom(seed));
      assert.deepEqual(compared.silent.slice(0, 3), []);
      if (compared.said > 0) assert.ok(events.some(({ level }) => level === 'error'));
      context.diagnostic(`${compared.found} points were there, ${compared.said} in gaps, ${vanished} files had gone`);
    });
  }
});
