// The engine's ways to the disk and back, without HTTP: journal append, block write, block read, recovery.

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { encodeBlock } from '../../engine/format/block/block.ts';
import { ByteWriter } from '../../engine/format/bytes/byte-cursors.ts';
import { beginPoints } from '../../engine/format/record/journal-record.ts';
import {
  DEFAULT_TUNABLES,
  type Durability,
  type Engine,
  openEngine,
  PointColumns,
  ValueType,
} from '../../engine/index.ts';
import { systemClock } from '../../engine/io/clock.ts';
import { nodeVfs } from '../../engine/io/node-vfs.ts';
import { systemRandom } from '../../engine/io/random.ts';
import { JournalWriter } from '../../engine/journal/journal-writer.ts';
import { measured } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { W1Data } from '../workloads/w1-data.ts';
import { START_MS } from '../workloads/write-load.ts';
import { perPoint, type TimingLimits, timeWork } from './time-work.ts';

const FIRST_TAG_ID = 64;
const BLOCK_POINTS = 2048;
const HOUR_MS = 3_600_000;
const DATASET = 'plant';

/** `count` points of `tagCount` tags, one tag behind the other. */
function makePoints(tagCount: number, count: number, n: number, seed: number): PointColumns {
  const points = new PointColumns(tagCount * count);
  const data = new W1Data(tagCount, START_MS, seed);
  for (let tag = 0; tag < tagCount; tag++) {
    const from = tag * count;
    data.fill(tag, n, count, points.timesMs.subarray(from, from + count), points.numbers.subarray(from, from + count));
  }
  for (let i = 0; i < points.capacity; i++) {
    points.numbers[i] = (points.numbers[i] as number) / 100;
    points.qualities[i] = 192;
  }
  points.count = points.capacity;
  return points;
}

/** One record at a time, each awaited: the longest a lonely client waits. */
export async function measureJournal(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  for (const tagCount of [500, 1]) {
    const count = tagCount === 1 ? 1 : 10;
    for (const durability of ['group', 'os'] as const) {
      const name = `append ${tagCount * count === 1 ? '1 point' : `${tagCount * count} points`}, ${durability}`;
      await suite.measure({ table: 'journal', name }, () =>
        withTempFolder('journal', async (folder) => {
          const journal = openJournal(folder, durability);
          const points = makePoints(tagCount, count, 0, suite.options.seed);
          const timing = await timeWork(() => appendRecord(journal, points, tagCount, count), limits, 'async');
          await journal.close();
          return [
            measured('p50', 'us/record', 'less', timing.p50Ms * 1000),
            measured('p99', 'us/record', 'less', timing.p99Ms * 1000),
            measured('p50 a point', 'ns/pt', 'less', (timing.p50Ms * 1e6) / points.count),
          ];
        }),
      );
    }
  }
}

function openJournal(folder: string, durability: Durability): JournalWriter {
  const { journalFileBytes, syncIntervalMs, copiedRecordBytes } = DEFAULT_TUNABLES;
  return new JournalWriter({
    vfs: nodeVfs,
    clock: systemClock,
    random: systemRandom,
    folder,
    durability,
    fileBytes: journalFileBytes,
    syncIntervalMs,
    copiedRecordBytes,
    firstNumber: 1,
    nextSequence: 1,
    onPoisoned: () => undefined,
    room: () => undefined,
  });
}

function appendRecord(journal: JournalWriter, points: PointColumns, tagCount: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    journal.submit(
      (out) => {
        const encoder = beginPoints(out, tagCount);
        for (let tag = 0; tag < tagCount; tag++) {
          const head = { tagId: FIRST_TAG_ID + tag, firstOrdinal: 0, count, type: ValueType.Double, stamped: 0 };
          encoder.run(head, points, tag * count);
        }
      },
      { commit: resolve, fail: reject },
    );
  });
}

