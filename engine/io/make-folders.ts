// Makes folders with their parents, one by one: Node's own way goes round for ever where a folder is there that takes no
// others and says that it is not there, as /proc does.

import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Gives the first one that it has made; undefined when all were there. Throws the system's error. */
export function makeFolders(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder);
  let first: string | undefined;
  for (const folder of missing) {
    if (makeFolder(folder, mode)) first ??= folder;
  }
  return first;
}

/** False when another process has made it meanwhile. */
function makeFolder(folder: string, mode: number | undefined): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(folder)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true || dirname(path) === path;
}
