// Reads a tag that has corrections in force: the stored points that none of them hides, merged with those that they give.

import type { AmendedPoint, Amendment } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { appendColumns } from '../../points/point-copies.ts';
import { newestFrom, pushPoint } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import {
  compareInstants,
  type Instant,
  type PointChunk,
  PointColumns,
  type ReadGap,
  type ReadMarker,
  type TagCursor,
  type TagDefinition,
  type ValueType,
} from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import type { BlockSource } from '../block-sources.ts';
import { type CursorRange, StoredTagCursor, type TakesUnread } from '../tag-cursor.ts';

export interface AmendedRead {
  readonly dataset: Dataset;
  readonly tag: Tag;
  readonly range: CursorRange;
  readonly amendment: Amendment;
  /** The first of the amendment's points that is read. */
  readonly from: number;
}

/** Points that are ready, with their ordinals. */
interface MergedChunk extends PointChunk {
  readonly ordinals: readonly number[];
}

/** Most points of a merged chunk. */
const CHUNK_POINTS = 4096;

export class AmendedCursor implements TagCursor {
  readonly tag: TagDefinition;
  marker: ReadMarker | undefined;
  readonly #tagId: number;
  readonly #amendment: Amendment;
  readonly #stored: StoredTagCursor;
  /** The next of the amendment's points, and the one behind the range. */
  #next: number;
  readonly #end: number;
  #ready: (PointChunk | MergedChunk)[] = [];
  #filling: { readonly type: ValueType; readonly points: PointColumns; readonly ordinals: number[] } | undefined;
  #left: number;
  #isDone = false;

  constructor({ dataset, tag, range, amendment, from }: AmendedRead, takesUnread?: TakesUnread) {
    this.tag = tag.definition;
    this.#tagId = tag.id;
    this.#amendment = amendment;
    this.#next = from;
    this.#end = amendment.firstAfter(range.end);
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
    const takes = takesUnread && ((source: BlockSource) => !this.#touches(source) && takesUnread(source));
    this.#stored = new StoredTagCursor(dataset, tag, { ...range, limit: undefined }, takes);
  }

  get gaps(): readonly ReadGap[] {
    return this.#stored.gaps;
  }

  next(): PointChunk | undefined {
    while (this.#ready.length === 0 && !this.#isDone) this.#step();
    const chunk = this.#ready.shift();
    return chunk && this.#limited(chunk);
  }

  close(): void {
    this.#isDone = true;
    this.#ready = [];
    this.#stored.close();
  }

  noteUnreadable(source: BlockSource): void {
    this.#stored.noteUnreadable(source);
  }

  /** Whether a block's points have to be looked at, or points come before it. */
  #touches({ entry }: BlockSource): boolean {
    const last = { ms: entry.lastMs, ticks: entry.lastTicks };
    if (this.#comesBefore(last, 'or at')) return true;
    return this.#amendment.touches({ ms: entry.firstMs, ticks: entry.firstTicks }, last);
  }

  /** Whether the amendment's next point comes before a time. */
  #comesBefore(time: Instant, orAt?: 'or at'): boolean {
    if (this.#next >= this.#end) return false;
    const order = compareInstants(this.#amendment.points[this.#next] as AmendedPoint, time);
    return orAt === undefined ? order < 0 : order <= 0;
  }

  #step(): void {
    const chunk = this.#stored.next();
    if (chunk === undefined) {
      while (this.#next < this.#end) this.#takeAmended();
      this.#handOver();
      this.#isDone = true;
    } else if (chunk.start === chunk.end || !this.#isAmended(chunk)) this.#ready.push(chunk);
    else {
      this.#merge(chunk);
      this.#handOver();
    }
  }

  #isAmended({ points, start, end }: PointChunk): boolean {
    const last = timeOf(points, end - 1);
    return this.#comesBefore(last, 'or at') || this.#amendment.touches(timeOf(points, start), last);
  }

  #merge({ type, points, start, end }: PointChunk): void {
    for (let i = start; i < end; i++) {
      const time = timeOf(points, i);
      while (this.#comesBefore(time)) this.#takeAmended();
      const ordinal = this.#stored.ordinalOf(i);
      if (this.#amendment.hiddenRangeOf(time, ordinal) === undefined) this.#take(points, i, type, ordinal);
    }
  }

  #takeAmended(): void {
    const { points, index, type, ordinal } = this.#amendment.points[this.#next++] as AmendedPoint;
    this.#take(points, index, type, ordinal);
  }

  #take(points: PointColumns, i: number, type: ValueType, ordinal: number): void {
    const full = this.#filling && this.#filling.points.count >= CHUNK_POINTS;
    if (full || this.#filling?.type !== type) this.#handOver();
    this.#filling ??= { type, points: new PointColumns(64), ordinals: [] };
    const { points: target, ordinals } = this.#filling;
    if (payloadOf(type) === 'text') pushPoint(target, newestFrom(points, i, type, undefined));
    else appendColumns(points, i, i + 1, target);
    ordinals.push(ordinal);
  }

  #handOver(): void {
    if (!this.#filling) return;
    const { type, points, ordinals } = this.#filling;
    this.#ready.push({ type, points, start: 0, end: points.count, ordinals });
    this.#filling = undefined;
  }

  /** Applies the limit; if it drops points, sets the marker to continue with. */
  #limited(chunk: PointChunk | MergedChunk): PointChunk | undefined {
    const count = chunk.end - chunk.start;
    const given = Math.min(count, this.#left);
    this.#left -= given;
    if (given === count) return chunk;
    const end = chunk.start + given;
    const ordinal = 'ordinals' in chunk ? (chunk.ordinals[end] as number) : this.#stored.ordinalOf(end);
    this.#isDone = true;
    this.#ready = [];
    this.marker = { tagId: this.#tagId, ordinal };
    return given > 0 ? { ...chunk, end } : undefined;
  }
}

function timeOf(points: PointColumns, i: number): Instant {
  return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
}
