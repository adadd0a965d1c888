// What all corrections of a tag that are in force come to: which stored points are not read, and which points are read besides.
// Later corrections lie over earlier ones.

import { FIRST_LATE_ORDINAL } from '../tag/late-tag.ts';
import {
  compareInstants,
  type Instant,
  MAX_TIME_MS,
  type PointColumns,
  TICKS_PER_MS,
  type ValueType,
} from '../types.ts';
import type { Correction } from './correction.ts';

/** Ordinals from here on are those of points of corrections, in markers. */
export const FIRST_AMENDED_ORDINAL = 2 ** 51;

/** A point that a correction gives to a tag: point `index` of its columns. */
export interface AmendedPoint extends Instant {
  readonly ordinal: number;
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly index: number;
  /** Stored points of its time are not read if they are below. */
  readonly hides: Below;
}

/** Points with ordinals below: of those in time order, and of late ones. */
interface Below {
  readonly endOrdinal: number;
  readonly endLate: number;
}

/** Stored points of a range with ordinals below are not read. */
export interface HiddenRange extends Below {
  readonly start: Instant;
  readonly end: Instant;
}

export class Amendment {
  /** In time order; those of one time are of one correction. */
  readonly points: readonly AmendedPoint[];
  /** In time order; none overlap. */
  readonly hidden: readonly HiddenRange[];

  /** @param corrections in force, oldest first */
  constructor(corrections: readonly Correction[]) {
    const points: AmendedPoint[] = [];
    let hidden: readonly HiddenRange[] = [];
    for (const correction of corrections.toReversed()) {
      addPoints(points, correction, hidden);
      if (correction.kind !== 'insert') hidden = withRange(hidden, correction);
    }
    this.points = withoutReplaced(points);
    this.hidden = hidden;
  }

  /** The first of its points that is at or behind a time. */
  firstNotBefore(time: Instant): number {
    return firstWhere(this.points, (point) => compareInstants(point, time) >= 0);
  }

  /** The first of its points that is behind a time. */
  firstAfter(time: Instant): number {
    return firstWhere(this.points, (point) => compareInstants(point, time) > 0);
  }

  /** The range of hidden points that a stored point lies in, or its own time when a point takes its place. */
  hiddenRangeOf(time: Instant, ordinal: number): HiddenRange | undefined {
    const range = this.hidden[firstWhere(this.hidden, ({ end }) => compareInstants(end, time) >= 0)];
    if (range && compareInstants(range.start, time) <= 0 && isBelow(ordinal, range)) return range;
    const same = this.points[this.firstNotBefore(time)];
    if (same === undefined || compareInstants(same, time) !== 0 || !isBelow(ordinal, same.hides)) return undefined;
    return { start: same, end: same, ...same.hides };
  }

  /** Whether it hides points, or has any, from the first time to the last. */
  touches(first: Instant, last: Instant): boolean {
    const range = this.hidden[firstWhere(this.hidden, ({ end }) => compareInstants(end, first) >= 0)];
    if (range && compareInstants(range.start, last) <= 0) return true;
    const point = this.points[this.firstNotBefore(first)];
    return point !== undefined && compareInstants(point, last) <= 0;
  }
}

function isBelow(ordinal: number, { endOrdinal, endLate }: Below): boolean {
  return ordinal < (ordinal < FIRST_LATE_ORDINAL ? endOrdinal : endLate);
}

/** The points of a correction that none of the later ones covers. */
function addPoints(points: AmendedPoint[], correction: Correction, hidden: readonly HiddenRange[]): void {
  const { points: columns, type, firstPoint, endOrdinal, endLate } = correction;
  for (let index = 0; index < columns.count; index++) {
    const time = { ms: columns.timesMs[index] as number, ticks: columns.ticks[index] as number };
    const range = hidden[firstWhere(hidden, ({ end }) => compareInstants(end, time) >= 0)];
    if (range && compareInstants(range.start, time) <= 0) continue;
    const ordinal = FIRST_AMENDED_ORDINAL + firstPoint + index;
    points.push({ ...time, ordinal, type, points: columns, index, hides: { endOrdinal, endLate } });
  }
}

/** In time order; of several corrections with points of one time the last one's remain. */
function withoutReplaced(points: AmendedPoint[]): AmendedPoint[] {
  points.sort((a, b) => compareInstants(a, b) || a.ordinal - b.ordinal);
  return points.filter((point, i) => {
    for (let next = i + 1; next < points.length; next++) {
      const other = points[next] as AmendedPoint;
      if (compareInstants(other, point) !== 0) return true;
      if (other.points !== point.points) return false;
    }
    return true;
  });
}

/** Adds the parts of a range that lie in none of the later ones. */
function withRange(hidden: readonly HiddenRange[], { start, end, endOrdinal, endLate }: Correction): HiddenRange[] {
  const ranges: HiddenRange[] = [];
  let from: Instant | undefined = start;
  for (const range of hidden) {
    if (from && compareInstants(range.start, from) > 0) {
      const until = compareInstants(range.start, end) > 0 ? end : justBefore(range.start);
      if (compareInstants(from, end) <= 0) ranges.push({ start: from, end: until, endOrdinal, endLate });
    }
    ranges.push(range);
    if (from && compareInstants(range.end, from) >= 0) from = justBehind(range.end);
  }
  if (from && compareInstants(from, end) <= 0) ranges.push({ start: from, end, endOrdinal, endLate });
  return ranges;
}

/** The number of items when there is none. `is` holds for none up to some item, and for all from it on. */
function firstWhere<T>(items: readonly T[], is: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (is(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The tick before a time. */
export function justBefore({ ms, ticks }: Instant): Instant {
  return ticks > 0 ? { ms, ticks: ticks - 1 } : { ms: ms - 1, ticks: TICKS_PER_MS - 1 };
}

/** The tick behind a time; the time itself at the end of all times. */
export function justBehind({ ms, ticks }: Instant): Instant {
  if (ticks + 1 < TICKS_PER_MS) return { ms, ticks: ticks + 1 };
  return ms < MAX_TIME_MS ? { ms: ms + 1, ticks: 0 } : { ms, ticks };
}
