// Files that are there whole or not at all: written beside under the name `<file>.new`, synced, and renamed into place. A power
// cut leaves the old file or the new one: without the sync before the rename XFS may leave 0 bytes. The engine does the same
// over its Vfs (engine/io/whole-file.ts), so that tests can cut the power.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, syncFolderSync } from './folders.ts';

/** Ending of a file that waits to take the place of the one without it; nothing reads it. */
export const UNFINISHED = '.new';

/** Replaces a file; durable once resolved. Rejects with the system's error, and leaves nothing beside. */
export async function replaceFile(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  await replaceUnsynced(path, bytes, mode);
  await syncFolder(dirname(path));
}

/** Replaces a file; durable once its folder is synced. Rejects as `replaceFile`. */
export async function replaceUnsynced(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  await replaceBy(path, [bytes], 'w', mode);
}

/**
 * Replaces a file by bytes as they come; durable once resolved. `beside` says what becomes of a file that waits already: it may be
 * one that another process writes. Rejects with the system's error or that of the source, and leaves nothing beside but such a file.
 */
export async function replaceByStream(
  path: string,
  source: AsyncIterable<Uint8Array>,
  beside: 'refuse' | 'replace',
): Promise<void> {
  await replaceBy(path, source, beside === 'refuse' ? 'wx' : 'w');
  await syncFolder(dirname(path));
}

async function replaceBy(
  path: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  flag: 'w' | 'wx',
  mode?: number,
): Promise<void> {
  const beside = `${path}${UNFINISHED}`;
  const file = await open(beside, flag, mode);
  try {
    try {
      for await (const bytes of content) await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    // It would take room of a disk that has none.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Replaces a file; durable when it returns. Throws the system's error, and leaves nothing beside. */
export function replaceFileSync(path: string, bytes: Uint8Array, mode?: number): void {
  const beside = `${path}${UNFINISHED}`;
  try {
    writeSyncedSync(beside, bytes, mode);
    renameSync(beside, path);
  } catch (error) {
    removeQuietly(beside);
    throw error;
  }
  syncFolderSync(dirname(path));
}

/** Writes a file that nobody reads yet, and syncs its bytes. Throws the system's error. */
export function writeSyncedSync(path: string, bytes: Uint8Array, mode?: number): void {
  const file = openSync(path, 'w', mode);
  try {
    writeAllSync(file, bytes, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes all bytes at a position of an open file. Throws the system's error. */
export function writeAllSync(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** The first error is the one to report. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays, and is overwritten the next time.
  }
}
