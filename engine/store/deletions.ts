// Recently deleted datasets: the next write of a running collector must not create one again, not even after a restart.

import type { EngineContext } from '../dataset/dataset.ts';
import { DELETIONS_FILE, UNFINISHED } from '../filenames.ts';
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

  /** Reads the deletions of the last process, and removes what it has not finished. A damaged file is ignored: it only covers some minutes. */
  load(): void {
    const { vfs } = this.#context;
    const path = `${this.#dataFolder}/${DELETIONS_FILE}`;
    vfs.removeSync(`${path}${UNFINISHED}`);
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

  /** Durable once resolved; on a full disk in memory only, because deleting makes room. */
  async add(name: string): Promise<void> {
    this.#times.set(name, this.#context.clock.nowMs());
    try {
      await this.#save();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  /** Call it when the dataset was created again on purpose. */
  async forget(name: string): Promise<void> {
    if (this.#times.delete(name)) await this.#save();
  }

  /** One at a time: they share the temporary file. */
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

  /** Times in the future do not count: a clock that was set back must not keep a name blocked. */
  #isRecent(timeMs: number): boolean {
    return Math.abs(this.#context.clock.nowMs() - timeMs) < this.#context.tunables.deletedMemoryMs;
  }
}
