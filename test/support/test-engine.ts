// An engine for tests: on a Vfs in memory, with a clock turned by hand, and limits so small that everything happens soon.

import {
  type Durability,
  type Engine,
  type EngineEvent,
  type EngineTunables,
  openEngine,
  type StartThread,
} from '../../engine/index.ts';
import type { ManualClock } from './manual-clock.ts';
import { MemoryVfs, type MemoryVfsOptions } from './memory-vfs.ts';
import { SeededRandom } from './seeded-random.ts';

export const DATA_FOLDER = 'data';

export interface TestEngineOptions {
  readonly vfs: MemoryVfs;
  readonly clock: ManualClock;
  readonly random: SeededRandom;
  readonly durability?: Durability;
  readonly tunables?: Partial<EngineTunables>;
  readonly listener?: (event: EngineEvent) => void;
  readonly threads?: StartThread | undefined;
}

export function openTestEngine(options: TestEngineOptions): Promise<Engine> {
  return openEngine({
    folder: DATA_FOLDER,
    vfs: options.vfs,
    clock: options.clock,
    random: options.random,
    durability: options.durability ?? 'group',
    listener: options.listener ?? (() => {}),
    tunables: options.tunables ?? {},
    threads: options.threads,
  });
}

/** An empty disk with a data folder that survives power cuts. */
export function makeDisk(options: MemoryVfsOptions): MemoryVfs {
  const prepared = new MemoryVfs();
  prepared.makeDirectorySync(DATA_FOLDER);
  return prepared.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(0) }, options);
}

/** Limits under which heads, spills, journals and tag files turn over within a few requests. */
export function drawTunables(random: SeededRandom): Partial<EngineTunables> {
  const drawn = {
    blockPoints: random.pick([16, 64, 256]),
    headLimitBytes: random.pick([2_000, 20_000, 1_000_000]),
    journalFileBytes: random.pick([2_000, 20_000, 200_000]),
    journalLimitBytes: random.pick([6_000, 60_000, 600_000]),
    retiredFileMs: random.pick([0, 1_000, 60_000]),
    maxSpills: random.pick([1, 3]),
    spillAgeMs: random.pick([5_000, 60_000]),
    tagFileBytes: random.pick([1_000, 10_000]),
    tagFileSpanMs: random.pick([60_000, 3_600_000]),
    systemTagIntervalMs: random.pick([0, 5_000]),
    purgeIntervalMs: random.pick([2_000, 60_000]),
    sliceMs: random.pick([0, 8]),
    indexCacheEntries: random.pick([4, 1_000]),
    diskReserveBytes: 1_000,
    blockCacheBytes: random.pick([0, 40_000, 1_000_000]),
    longRequestTags: random.pick([1, 8192]),
    batchPoints: random.pick([5, 32_768]),
    batchTags: random.pick([2, 4096]),
  };
  // Not drawn, so that seeds of earlier runs still draw what they did.
  const [copiedRecordBytes, batchChars] = drawn.batchPoints === 5 ? [100, 5] : [2 ** 20, 2 ** 20];
  return { ...drawn, copiedRecordBytes, batchChars };
}
