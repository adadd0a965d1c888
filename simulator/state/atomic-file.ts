// Files that are there whole or not at all: written beside, synced, renamed into place, and the folder synced.

import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeFileAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Makes renames and removals in a folder last. Windows cannot open folders and needs no such sync. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a folder and those above it, lastingly. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolder(dirname(folder));
}
