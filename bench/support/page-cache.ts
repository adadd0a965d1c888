// Dropping the system's cache of files, for cold reads. Needs Linux, and to be root.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const DROP_ALL = '3';

/** False when the system does not let us; reads are then served from memory. */
export function dropPageCache(): boolean {
  if (process.platform !== 'linux') return false;
  spawnSync('sync');
  try {
    writeFileSync('/proc/sys/vm/drop_caches', DROP_ALL);
    return true;
  } catch {
    return false;
  }
}
