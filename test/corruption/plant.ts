// The small dataset that the corruption tests damage: every kind of file and every kind of column, in a few hundred bytes each.

import { type Engine, type EngineEvent, type EngineTunables, GOOD_QUALITY, ValueType } from '../../engine/index.ts';
import { buildBatch, type PlainValue, type Point, type Run } from '../model/points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';

export const DATASET = 'plant';
export const FOLDER = `data/${DATASET}`;
export const START_MS = Date.UTC(2026, 0, 1);
const REQUEST_POINTS = 10;

/** Small blocks and short files; nothing happens by itself. */
export const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 16,
  journalFileBytes: 400,
  tagFileSpanMs: 20_000,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
  sliceMs: 60_000,
};

interface PlantTag {
  readonly name: string;
  readonly type: ValueType;
  readonly count: number;
  readonly value: (i: number) => PlainValue;
}

/** `Temp` fills several tag files, `Text`, `Count` and `Valve` one; `Note` and `Level` stay short. */
const TAGS: readonly PlantTag[] = [
  { name: 'Temp', type: ValueType.Double, count: 50, value: (i) => Math.round(2000 + 100 * Math.sin(i)) / 100 },
  { name: 'Text', type: ValueType.String, count: 20, value: (i) => (i % 7 === 3 ? null : `state ${i % 3}`) },
  { name: 'Count', type: ValueType.Int64, count: 20, value: (i) => 9_007_199_254_740_993n + BigInt(i * i) },
  { name: 'Valve', type: ValueType.Boolean, count: 20, value: (i) => (i % 5 === 2 ? null : i % 2) },
  { name: 'Note', type: ValueType.String, count: 3, value: (i) => `note ${i}` },
  { name: 'Level', type: ValueType.Double, count: 5, value: (i) => i / 3 },
];

/** All points ever written, by tag, in order. Each differs from every other of its tag. */
export const POINTS: ReadonlyMap<string, readonly Point[]> = new Map(
  TAGS.map(({ name, type, count, value }) => [
    name,
    Array.from({ length: count }, (_, i) => pointOf(i, type, value(i))),
  ]),
);

/** A second apart; every ninth has the time of the one before it. Some have ticks and a bad quality. */
function pointOf(i: number, type: ValueType, value: PlainValue): Point {
  const tied = i % 9 === 8 ? 1 : 0;
  const odd = (i - tied) % 6 === 4;
  return {
    ms: START_MS + 1000 * (i - tied),
    ticks: odd ? 4321 : 0,
    type,
    value,
    quality: (odd ? 64 : GOOD_QUALITY) + tied,
  };
}

export interface OpenedPlant {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  readonly clock: ManualClock;
}

/** Opens the plant on a disk with a clock of its own. */
export async function openPlant(vfs: MemoryVfs, tunables: Partial<EngineTunables> = TUNABLES): Promise<OpenedPlant> {
  const events: EngineEvent[] = [];
  const clock = new ManualClock(START_MS + 3_600_000);
  const engine = await openTestEngine({
    vfs,
    clock,
    random: new SeededRandom(vfs.operationCount),
    tunables,
    listener: (event) => events.push(event),
  });
  return { engine, events, clock };
}

/** Writes the share `[from, to)` of every tag's points, ten a tag and request. */
export async function writeShare(engine: Engine, from: number, to: number): Promise<void> {
  const runs: Run[] = TAGS.map(({ name, type, count }) => {
    const points = (POINTS.get(name) as Point[]).slice(Math.floor(from * count), Math.floor(to * count));
    return { name, type, points };
  });
  for (let start = 0; runs.some(({ points }) => points.length > start); start += REQUEST_POINTS) {
    const request = runs
      .map((run) => ({ ...run, points: run.points.slice(start, start + REQUEST_POINTS) }))
      .filter(({ points }) => points.length > 0);
    await engine.append(DATASET, buildBatch(engine, DATASET, request));
  }
}
