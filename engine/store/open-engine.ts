// Opens a data folder: the one way to get an Engine.

import type { EngineHealth } from '../dataset/dataset.ts';
import { DiskSpace } from '../dataset/disk-space.ts';
import { EncodingThread } from '../encoder/encoding-thread.ts';
import type { Engine, OlderReads } from '../engine.ts';
import type { EngineError } from '../errors.ts';
import { BlockCache } from '../files/block-cache.ts';
import { type Clock, systemClock } from '../io/clock.ts';
import { ClockWatch } from '../io/clock-watch.ts';
import { lockFolder } from '../io/folder-lock.ts';
import { nodeVfs } from '../io/node-vfs.ts';
import { type Random, systemRandom } from '../io/random.ts';
import type { Vfs } from '../io/vfs.ts';
import type { StartThread } from '../io/worker-thread.ts';
import { DEFAULT_TUNABLES, type EngineTunables } from '../limits.ts';
import type { Durability, EngineListener } from '../types.ts';
import { VarveEngine } from './varve-engine.ts';

export interface EngineOptions {
  /** The data folder; created when missing. */
  readonly folder: string;
  readonly durability?: Durability;
  readonly listener?: EngineListener;
  /** Called with the progress of opening, in words. */
  readonly progress?: (step: string) => void;
  readonly tunables?: Partial<EngineTunables>;
  /** `nodeThreads` encodes blocks on a separate thread, which uses another core and some 20 MB; absent: on the main thread. */
  readonly threads?: StartThread | undefined;
  /** Source of points that purge has removed here; closed with the engine. */
  readonly olderReads?: OlderReads | undefined;
  /** Seams for tests. With a `vfs` of its own the folder is not locked. */
  readonly vfs?: Vfs;
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * Opens a data folder, recovers what is in it and returns when it is ready.
 * Throws LOCKED when another process has it, POISONED when recovery could not make its work durable, or the system's error.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const vfs = options.vfs ?? nodeVfs;
  const clock = options.clock ?? systemClock;
  const listener = options.listener ?? (() => undefined);
  const tunables = { ...DEFAULT_TUNABLES, ...options.tunables };
  vfs.makeDirectorySync(options.folder);
  const release = await lock(options);
  const health: EngineHealth = { poisoned: undefined };
  const context = {
    vfs,
    clock,
    clockWatch: new ClockWatch(clock),
    random: options.random ?? systemRandom,
    durability: options.durability ?? 'group',
    tunables,
    listener,
    blockCache: new BlockCache(tunables.blockCacheBytes),
    encodingThread: options.threads && new EncodingThread(options.threads, tunables.blockPoints, listener),
    disk: new DiskSpace(vfs, clock, options.folder, tunables.diskReserveBytes),
    health,
    poison: (error: EngineError) => {
      if (health.poisoned) return;
      health.poisoned = error;
      listener({ level: 'error', event: 'engine.poisoned', message: error.message });
    },
    bytesWritten: { journal: 0, spill: 0, tags: 0, catalog: 0 },
  };
  const engine = new VarveEngine(context, options.folder, release);
  if (options.olderReads) engine.readOlderFrom(options.olderReads);
  try {
    await engine.open(options.progress ?? (() => undefined));
    return engine;
  } catch (error) {
    await release();
    throw error;
  }
}

async function lock({ folder, vfs }: EngineOptions): Promise<() => Promise<void>> {
  if (vfs) return () => Promise.resolve();
  const held = await lockFolder(folder);
  return async () => held.release();
}
