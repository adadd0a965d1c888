// Reads and writes whole files: small ones, and those of recovery.

import { UNFINISHED } from '../filenames.ts';
import { isPassing } from './system-errors.ts';
import type { Vfs } from './vfs.ts';

/** All bytes of a file. Throws the system's error when it is missing. */
export function readWholeFile(vfs: Vfs, path: string): Uint8Array {
  const file = vfs.openSync(path, 'read');
  try {
    const bytes = new Uint8Array(file.sizeSync());
    let length = 0;
    while (length < bytes.length) {
      const read = file.readSync(bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    file.closeSync();
  }
}

/**
 * Replaces a file so that after a crash either the old or the new one is there, whole; durable once resolved. (Written to
 * a temporary file, synced, renamed, directory synced: without the sync before the rename XFS may leave 0 bytes.)
 */
export async function replaceFile(vfs: Vfs, folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = `${folder}/${name}`;
  const unfinished = `${path}${UNFINISHED}`;
  vfs.removeSync(unfinished);
  const file = vfs.openSync(unfinished, 'write');
  try {
    await file.write(bytes, 0);
    await file.sync();
  } catch (error) {
    // It would take room of a disk that has none. After other errors nothing more is done to the disk (D11).
    if (isPassing(error)) vfs.removeSync(unfinished);
    throw error;
  } finally {
    file.closeSync();
  }
  vfs.renameSync(unfinished, path);
  await vfs.syncDirectory(folder);
}
