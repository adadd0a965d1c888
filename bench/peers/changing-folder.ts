// The size of folders in which a server still merges: files may vanish while they are looked at.

import { measureFolder } from '../support/folder-figures.ts';
import type { StoredBytes } from './peer.ts';

const MOST_TRIES = 50;

export function changingBytes(folders: readonly string[]): StoredBytes {
  for (let tries = 1; ; tries++) {
    try {
      const figures = folders.map((folder) => measureFolder(folder));
      return {
        usedBytes: figures.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
        allocatedBytes: figures.reduce((sum, { allocatedBytes }) => sum + allocatedBytes, 0),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MOST_TRIES) throw error;
    }
  }
}
