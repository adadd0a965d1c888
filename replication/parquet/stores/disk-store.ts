// Files in a folder of a disk. Each is written under a name of its own, synced and renamed, and then the folder is synced: a
// power cut leaves the old file or the new one. What a broken write leaves behind ends with `.new`; nothing reads it, and it is
// overwritten when the same file is written again.

import { access, open, opendir, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../../engine/index.ts';
import { toDiskFailure } from './disk-faults.ts';
import type { ObjectStore } from './object-store.ts';

const UNFINISHED = '.new';
/** Folders that are remembered as synced. */
const MOST_FOLDERS = 10_000;

export class DiskStore implements ObjectStore {
  readonly name: string;
  readonly #root: string;
  /** Their entries in the folders above are known to survive a power cut. */
  readonly #synced = new Set<string>();

  /** `root` is an absolute path. */
  constructor(root: string) {
    this.#root = root;
    this.name = `parquet://${root}`;
  }

  async open(): Promise<void> {
    await this.#guard(async () => {
      const first = makeFolders(this.#root);
      if (first !== undefined) await syncFolders(dirname(this.#root), dirname(first));
    });
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.#root, path);
    await this.#guard(async () => {
      await this.#makeFolder(dirname(target));
      await writeSynced(`${target}${UNFINISHED}`, bytes);
      await rename(`${target}${UNFINISHED}`, target);
      await syncFolder(dirname(target));
    });
  }

  get(path: string): Promise<Uint8Array | undefined> {
    return this.#guard(() => unlessMissing(readFile(join(this.#root, path))));
  }

  async has(path: string): Promise<boolean> {
    const found = access(join(this.#root, path)).then(() => true);
    return (await this.#guard(() => unlessMissing(found))) ?? false;
  }

  async *names(folder: string): AsyncGenerator<string> {
    const entries = await this.#guard(() => unlessMissing(opendir(join(this.#root, folder))));
    if (entries === undefined) return;
    try {
      for await (const entry of entries) {
        if (entry.isFile() && entry.name.endsWith(UNFINISHED)) continue;
        yield entry.isFile() ? entry.name : `${entry.name}/`;
      }
    } catch (error) {
      throw toDiskFailure(error, this.name);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Also a folder that is there: whoever made it may have been ended before it was synced. */
  async #makeFolder(folder: string): Promise<void> {
    const first = makeFolders(folder);
    if (first === undefined && this.#synced.has(folder)) return;
    await syncFolders(dirname(folder), this.#root);
    if (this.#synced.size >= MOST_FOLDERS) this.#synced.clear();
    this.#synced.add(folder);
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toDiskFailure(error, this.name);
    }
  }
}

/** Leaves no part of the file behind when the disk is full. */
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** From a folder up to one above it, both of them too. */
async function syncFolders(from: string, to: string): Promise<void> {
  for (let folder = from; folder.length >= to.length; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === dirname(folder)) return;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
