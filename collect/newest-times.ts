// The newest time of each tag that is on disk or with the historian, kept in a file beside the buffer: what a start reads the
// server's history from. It may be behind what is stored, never before it: points that come twice are one.

import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../disk/whole-files.ts';
import { isOfFullDisk, withFiles } from '../forward/errors.ts';
import { compareTimes, type Instant, type NamedPoint } from './point.ts';

export class NewestTimes {
  /** When the file was written, in milliseconds since 1970. */
  readonly savedMs: number;
  readonly #path: string;
  readonly #times: Map<string, Instant>;
  #isChanged = false;

  private constructor(path: string, times: Map<string, Instant>, savedMs: number) {
    this.savedMs = savedMs;
    this.#path = path;
    this.#times = times;
  }

  /** A file that is missing or damaged is one without times: the historian is asked then. */
  static async open(path: string): Promise<NewestTimes> {
    const text = await readFile(path, 'utf8').catch(() => '{}');
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    return new NewestTimes(path, parseTimes(text), mtimeMs);
  }

  get(tag: string): Instant | undefined {
    return this.#times.get(tag);
  }

  advance(points: readonly NamedPoint[]): void {
    for (const { tag, point } of points) this.advanceTo(tag, point);
  }

  advanceTo(tag: string, { timeMs, ticks }: Instant): void {
    const known = this.#times.get(tag);
    if (known !== undefined && compareTimes(known, { timeMs, ticks }) >= 0) return;
    this.#times.set(tag, { timeMs, ticks });
    this.#isChanged = true;
  }

  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const entries = [...this.#times].map(([tag, { timeMs, ticks }]) => [tag, [timeMs, ticks]]);
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
    try {
      await withFiles(`write ${this.#path}`, () => replaceFile(this.#path, bytes));
    } catch (error) {
      this.#isChanged = true;
      // What the file says stays true, and it is written when the disk has room again.
      if (!isOfFullDisk(error)) throw error;
    }
  }
}

function parseTimes(text: string): Map<string, Instant> {
  const times = new Map<string, Instant>();
  try {
    for (const [tag, pair] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
      const [timeMs, ticks] = Array.isArray(pair) ? pair : [];
      if (Number.isInteger(timeMs) && Number.isInteger(ticks)) times.set(tag, { timeMs, ticks });
    }
  } catch {
    // Written whole or not at all: a text that is none was not written here.
  }
  return times;
}
