// Folders that are made, and whose names survive a power cut.

import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder with its parents, one by one: Node's own way goes round for ever where a folder takes no others and says that
 * it is not there, as /proc does. Gives the first one that it has made; undefined when all were there. Throws the system's error.
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder);
  let first: string | undefined;
  for (const folder of missing) {
    if (makeFolder(folder, mode)) first ??= folder;
  }
  return first;
}

/** Makes folders as `makeFolders`; the names of those it has made are durable when it resolves. */
export async function makeDurableFolders(path: string, mode?: number): Promise<void> {
  const first = makeFolders(path, mode);
  if (first !== undefined) await syncFolders(dirname(resolve(path)), dirname(first));
}

/** Makes the names in a folder durable. Windows cannot open folders, and needs no such sync. Rejects with the system's error. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes the names in a folder durable at once. Throws the system's error. */
export function syncFolderSync(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Syncs a folder and those above it, up to and with `top`. */
export async function syncFolders(path: string, top: string): Promise<void> {
  for (let folder = path; folder.length >= top.length; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === dirname(folder)) return;
  }
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
