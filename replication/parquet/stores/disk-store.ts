// Files in a folder of a disk, each there whole or not at all.

import { access, opendir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDurableFolders, makeFolders, syncFolders } from '../../../disk/folders.ts';
import { replaceFile, UNFINISHED } from '../../../disk/whole-files.ts';
import { toDiskFailure } from './disk-faults.ts';
import type { ObjectStore } from './object-store.ts';

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
    await this.#guard(() => makeDurableFolders(this.#root));
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.#root, path);
    await this.#guard(async () => {
      await this.#makeFolder(dirname(target));
      await replaceFile(target, bytes);
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

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
