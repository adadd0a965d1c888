// Reads the points of one tag in a range of time, from rows and from what corrections give.

import {
  type AmendedPoint,
  type Amendment,
  compareInstants,
  type Instant,
  type PointChunk,
  PointColumns,
  type ReadMarker,
  type ReadOutcome,
  type TagCursor,
  type TagDefinition,
  type ValueType,
  WHOLE_OUTCOME,
} from '../../engine/index.ts';
import { appendRowPoint, markerOrdinal, type RowPoint, TimeGroup } from './readable-rows.ts';
import type { Rows } from './row-reader.ts';
import type { RowSource, TagRows } from './tag-rows.ts';

export interface RangeRead {
  readonly rows: TagRows;
  readonly amendment: Amendment | undefined;
  readonly start: Instant;
  readonly end: Instant;
  /** Points at the start with smaller ordinals are left out. */
  readonly firstOrdinal: number;
  readonly limit: number | undefined;
  /** The rows of the range, where they are read with those of other tags; else it asks for them. */
  readonly source?: RowSource;
}

interface Filling {
  readonly type: ValueType;
  readonly points: PointColumns;
}

/** Points of a chunk at most. */
const CHUNK_POINTS = 4096;

export class RangeCursor implements TagCursor {
  readonly tag: TagDefinition;
  #marker: ReadMarker | undefined;
  readonly #read: RangeRead;
  readonly #source: RowSource;
  readonly #group = new TimeGroup();
  /** The next of the points that corrections give, and the one behind the range. */
  #next = 0;
  #end = 0;
  #ready: PointChunk[] = [];
  #filling: Filling | undefined;
  #left: number;
  #isDone = false;
  /** The last row that was passed on as it came. */
  #lastOrdinal = -1;

  constructor(read: RangeRead) {
    const { rows, amendment, start, end, limit } = read;
    this.tag = rows.tag.definition;
    this.#read = read;
    this.#left = limit ?? Number.POSITIVE_INFINITY;
    this.#next = amendment?.firstNotBefore(start) ?? 0;
    this.#end = amendment?.firstAfter(end) ?? 0;
    this.#source = read.source ?? rows.ascending({ start, end });
  }

  async next(): Promise<PointChunk | undefined> {
    while (this.#ready.length === 0 && !this.#isDone) {
      const rows = await this.#source.next();
      if (rows === undefined) this.#finish();
      else if (!this.#passOn(rows)) this.#takeRows(rows);
    }
    return this.#ready.shift();
  }

  outcome(): ReadOutcome {
    return { gaps: [], marker: this.#marker };
  }

  close(): void {
    this.#isDone = true;
    this.#ready = [];
    this.#source.close();
  }

  /** Most rows need no look at each: those of a tag without corrections and late points, of one type, none of them twice. */
  #passOn({ points, types, ordinals, start, end }: Rows): boolean {
    const { rows, amendment, firstOrdinal } = this.#read;
    const count = end - start;
    if (amendment || rows.late || firstOrdinal > 0 || count > this.#left || !this.#group.isEmpty) return false;
    let before = this.#lastOrdinal;
    for (let i = start; i < end; i++) {
      if ((ordinals[i] as number) <= before || types[i] !== types[start]) return false;
      before = ordinals[i] as number;
    }
    this.#lastOrdinal = before;
    this.#left -= count;
    this.#handOver();
    this.#ready.push({ type: types[start] as ValueType, points, start, end });
    return true;
  }

  #takeRows(rows: Rows): void {
    const { points, types, start, end } = rows;
    const late = this.#read.rows.late?.id;
    for (let index = start; index < end && !this.#isDone; index++) {
      const time = { ms: points.timesMs[index] as number, ticks: points.ticks[index] as number };
      this.#takeAmended(time);
      const ordinal = markerOrdinal(rows, index, late);
      // A row that was passed on may come again.
      if (late === undefined && ordinal <= this.#lastOrdinal) continue;
      this.#add({ ...time, ordinal, type: types[index] as ValueType, points, index });
    }
  }

  /** Points of corrections up to a time. */
  #takeAmended(time: Instant | undefined): void {
    for (; this.#next < this.#end; this.#next++) {
      const point = this.#read.amendment?.points[this.#next] as AmendedPoint;
      if (time && compareInstants(point, time) > 0) return;
      this.#add(point);
    }
  }

  #add(point: RowPoint): void {
    if (!this.#group.isEmpty && !this.#group.has(point)) this.#endGroup();
    this.#group.add(point);
  }

  #endGroup(): void {
    for (const point of this.#group.take(this.#read.amendment)) this.#give(point);
  }

  #finish(): void {
    this.#takeAmended(undefined);
    this.#endGroup();
    this.#handOver();
    this.#isDone = true;
    this.#source.close();
  }

  #give(point: RowPoint): void {
    const { start, firstOrdinal, rows } = this.#read;
    if (this.#isDone || (point.ordinal < firstOrdinal && compareInstants(point, start) === 0)) return;
    if (this.#left === 0) {
      this.#marker = { tagId: rows.tag.id, ordinal: point.ordinal };
      this.#handOver();
      this.#isDone = true;
      this.#source.close();
      return;
    }
    this.#left--;
    if (this.#filling?.type !== point.type || this.#filling.points.count >= CHUNK_POINTS) this.#handOver();
    this.#filling ??= { type: point.type, points: new PointColumns(64) };
    appendRowPoint(this.#filling.points, point);
  }

  #handOver(): void {
    if (!this.#filling) return;
    const { type, points } = this.#filling;
    this.#filling = undefined;
    this.#ready.push({ type, points, start: 0, end: points.count });
  }
}

/** A cursor over at most one point that is known. */
export function pointCursor(tag: TagDefinition, point: RowPoint | undefined): TagCursor {
  return askedPoint(tag, () => point);
}

/** A cursor over at most one point, which is asked for once it is wanted. */
export function askedPoint(
  tag: TagDefinition,
  ask: () => RowPoint | undefined | Promise<RowPoint | undefined>,
): TagCursor {
  let isOver = false;
  return {
    tag,
    next: () => {
      if (isOver) return undefined;
      isOver = true;
      const point = ask();
      return point instanceof Promise ? point.then(chunkOf) : chunkOf(point);
    },
    outcome: () => WHOLE_OUTCOME,
    close: () => {
      isOver = true;
    },
  };
}

function chunkOf(point: RowPoint | undefined): PointChunk | undefined {
  if (point === undefined) return undefined;
  const points = new PointColumns(1);
  appendRowPoint(points, point);
  return { type: point.type, points, start: 0, end: 1 };
}
