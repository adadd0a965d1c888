// A dataset of any size with every kind of file and column, as bytes, now and as it was half-way. Its files are short, so
// that opening one is cheap, and hold several blocks or records each.

import { readCatalog } from '../../engine/files/catalog-file.ts';
import { type Engine, type EngineTunables, ValueType } from '../../engine/index.ts';
import { buildBatch, type PlainValue, type Point, type Run } from '../model/points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';
import { type DiskImage, lentDiskOf, takeImage } from './disk-image.ts';
import { WrittenPoints } from './written-points.ts';

export const DATASET = 'rot';
export const FOLDER = `data/${DATASET}`;
const START_MS = Date.UTC(2026, 0, 1);
const PERIOD_MS = 100;
const ROUNDS_A_LOOK = 5;
/** A request brings some points of every fourth tag. */
const REQUESTS_A_ROUND = 4;
const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 64,
  journalFileBytes: 6_000,
  tagFileBytes: 4_500,
  retiredFileMs: 1e12,
  retiredFileBytes: 1e12,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
  sliceMs: 60_000,
};

interface Kind {
  readonly type: ValueType;
  readonly tagCount: number;
  readonly value: (i: number) => PlainValue;
}

const KINDS: Readonly<Record<string, Kind>> = {
  Temp: { type: ValueType.Double, tagCount: 3, value: (i) => Math.sin(i) * 1e6 },
  Level: { type: ValueType.Double, tagCount: 2, value: (i) => Math.round(5000 * Math.sin(i / 50)) / 100 },
  Text: { type: ValueType.String, tagCount: 2, value: (i) => (i % 7 === 3 ? null : `state ${i % 5}`) },
  Batch: {
    type: ValueType.String,
    tagCount: 4,
    value: (i) => `batch ${i} of order ${scatter(i)} for ${'x'.repeat(i % 40)}`,
  },
  Count: { type: ValueType.Int64, tagCount: 3, value: (i) => 9_007_199_254_740_993n + BigInt(i * i) },
  Serial: { type: ValueType.UInt64, tagCount: 3, value: (i) => BigInt.asIntN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n) },
  Valve: { type: ValueType.Boolean, tagCount: 2, value: (i) => (i >> 3) % 2 },
};

function scatter(i: number): number {
  return Math.imul(i + 1, 0x9e3779b1) >>> 0;
}

/** Not quite evenly spaced; no two tags of a kind have the same values. */
function pointAt(kind: Kind, tag: number, i: number): Point {
  const chance = scatter(i * kind.tagCount + tag);
  return {
    ms: START_MS + i * PERIOD_MS + (chance % PERIOD_MS),
    ticks: (chance >>> 8) % 10_000,
    type: kind.type,
    value: kind.value(i + 1009 * tag),
    quality: i % 11 === 5 ? 64 : 192,
  };
}

function placeOf(timeMs: number): number {
  return Math.floor((timeMs - START_MS) / PERIOD_MS);
}

/** Points `from` to `to` of every tag. */
function runsOf(from: number, to: number): Run[] {
  return Object.entries(KINDS).flatMap(([name, kind]) =>
    Array.from({ length: kind.tagCount }, (_, tag) => ({
      name: `${name} ${tag}`,
      type: kind.type,
      points: Array.from({ length: to - from }, (_, i) => pointAt(kind, tag, from + i)),
    })),
  );
}

export interface RottenPlant {
  readonly image: DiskImage;
  /** The same files at an earlier time, for blocks that went back to what they were. */
  readonly earlier: DiskImage;
  /** By tag id; as many of each tag. */
  readonly written: ReadonlyMap<number, WrittenPoints>;
}

/** Writes until the files hold at least so many bytes, then stops cleanly; the journals are kept. */
export async function makeRottenPlant(fewestBytes: number): Promise<RottenPlant> {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('data');
  const engine = await openPlant(vfs);
  let earlier: DiskImage | undefined;
  let pointCount = 0;
  while (vfs.usedBytes < fewestBytes) {
    if (vfs.usedBytes >= fewestBytes / 2) earlier ??= takeImage(vfs);
    for (let round = 0; round < ROUNDS_A_LOOK; round++) {
      const to = pointCount + 10 * (round + 1);
      await writeRound(engine, runsOf(pointCount, to));
      pointCount = to;
    }
    await engine.purge(); // purges nothing; blocks under way are written by then
  }
  await engine.close();
  const image = takeImage(vfs);
  return { image, earlier: earlier ?? new Map(), written: writtenIn(image, runsOf(0, pointCount)) };
}

async function writeRound(engine: Engine, runs: readonly Run[]): Promise<void> {
  for (let request = 0; request < REQUESTS_A_ROUND; request++) {
    const share = runs.filter((_, tag) => tag % REQUESTS_A_ROUND === request);
    await engine.append(DATASET, buildBatch(engine, DATASET, share));
  }
}

/** The engine over the plant's files, or what is left of them. */
export function openPlant(vfs: MemoryVfs): Promise<Engine> {
  const clock = new ManualClock(START_MS + 3_600_000);
  return openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables: TUNABLES });
}

function writtenIn(image: DiskImage, runs: readonly Run[]): Map<number, WrittenPoints> {
  const tags = readCatalog(lentDiskOf(image), FOLDER)?.tags ?? [];
  const ids = new Map(tags.map((tag) => [tag.definition.name, tag.id]));
  return new Map(
    runs.map(({ name, type, points }) => [ids.get(name) as number, new WrittenPoints(name, type, points, placeOf)]),
  );
}

export function sizeOf(image: DiskImage): number {
  return [...image.values()].reduce((sum, bytes) => sum + bytes.length, 0);
}
