// Reduces the points of a tag to those that a chart must show, as where they were written, from all points of the range.

import {
  appendReduced,
  type Instant,
  IntervalReducer,
  type PointChunk,
  PointColumns,
  type ReadOutcome,
  type TagCursor,
  type TagDefinition,
  TICKS_PER_MS,
  type ValueType,
} from '../../engine/index.ts';

export interface Intervals {
  readonly start: Instant;
  readonly end: Instant;
  /** Number of intervals, of equal length; the last one includes its end. */
  readonly count: number;
}

/** About the number of points of a chunk. */
const CHUNK_POINTS = 1024;
/** Interval of points before the start: the point carried in. */
const BEFORE = -1;
const NOWHERE = -2;

export class CentreReducedCursor implements TagCursor {
  readonly #countOf: () => number | undefined;
  #taken = 0;
  readonly #cursor: TagCursor;
  readonly #intervals: Intervals;
  readonly #spanMs: number;
  readonly #reducer = new IntervalReducer<never>(() => new PointColumns(0));
  #interval = NOWHERE;
  #ready: PointChunk[] = [];
  #output: { readonly type: ValueType; readonly points: PointColumns } | undefined;
  #isDone = false;

  /**
   * @param cursor over the points of the range, or those of them that each interval shows
   * @param countOf how many points there are in the range, where the cursor has not all of them
   */
  constructor(cursor: TagCursor, intervals: Intervals, countOf: () => number | undefined) {
    this.#cursor = cursor;
    this.#countOf = countOf;
    this.#intervals = intervals;
    this.#spanMs = this.#offsetMs(intervals.end.ms, intervals.end.ticks);
  }

  get tag(): TagDefinition {
    return this.#cursor.tag;
  }

  async next(): Promise<PointChunk | undefined> {
    while (this.#ready.length === 0 && !this.#isDone) {
      const chunk = await this.#cursor.next();
      if (chunk) this.#add(chunk);
      else {
        this.#finishInterval();
        this.#handOver();
        this.#isDone = true;
      }
    }
    return this.#ready.shift();
  }

  outcome(): ReadOutcome {
    return { ...this.#cursor.outcome(), reducedFrom: this.#countOf() ?? this.#taken };
  }

  close(): void {
    this.#isDone = true;
    this.#cursor.close();
  }

  #add(chunk: PointChunk): void {
    const { points, type } = chunk;
    for (let start = chunk.start; start < chunk.end; ) {
      const interval = this.#intervalAt(points, start);
      let end = start + 1;
      while (end < chunk.end && this.#intervalAt(points, end) === interval) end++;
      if (interval !== this.#interval) this.#finishInterval();
      this.#interval = interval;
      if (interval === BEFORE) {
        for (let i = start; i < end; i++) this.#emit(type, points, i, textAt(points, i));
      } else {
        this.#reducer.addPoints(chunk, start, end, this.#taken);
        this.#taken += end - start;
      }
      start = end;
    }
  }

  #finishInterval(): void {
    if (this.#reducer.isEmpty) return;
    this.#reducer.finish((type, points, index, text) => this.#emit(type, points, index, text));
  }

  #emit(type: ValueType, points: PointColumns, index: number, text: string | undefined): void {
    const output = this.#output;
    if (output && (output.type !== type || output.points.count >= CHUNK_POINTS)) this.#handOver();
    this.#output ??= { type, points: new PointColumns(CHUNK_POINTS) };
    appendReduced(this.#output.points, points, index, text);
  }

  #handOver(): void {
    if (!this.#output) return;
    const { type, points } = this.#output;
    this.#ready.push({ type, points, start: 0, end: points.count });
    this.#output = undefined;
  }

  #intervalAt(points: PointColumns, i: number): number {
    const offset = this.#offsetMs(points.timesMs[i] as number, points.ticks[i] as number);
    if (offset < 0) return BEFORE;
    if (this.#spanMs === 0) return 0;
    const { count } = this.#intervals;
    return Math.min(count - 1, Math.floor((offset * count) / this.#spanMs));
  }

  #offsetMs(ms: number, ticks: number): number {
    const { start } = this.#intervals;
    return ms - start.ms + (ticks - start.ticks) / TICKS_PER_MS;
  }
}

function textAt(points: PointColumns, i: number): string | undefined {
  const isText = points.texts.length > 0 && points.nulls[i] === 0;
  return isText ? points.texts.at(points.numbers[i] as number) : undefined;
}
