// Copies of the points of an entry, as long as they are few: so that a second pass need not read them again.

import { type PointChunk, PointColumns } from '../../../engine/index.ts';

/** 1.8 MB for each answer that needs it. */
export const MAX_HELD_POINTS = 65_536;

/** So few are copied without making views of the columns. */
const FEW_POINTS = 8;

export class HeldPoints {
  readonly chunks: PointChunk[] = [];
  /** False when there were too many points. */
  isWhole = true;
  readonly #columns: PointColumns[] = [];
  #pointCount = 0;

  clear(): void {
    this.chunks.length = 0;
    this.isWhole = true;
    this.#pointCount = 0;
  }

  add(chunk: PointChunk): void {
    const count = chunk.end - chunk.start;
    this.#pointCount += count;
    if (this.#pointCount > MAX_HELD_POINTS) this.isWhole = false;
    if (!this.isWhole) {
      this.chunks.length = 0;
      return;
    }
    const index = this.chunks.length;
    const columns = this.#columns[index] ?? new PointColumns(count);
    this.#columns[index] = columns;
    columns.reserve(count);
    copyPoints(chunk, columns);
    this.chunks.push({ type: chunk.type, points: columns, start: 0, end: count });
  }
}

function copyPoints({ points, start, end }: PointChunk, target: PointColumns): void {
  target.texts = points.texts.length === 0 ? points.texts : points.texts.copy();
  target.count = end - start;
  if (end - start <= FEW_POINTS) return copyOneByOne(points, start, target);
  target.timesMs.set(points.timesMs.subarray(start, end));
  target.ticks.set(points.ticks.subarray(start, end));
  target.bigints.set(points.bigints.subarray(start, end));
  target.nulls.set(points.nulls.subarray(start, end));
  target.qualities.set(points.qualities.subarray(start, end));
}

function copyOneByOne(points: PointColumns, start: number, target: PointColumns): void {
  for (let i = 0; i < target.count; i++) {
    target.timesMs[i] = points.timesMs[start + i] as number;
    target.ticks[i] = points.ticks[start + i] as number;
    target.bigints[i] = points.bigints[start + i] as bigint; // bit for bit: a copy as doubles may alter NaN patterns
    target.nulls[i] = points.nulls[start + i] as number;
    target.qualities[i] = points.qualities[start + i] as number;
  }
}
