// Finds out whether a late point is stored already: searches pending requests, the head, and the newest block on disk.
// Enough to recognise a retry; older ones count as ignored.

import type { Dataset } from '../dataset/dataset.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { blocksOf, readSource } from '../read/block-sources.ts';
import { valueAt } from '../tag/stored-value.ts';
import { sameValue, type Tag } from '../tag/tag.ts';
import { type Instant, PointColumns, type ValueType } from '../types.ts';

/** Most points at the end of a head that are searched; a head is longer only after a very long request. */
const MOST_HEAD_POINTS = 65_536;

interface Span {
  readonly points: PointColumns;
  readonly start: number;
  readonly end: number;
  readonly type: ValueType;
}

export class LatePoints {
  readonly #spans: Span[];

  constructor(dataset: Dataset, tag: Tag) {
    this.#spans = [...pendingOf(dataset, tag), ...headOf(dataset, tag), ...newestBlockOf(dataset, tag)];
  }

  /** Whether point `i` is stored: with the same time, value and quality. */
  has(points: PointColumns, i: number, type: ValueType): boolean {
    const value = valueAt(points, i, type);
    const ms = points.timesMs[i] as number;
    const ticks = points.ticks[i] as number;
    for (const { points: stored, start, end, type: storedType } of this.#spans) {
      for (let at = firstAt(stored, start, end, ms); at < end && stored.timesMs[at] === ms; at++) {
        const same = stored.ticks[at] === ticks && stored.qualities[at] === points.qualities[i];
        if (same && sameValue(valueAt(stored, at, storedType), value)) return true;
      }
    }
    return false;
  }

  /** Whether any point of this time is stored. */
  hasTime({ ms, ticks }: Instant): boolean {
    for (const { points: stored, start, end } of this.#spans) {
      for (let at = firstAt(stored, start, end, ms); at < end && stored.timesMs[at] === ms; at++)
        if (stored.ticks[at] === ticks) return true;
    }
    return false;
  }
}

/** The first of points `[start, end)` at or after a ms. */
function firstAt(points: PointColumns, start: number, end: number, ms: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points.timesMs[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pendingOf(dataset: Dataset, tag: Tag): Span[] {
  const spans: Span[] = [];
  for (const write of dataset.pending) {
    for (const run of write.runsOf(tag))
      spans.push({ points: write.generalPoints, start: run.start, end: run.start + run.count, type: run.type });
  }
  return spans;
}

function headOf(dataset: Dataset, tag: Tag): Span[] {
  const spans: Span[] = [];
  let left = MOST_HEAD_POINTS;
  for (let head = tag.head; head && left > 0; head = head.older) {
    const count = Math.min(left, head.count);
    const points = new PointColumns(count);
    dataset.arena.copy(head, head.count - count, count, points);
    spans.push({ points, start: 0, end: count, type: head.type });
    left -= count;
  }
  return spans;
}

function newestBlockOf(dataset: Dataset, tag: Tag): Span[] {
  const newest = blocksOf(dataset, tag).at(-1);
  if (!newest) return [];
  const points = new PointColumns(newest.entry.pointCount);
  try {
    const header = readSource(dataset, newest, points);
    return [{ points, start: 0, end: points.count, type: header.type }];
  } catch (error) {
    return undefinedIfCorrupt(error) ?? [];
  }
}
