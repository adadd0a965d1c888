// Gathers points of tags into one batch, up to its limits.

import { type FollowedPoints, type Following, PointColumns } from '../../engine/index.ts';
import type { Batch, BatchRun, TagDocument } from '../sink.ts';

/** Points of a batch: an insert of 100,000 rows costs hardly more than one of 10,000. */
export const BATCH_POINTS = 100_000;
/** Characters of texts in a batch. */
const BATCH_CHARACTERS = 8 * 2 ** 20;
/** Points that are copied before others may have a turn. */
const POINTS_AT_ONCE = 4096;

export class CopyBatch implements Batch {
  readonly points = new PointColumns(0);
  readonly runs: BatchRun[] = [];
  /** By tag id, where each goes on once the batch is stored. */
  readonly next = new Map<number, number>();

  get isFull(): boolean {
    return this.points.count >= BATCH_POINTS || this.points.texts.chars >= BATCH_CHARACTERS;
  }

  clear(): void {
    this.points.clear();
    this.runs.length = 0;
    this.next.clear();
  }

  /** Takes points of a tag with ordinals `[from, to)`; gives the ordinal to go on with, the same when there are none left. */
  take(following: Following, tag: TagDocument, from: number, to: number): number {
    const wanted = {
      points: Math.min(POINTS_AT_ONCE, BATCH_POINTS - this.points.count, to - from),
      characters: BATCH_CHARACTERS - this.points.texts.chars,
    };
    const taken = following.readPoints(tag.id, from, wanted, this.points);
    const count = Math.min(taken.count, to - taken.firstOrdinal);
    if (count > 0) this.#add(nameIn(following, tag), tag, { ...taken, count });
    const next = Math.min(taken.nextOrdinal, to);
    if (next > from) this.next.set(tag.id, next);
    return next;
  }

  #add(name: string, tag: TagDocument, { type, start, count, firstOrdinal }: FollowedPoints): void {
    const last = this.runs.at(-1);
    const isNext =
      last?.tag === tag &&
      last.type === type &&
      last.start + last.count === start &&
      last.firstOrdinal + last.count === firstOrdinal;
    if (isNext) this.runs[this.runs.length - 1] = { ...last, count: last.count + count };
    else this.runs.push({ tag, name, type, start, count, firstOrdinal });
  }
}

function nameIn(following: Following, { lateOf, definition }: TagDocument): string {
  return (lateOf === undefined ? undefined : following.tag(lateOf)?.definition.name) ?? definition.name;
}
