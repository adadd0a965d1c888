// Copies of the points of an entry, as long as they are few: so that a second pass need not read them again. What they take is
// charged to the answer.

import { type PointChunk, PointColumns } from '../../../engine/index.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';

/** 1.8 MB for each answer that needs it. */
export const MAX_HELD_POINTS = 65_536;
/** Characters of their texts together. */
const MAX_HELD_CHARS = 1_048_576;

/** Most points that are copied without making views of the columns. */
const FEW_POINTS = 8;

export class HeldPoints {
  readonly chunks: PointChunk[] = [];
  /** False when there were too many points. */
  isWhole = true;
  readonly #memory: HeldMemory;
  readonly #columns: PointColumns[] = [];
  #pointCount = 0;
  #chars = 0;

  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  clear(): void {
    this.chunks.length = 0;
    this.isWhole = true;
    this.#pointCount = 0;
    this.#chars = 0;
  }

  add(chunk: PointChunk): void {
    const count = chunk.end - chunk.start;
    this.#pointCount += count;
    this.#chars += chunk.points.texts.chars;
    if (this.#pointCount > MAX_HELD_POINTS || this.#chars > MAX_HELD_CHARS) this.isWhole = false;
    if (!this.isWhole) {
      this.chunks.length = 0;
      return;
    }
    const columns = this.#columnsFor(count);
    copyPoints(chunk, columns);
    this.chunks.push({ type: chunk.type, points: columns, start: 0, end: count });
  }

  /** Columns of the chunk that comes next, with room for so many points. */
  #columnsFor(count: number): PointColumns {
    const index = this.chunks.length;
    const columns = this.#columns[index] ?? new PointColumns(0);
    const { sizeBytes } = columns;
    columns.reserve(count);
    this.#memory.take(columns.sizeBytes - sizeBytes);
    this.#columns[index] = columns;
    return columns;
  }
}

function copyPoints(chunk: PointChunk, target: PointColumns): void {
  const { points, start, end } = chunk;
  target.texts = points.texts.length === 0 ? points.texts : points.texts.copy();
  target.count = end - start;
  copyColumns(chunk, target, 0);
}

/** Copies points, without their texts, to where `target` has room for them. */
export function copyColumns(
  { points, start, end }: Omit<PointChunk, 'type'>,
  target: PointColumns,
  first: number,
): void {
  if (end - start <= FEW_POINTS) return copyOneByOne(points, start, end, target, first);
  target.timesMs.set(points.timesMs.subarray(start, end), first);
  target.ticks.set(points.ticks.subarray(start, end), first);
  target.bigints.set(points.bigints.subarray(start, end), first);
  target.nulls.set(points.nulls.subarray(start, end), first);
  target.qualities.set(points.qualities.subarray(start, end), first);
}

function copyOneByOne(points: PointColumns, start: number, end: number, target: PointColumns, first: number): void {
  for (let from = start, to = first; from < end; from++, to++) {
    target.timesMs[to] = points.timesMs[from] as number;
    target.ticks[to] = points.ticks[from] as number;
    target.bigints[to] = points.bigints[from] as bigint; // bit for bit: a copy as doubles may alter NaN patterns
    target.nulls[to] = points.nulls[from] as number;
    target.qualities[to] = points.qualities[from] as number;
  }
}
