// The place where blocks are encoded: a thread of its own where a core is left for it, by the number of real cores.

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';

/** One for the main thread, one for the compiler and the collector, one for the thread pool, one for this. */
const FEWEST_CORES = 4;

export interface EncodingPlace {
  readonly hasThread: boolean;
  /** In words, with the reason. */
  readonly description: string;
}

export function encodingPlace(setting: Settings['encoding-thread'], cores = countCores()): EncodingPlace {
  const hasThread = setting === 'on' || (setting === 'auto' && cores >= FEWEST_CORES);
  const thread = hasThread ? 'on a thread of their own' : 'on the main thread';
  const reason = setting === 'auto' ? `${cores} of ${FEWEST_CORES} cores` : `--encoding-thread ${setting}`;
  return { hasThread, description: `blocks are encoded ${thread} (${reason})` };
}

/** Linux only; a folder `cpu<n>` for each processor, which has no `topology` while it is switched off. */
const PROCESSORS = '/sys/devices/system/cpu';
/** Threads a core that are assumed where the system does not say. */
const THREADS_A_CORE = 2;

/** At least 1. */
export function countCores(folder = PROCESSORS, processors = availableParallelism()): number {
  const listed = listCores(folder).size;
  const cores = listed > 0 ? listed : Math.floor(processors / THREADS_A_CORE);
  return Math.max(1, Math.min(cores, processors));
}

/** Each core by its package and its number there; empty when the system does not say. */
function listCores(folder: string): Set<string> {
  try {
    const names = readdirSync(folder).filter((name) => /^cpu\d+$/.test(name));
    return new Set(names.flatMap((name) => coreOf(join(folder, name, 'topology'))));
  } catch {
    return new Set();
  }
}

function coreOf(topology: string): string[] {
  try {
    return [`${readNumber(topology, 'physical_package_id')}/${readNumber(topology, 'core_id')}`];
  } catch {
    return [];
  }
}

function readNumber(topology: string, name: string): string {
  return readFileSync(join(topology, name), 'utf8').trim();
}
