// How many cores this process may use. Two hyper-threads of one core are one: what one computes the other waits for.

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Linux only; a folder `cpu<n>` for each processor, which has no `topology` while it is switched off. */
const PROCESSORS = '/sys/devices/system/cpu';
/** Where the system does not say, two threads a core are assumed. */
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
