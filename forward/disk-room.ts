// How much room a disk has left.

import { statfsSync } from 'node:fs';

/** Whether that much can be written below a folder; true where the system does not tell. */
export function hasDiskRoom(folder: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= bytes;
  } catch {
    return true;
  }
}