/** Encodes a block and appends it to its file, opened and closed for it, as the store does. */
export async function measureBlockWrite(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  await suite.measure({ table: 'storage', name: 'block write, 2,048 points' }, () =>
    withTempFolder('blocks', async (folder) => {
      const points = makePoints(1, BLOCK_POINTS, 0, suite.options.seed);
      const out = new ByteWriter(1 << 16);
      let position = 0;
      const timing = await timeWork(() => {
        out.clear();
        const options = {
          tagId: FIRST_TAG_ID,
          type: ValueType.Double,
          firstOrdinal: 0,
          statistics: 'when-long',
        } as const;
        encodeBlock(out, points, 0, BLOCK_POINTS, options);
        const file = nodeVfs.openSync(`${folder}/tag`, 'write');
        file.writeSync(out.written(), position);
        file.closeSync();
        position += out.length;
      }, limits);
      return perPoint(timing, BLOCK_POINTS);
    }),
  );
}

/** Reads of a random hour of a tag through the engine, from files: opened, checked, decoded, trimmed. */
export async function measureBlockRead(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  const tags = 20;
  const points = 20_000;
  await suite.measure({ table: 'storage', name: 'block read, 1 h of a tag' }, () =>
    withTempFolder('read', async (folder) => {
      await fill(folder, tags, points, suite.options.seed);
      const engine = await openEngine({ folder });
      const random = seededRandom(suite.options.seed);
      const timing = await timeWork(
        () => readHour(engine, Math.floor(random() * tags), random() * (points - 3600)),
        limits,
      );
      await engine.close();
      return perPoint(timing, HOUR_MS / 1000);
    }),
  );
}

async function fill(folder: string, tags: number, points: number, seed: number): Promise<void> {
  const engine = await openEngine({ folder });
  await append(engine, tags, makePoints(tags, points, 0, seed));
  await engine.close();
}

/** Appends what `makePoints` gives for so many tags. */
async function append(engine: Engine, tags: number, points: PointColumns): Promise<void> {
  const count = points.count / tags;
  const lookup = engine.lookup(DATASET);
  const runs = Array.from({ length: tags }, (_, tag) => {
    const name = `Tag${tag}`;
    return { name, tag: lookup.find(name), type: ValueType.Double, start: tag * count, count, rejected: 0, stamped: 0 };
  });
  await engine.append(DATASET, { points, runs });
}

function readHour(engine: Engine, tag: number, fromPoint: number): number {
  const startMs = START_MS + Math.floor(fromPoint) * 1000;
  const result = engine.read(DATASET, {
    tags: [`Tag${tag}`],
    range: { kind: 'range', start: { ms: startMs, ticks: 0 }, end: { ms: startMs + HOUR_MS, ticks: 0 } },
    carryIn: false,
    skipMissing: false,
    limit: undefined,
    after: [],
  });
  const cursor = result.open(0);
  let count = 0;
  for (;;) {
    const chunk = cursor.next();
    if (chunk instanceof Promise) throw new Error('this engine waits for its chunks');
    if (chunk === undefined) break;
    count += chunk.end - chunk.start;
  }
  cursor.close();
  return count;
}

/** Opening a folder that was copied while the engine had it open: all points are in the journal. */
export async function measureRecovery(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  const tags = 1000;
  const points = suite.size(1000, 200);
  await suite.measure({ table: 'storage', name: `recovery of ${((tags * points) / 1e6).toFixed(1)} M points` }, () =>
    withTempFolder('recovery', async (folder) => {
      const engine = await openEngine({ folder: `${folder}/live` });
      const requestPoints = 10;
      for (let n = 0; n < points; n += requestPoints)
        await append(engine, tags, makePoints(tags, requestPoints, n, suite.options.seed + n));
      mkdirSync(`${folder}/copy`);
      cpSync(`${folder}/live/${DATASET}`, `${folder}/copy/${DATASET}`, { recursive: true });
      await engine.close();
      const timing = await timeWork(() => recover(folder), { ...limits, iterations: 2, warmUpMs: 0 }, 'async');
      return perPoint(timing, tags * points);
    }),
  );
}

async function recover(folder: string): Promise<{ overriddenDuration: number }> {
  const fresh = `${folder}/fresh`;
  cpSync(`${folder}/copy`, fresh, { recursive: true });
  const startedMs = performance.now();
  const engine = await openEngine({ folder: fresh });
  const overriddenDuration = performance.now() - startedMs;
  await engine.close();
  rmSync(fresh, { recursive: true });
  return { overriddenDuration };
}
