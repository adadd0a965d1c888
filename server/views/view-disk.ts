// The folder of views on disk, off the main thread.

import { readdir, readFile, rm, stat, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDurableFolders, syncFolder } from '../../disk/folders.ts';
import { replaceUnsynced, UNFINISHED } from '../../disk/whole-files.ts';
import { MAX_VIEW_CONTENT_BYTES } from './view.ts';
import { ViewFileFault } from './view-file.ts';

const ENDING = '.json';
const OWNER_AND_GROUP = 0o640;
const OWNER_AND_GROUP_FOLDER = 0o750;
/** No file of a view is larger: its content, and names that take up to six bytes for each unit. */
const MOST_FILE_BYTES = MAX_VIEW_CONTENT_BYTES + 262_144;

export interface ViewDisk {
  /** Names of the files there, without their ending; none when the folder is missing. Removes what a crash has left. */
  list(): Promise<string[]>;
  /** Throws a `ViewFileFault` for what can be no view, or the system's error. */
  read(id: string): Promise<Buffer>;
  /** Replaces the file atomically; durable after `sync`. */
  replace(id: string, bytes: Buffer): Promise<void>;
  /** A missing one is fine. */
  remove(id: string): Promise<void>;
  sync(): Promise<void>;
  freeBytes(): Promise<number>;
}

export function openViewDisk(folder: string): ViewDisk {
  const pathOf = (id: string): string => `${folder}/${id}${ENDING}`;
  return {
    list: () => listFiles(folder),
    async read(id) {
      const { size } = await requireFile(pathOf(id));
      if (size > MOST_FILE_BYTES) throw new ViewFileFault(`it has ${size} bytes, more than any view`);
      return readFile(pathOf(id));
    },
    async replace(id, bytes) {
      await makeDurableFolders(folder, OWNER_AND_GROUP_FOLDER);
      await replaceUnsynced(pathOf(id), bytes, OWNER_AND_GROUP);
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    sync: () => syncFolder(folder),
    async freeBytes() {
      const { bavail, bsize } = await statfs(dirname(folder));
      return bavail * bsize;
    },
  };
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const unfinished = names.filter((name) => name.endsWith(`${ENDING}${UNFINISHED}`));
  for (const name of unfinished) await unlink(`${folder}/${name}`).catch(() => {}); // Harmless where it stays.
  return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
}

/** A pipe or device of that name would be read for ever. */
async function requireFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new ViewFileFault('it is no file');
  return found;
}
