// The times up to which each tag is on disk or with the historian, kept in a file beside the buffer: what a start reads the
// server's history from. They may be behind what is stored, never before it: points that come twice are one.

import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../disk/whole-files.ts';
import { isOfFullDisk, withFiles } from '../forward/errors.ts';
import { compareTimes, type Instant, type NamedPoint } from './point.ts';

export interface TagTimes {
  readonly newest: Instant;
  /** Time of the point that came last: earlier than the newest one while the source's clock is set back. */
  readonly last: Instant;
}

export class NewestTimes {
  /** When the file was written, in milliseconds since 1970. */
  readonly savedMs: number;
  readonly #path: string;
  /** How far each tag's source was ahead of the clock here, in whole milliseconds; saved with the times. */
  readonly leads: Map<string, number>;
  readonly #times: Map<string, TagTimes>;
  #isChanged = false;

  private constructor(path: string, { times, leads }: SavedTimes, savedMs: number) {
    this.savedMs = savedMs;
    this.leads = leads;
    this.#path = path;
    this.#times = times;
  }

  /** A file that is missing or damaged is one without times: the historian is asked then. */
  static async open(path: string): Promise<NewestTimes> {
    const text = await readFile(path, 'utf8').catch(() => '{}');
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    return new NewestTimes(path, parseTimes(text), mtimeMs);
  }

  get(tag: string): TagTimes | undefined {
    return this.#times.get(tag);
  }

  /** Points that are stored, in the order in which they came. */
  advance(points: readonly NamedPoint[]): void {
    for (const { tag, point } of points) this.advanceBy(tag, point);
  }

  advanceBy(tag: string, { timeMs, ticks }: Instant): void {
    const last = { timeMs, ticks };
    const newest = this.#times.get(tag)?.newest;
    this.#times.set(tag, { newest: newest !== undefined && compareTimes(newest, last) > 0 ? newest : last, last });
    this.#isChanged = true;
  }

  /** A time up to which the historian has the tag. */
  advanceTo(tag: string, instant: Instant): void {
    const known = this.#times.get(tag)?.newest;
    if (known === undefined || compareTimes(known, instant) < 0) this.advanceBy(tag, instant);
  }

  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const entries = [...this.#times].map(([tag, times]) => [tag, formatTimes(times, this.leads.get(tag))]);
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

interface SavedTimes {
  readonly times: Map<string, TagTimes>;
  readonly leads: Map<string, number>;
}

/** Two numbers for each instant, the last one only where it is another, and the lead where it is known. */
function formatTimes({ newest, last }: TagTimes, lead: number | undefined): number[] {
  const times = [newest.timeMs, newest.ticks];
  if (lead !== undefined) return [...times, last.timeMs, last.ticks, lead];
  return compareTimes(newest, last) === 0 ? times : [...times, last.timeMs, last.ticks];
}

function parseTimes(text: string): SavedTimes {
  const times = new Map<string, TagTimes>();
  const leads = new Map<string, number>();
  try {
    for (const [tag, numbers] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
      const [timeMs, ticks, lastMs = timeMs, lastTicks = ticks, lead] = Array.isArray(numbers) ? numbers : [];
      if (![timeMs, ticks, lastMs, lastTicks].every(Number.isInteger)) continue;
      times.set(tag, { newest: { timeMs, ticks }, last: { timeMs: lastMs, ticks: lastTicks } });
      if (Number.isInteger(lead)) leads.set(tag, lead as number);
    }
  } catch {
    // Written whole or not at all: a text that is none was not written here.
  }
  return { times, leads };
}
