// The folder of one target's running state:
//   state        the newest state
//   history/<n>  older states, thinner the older they are, for a dataset that turns out older than the newest state
//   store/       batches that wait for the server (the store of `forward`)

import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableFolders } from '../../disk/folders.ts';
import { replaceFile } from '../../disk/whole-files.ts';
import { withFiles } from '../../forward/errors.ts';
import { decodeState, encodeState, type SavedState } from './state-model.ts';

const STATE_FILE = 'state';
const HISTORY_FOLDER = 'history';
const MS_PER_HOUR = 3_600_000;

/** A folder name that says the target's name and is safe on every file system. */
export function targetFolderName(name: string): string {
  return Buffer.from(name).reduce((text, byte) => {
    const character = String.fromCharCode(byte);
    return text + (/[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`);
  }, '');
}

export class StateFolder {
  readonly path: string;
  readonly #log: (line: string) => void;
  #newestHistory = -Infinity;

  private constructor(path: string, log: (line: string) => void) {
    this.path = path;
    this.#log = log;
  }

  static async open(path: string, log: (line: string) => void): Promise<StateFolder> {
    await withFiles(`create the state folder ${path}`, () => makeDurableFolders(join(path, HISTORY_FOLDER)));
    const folder = new StateFolder(path, log);
    folder.#newestHistory = (await folder.#historyTimes()).at(-1) ?? -Infinity;
    return folder;
  }

  /** The newest state; a damaged one is set aside, and the newest older one taken. */
  async read(): Promise<SavedState | undefined> {
    const path = join(this.path, STATE_FILE);
    const state = await this.#readState(path);
    if (state !== 'damaged') return state;
    await withFiles(`set aside ${path}`, () => rename(path, `${path}.damaged`));
    for await (const older of this.older()) {
      this.#log(`the running state ${path} is damaged and was set aside; going on from an older one`);
      return older;
    }
    this.#log(
      `the running state ${path} is damaged and was set aside; starting anew after the dataset's newest points`,
    );
    return undefined;
  }

  /** Older states, the newest first. */
  async *older(): AsyncGenerator<SavedState> {
    for (const time of (await this.#historyTimes()).reverse()) {
      const state = await this.#readState(this.#historyPath(time));
      if (state !== undefined && state !== 'damaged') yield state;
    }
  }

  /** Replaces the newest state, lastingly. The first state, and later one an hour of generated time, is kept as history. */
  async write(state: SavedState): Promise<void> {
    const bytes = encodeState(state);
    await withFiles(`write the running state in ${this.path}`, async () => {
      await replaceFile(join(this.path, STATE_FILE), bytes);
      const time = Math.floor(Math.min(...state.instances.map((instance) => instance.position.startMs)));
      if (!Number.isFinite(time) || time < this.#newestHistory + MS_PER_HOUR) return;
      await replaceFile(this.#historyPath(time), bytes);
      this.#newestHistory = time;
      await this.#thinHistory();
    });
  }

  /** Forgets everything: the target is complete, or begun anew. */
  async clear(): Promise<void> {
    await withFiles(`clear ${this.path}`, async () => {
      await rm(join(this.path, STATE_FILE), { force: true });
      for (const time of await this.#historyTimes()) await rm(this.#historyPath(time), { force: true });
    });
    this.#newestHistory = -Infinity;
  }

  /** Keeps the first state, and of the others the oldest of each doubling of age: a dozen files for a year. */
  async #thinHistory(): Promise<void> {
    const times = await this.#historyTimes();
    const newest = times.at(-1) ?? 0;
    const seen = new Set<number>();
    for (const [index, time] of times.entries()) {
      const ageClass = Math.floor(Math.log2((newest - time) / MS_PER_HOUR + 1) * 2);
      const isKept = index === 0 || !seen.has(ageClass);
      seen.add(ageClass);
      if (!isKept) await rm(this.#historyPath(time), { force: true });
    }
  }

  #historyPath(time: number): string {
    return join(this.path, HISTORY_FOLDER, String(time));
  }

  async #historyTimes(): Promise<number[]> {
    const names = await withFiles(`list ${this.path}`, () => readdir(join(this.path, HISTORY_FOLDER)));
    const times = names.filter((name) => /^-?\d+$/.test(name)).map(Number);
    return times.sort((a, b) => a - b);
  }

  async #readState(path: string): Promise<SavedState | 'damaged' | undefined> {
    try {
      return decodeState(await readFile(path)) ?? 'damaged';
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      return withFiles(`read the running state ${path}`, () => Promise.reject(error));
    }
  }
}
