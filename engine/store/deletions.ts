// Datasets deleted a short while ago: a live collector's next write must not resurrect one, not even after a restart.

import type { EngineContext } from '../dataset/dataset.ts';
import { DELETIONS_FILE } from '../filenames.ts';
import { isDiskFull } from '../io/system-errors.ts';
import { readWholeFile, replaceFile } from '../io/whole-file.ts';

export class Deletions {
  readonly #context: EngineContext;
  readonly #dataFolder: string;
  /** Wall-clock time of the deletion by name, ms. */
  readonly #times = new Map<string, number>();
  #saving: Promise<void> = Promise.resolve();

  constructor(context: EngineContext, dataFolder: string) {
    this.#context = context;
    this.#dataFolder = dataFolder;
  }

  /** Reads what the last run has noted. A damaged file is as good as none: only minutes of memory are lost. */
  load(): void {
    const { vfs } = this.#context;
    const path = `${this.#dataFolder}/${DELETIONS_FILE}`;
    if (!vfs.statSync(path)) return;
    try {
      const noted: unknown = JSON.parse(new TextDecoder().decode(readWholeFile(vfs, path)));
      if (noted === null || typeof noted !== 'object') return;
      for (const [name, timeMs] of Object.entries(noted)) if (typeof timeMs === 'number') this.#times.set(name, timeMs);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  isRecent(name: string): boolean {
    const timeMs = this.#times.get(name);
    return timeMs !== undefined && this.#isRecent(timeMs);
  }

  /** Durable once resolved. On a full disk only this run remembers: deleting is how room is made. */
  async add(name: string): Promise<void> {
    this.#times.set(name, this.#context.clock.nowMs());
    try {
      await this.#save();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  /** The dataset was created again on purpose. */
  async forget(name: string): Promise<void> {
    if (this.#times.delete(name)) await this.#save();
  }

  /** One after the other: they share the unfinished file. */
  #save(): Promise<void> {
    const saving = this.#saving.then(() => this.#saveNow());
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  #saveNow(): Promise<void> {
    for (const [name, timeMs] of this.#times) if (!this.#isRecent(timeMs)) this.#times.delete(name);
    const bytes = new TextEncoder().encode(`${JSON.stringify(Object.fromEntries(this.#times))}\n`);
    return replaceFile(this.#context.vfs, this.#dataFolder, DELETIONS_FILE, bytes);
  }

  /** A clock that was set back must not keep a name blocked. */
  #isRecent(timeMs: number): boolean {
    return Math.abs(this.#context.clock.nowMs() - timeMs) < this.#context.tunables.deletedMemoryMs;
  }
}
