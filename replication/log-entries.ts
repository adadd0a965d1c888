// What the edge's log of corrections means for a copy: cuts are made again, and corrections in force are named.

import {
  type Correction,
  CorrectionLogReader,
  EngineError,
  FIRST_LATE_ORDINAL,
  type Instant,
} from '../engine/index.ts';
import type { Batch, BatchRun } from './sink.ts';

/** The system tag that has it. */
export const CORRECTIONS_TAG = 14;

/** Points of a tag were removed from a time on, and of its late points those below an ordinal. */
export interface LoggedCut {
  readonly tagId: number;
  readonly start: Instant;
  readonly lateBelow: number;
}

export class LogEntries {
  readonly #reader = new CorrectionLogReader();
  /** Tags of corrections that are in force, by the correction's id. */
  readonly #inForce = new Map<number, number>();
  /** The ordinal of the next entry. */
  next: number;

  constructor(next: number) {
    this.next = next;
  }

  /** The tags of corrections that are in force, of those that were taken. */
  get corrected(): Iterable<number> {
    return this.#inForce.values();
  }

  /** Takes entries that were not taken before; gives the cuts among them, in order. */
  take(
    { points }: Pick<Batch, 'points'>,
    { start, count, firstOrdinal }: Pick<BatchRun, 'start' | 'count' | 'firstOrdinal'>,
  ): LoggedCut[] {
    const cuts: LoggedCut[] = [];
    for (let i = Math.max(0, this.next - firstOrdinal); i < count; i++) {
      const at = start + i;
      this.next = firstOrdinal + i + 1;
      if (points.nulls[at] !== 0) continue;
      const time = { ms: points.timesMs[at] as number, ticks: points.ticks[at] as number };
      const cut = this.#read(points.texts.at(points.numbers[at] as number), time);
      if (cut) cuts.push(cut);
    }
    return cuts;
  }

  #read(text: string, at: Instant): LoggedCut | undefined {
    try {
      const read = this.#reader.read(text, at);
      if (read === undefined) return undefined;
      if ('undone' in read) this.#inForce.delete(read.id);
      else return this.#begin(read);
    } catch (error) {
      // An entry that cannot be read is not in force at the edge, either.
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    }
    return undefined;
  }

  #begin({ id, kind, tagId, start, endLate }: Omit<Correction, 'undone'>): LoggedCut | undefined {
    if (kind === 'cut') return { tagId, start, lateBelow: endLate - FIRST_LATE_ORDINAL };
    this.#inForce.set(id, tagId);
    return undefined;
  }
}
