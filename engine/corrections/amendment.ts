// What all corrections of a tag that are in force come to: which stored points are not read, and which points are read besides.
// Later corrections lie over earlier ones.

import { FIRST_LATE_ORDINAL } from '../tag/late-tag.ts';
import {
  compareInstants,
  FIRST_INSTANT,
  type Instant,
  LAST_INSTANT,
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
  static readonly nothing = new Amendment([], []);

  /** In time order; those of one time are of one correction. */
  readonly points: readonly AmendedPoint[];
  /** In time order; none overlap. */
  readonly hidden: readonly HiddenRange[];

  constructor(points: readonly AmendedPoint[], hidden: readonly HiddenRange[]) {
    this.points = points;
    this.hidden = hidden;
  }

  /** @param corrections in force, oldest first: the older half under the newer one, so that few steps are over many */
  static of(corrections: readonly Correction[], from = 0, to = corrections.length): Amendment {
    if (to - from === 0) return Amendment.nothing;
    if (to - from === 1) return ofOne(corrections[from] as Correction);
    const middle = (from + to) >>> 1;
    return Amendment.of(corrections, from, middle).under(Amendment.of(corrections, middle, to));
  }

  /** With newer corrections over it: only where those are anything is looked at. */
  under(newer: Amendment): Amendment {
    if (this === Amendment.nothing) return newer;
    const { start, end } = spanOf(newer);
    const [from, behind] = [this.firstNotBefore(start), this.firstAfter(end)];
    const points = pointsUnder(this.points.slice(from, behind), newer);
    const [first, next] = reachOf(this.hidden, start, end);
    const hidden = rangesUnder(this.hidden.slice(first, next), newer.hidden);
    return new Amendment(replaced(this.points, from, behind, points), replaced(this.hidden, first, next, hidden));
  }

  /** Between two times, which both belong to the range, as another one has it. */
  replacedBetween(start: Instant, end: Instant, other: Amendment): Amendment {
    const given = other.points.slice(other.firstNotBefore(start), other.firstAfter(end));
    const points = replaced(this.points, this.firstNotBefore(start), this.firstAfter(end), given);
    const before = partsOf(this.hidden, FIRST_INSTANT, justBefore(start));
    const isLast = compareInstants(end, LAST_INSTANT) >= 0;
    const behind = isLast ? [] : partsOf(this.hidden, justBehind(end), LAST_INSTANT);
    return new Amendment(points, joined(joined(before, partsOf(other.hidden, start, end)), behind));
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

function ofOne({ kind, start, end, endOrdinal, endLate, type, points: columns, firstPoint }: Correction): Amendment {
  const hides = { endOrdinal, endLate };
  const points = Array.from({ length: columns.count }, (_, index): AmendedPoint => {
    const time = { ms: columns.timesMs[index] as number, ticks: columns.ticks[index] as number };
    return { ...time, ordinal: FIRST_AMENDED_ORDINAL + firstPoint + index, type, points: columns, index, hides };
  });
  return new Amendment(points, kind === 'insert' ? [] : [{ start, end, ...hides }]);
}

/** Without those that newer ranges cover, and those in the place of which newer points come. */
function pointsUnder(older: readonly AmendedPoint[], newer: Amendment): AmendedPoint[] {
  const points: AmendedPoint[] = [];
  let next = 0;
  let range = 0;
  for (const point of older) {
    while (next < newer.points.length && compareInstants(newer.points[next] as AmendedPoint, point) < 0)
      points.push(newer.points[next++] as AmendedPoint);
    const other = newer.points[next];
    if (other && compareInstants(other, point) === 0) continue;
    while (range < newer.hidden.length && compareInstants((newer.hidden[range] as HiddenRange).end, point) < 0) range++;
    const over = newer.hidden[range];
    if (over === undefined || compareInstants(over.start, point) > 0) points.push(point);
  }
  for (; next < newer.points.length; next++) points.push(newer.points[next] as AmendedPoint);
  return points;
}

/** The newer ranges, and the parts of older ones that lie in none of them. */
function rangesUnder(older: readonly HiddenRange[], newer: readonly HiddenRange[]): HiddenRange[] {
  const ranges: HiddenRange[] = [];
  let next = 0;
  for (const range of older) {
    while (next < newer.length && compareInstants((newer[next] as HiddenRange).end, range.start) < 0)
      ranges.push(newer[next++] as HiddenRange);
    let from: Instant | undefined = range.start;
    for (let over = newer[next]; from && over && compareInstants(over.start, range.end) <= 0; over = newer[next]) {
      if (compareInstants(over.start, from) > 0) ranges.push({ ...range, start: from, end: justBefore(over.start) });
      from = compareInstants(over.end, range.end) < 0 ? justBehind(over.end) : undefined;
      // One that reaches further may cover parts of the next older range as well.
      if (compareInstants(over.end, range.end) > 0) break;
      ranges.push(over);
      next++;
    }
    if (from) ranges.push(from === range.start ? range : { ...range, start: from });
  }
  for (; next < newer.length; next++) ranges.push(newer[next] as HiddenRange);
  return ranges;
}

/** From the first time that has to do with it to the last. */
function spanOf({ points, hidden }: Amendment): { readonly start: Instant; readonly end: Instant } {
  const [point, range] = [points[0], hidden[0]];
  const [lastPoint, lastRange] = [points.at(-1), hidden.at(-1)];
  return {
    start: point && range ? earlierOf(point, range.start) : (point ?? range?.start ?? FIRST_INSTANT),
    end: lastPoint && lastRange ? laterOf(lastPoint, lastRange.end) : (lastPoint ?? lastRange?.end ?? FIRST_INSTANT),
  };
}

/** The first of the ranges that overlap the time between two, and the one behind them. */
function reachOf(ranges: readonly HiddenRange[], start: Instant, end: Instant): [first: number, behind: number] {
  const first = firstWhere(ranges, (range) => compareInstants(range.end, start) >= 0);
  return [first, firstWhere(ranges, (range) => compareInstants(range.start, end) > 0)];
}

/** With others instead of items `[from, behind)`. */
function replaced<T>(items: readonly T[], from: number, behind: number, others: readonly T[]): readonly T[] {
  if (from === behind && others.length === 0) return items;
  return items.slice(0, from).concat(others, items.slice(behind));
}

/** What lies between two times, which both belong to it. */
function partsOf(ranges: readonly HiddenRange[], start: Instant, end: Instant): HiddenRange[] {
  return ranges.slice(...reachOf(ranges, start, end)).map((range) => {
    const isWhole = compareInstants(range.start, start) >= 0 && compareInstants(range.end, end) <= 0;
    return isWhole ? range : { ...range, start: laterOf(range.start, start), end: earlierOf(range.end, end) };
  });
}

/** One behind the other; a range that was divided between them is whole again, or else they would become more and more. */
function joined(ranges: readonly HiddenRange[], behind: readonly HiddenRange[]): readonly HiddenRange[] {
  const last = ranges.at(-1);
  const next = behind[0];
  if (!last || !next || !isSameRange(last, next)) return ranges.concat(behind);
  return ranges.slice(0, -1).concat({ ...last, end: next.end }, behind.slice(1));
}

function isSameRange(a: HiddenRange, b: HiddenRange): boolean {
  const isNext = compareInstants(justBehind(a.end), b.start) === 0;
  return isNext && a.endOrdinal === b.endOrdinal && a.endLate === b.endLate;
}

function laterOf(a: Instant, b: Instant): Instant {
  return compareInstants(a, b) < 0 ? b : a;
}

function earlierOf(a: Instant, b: Instant): Instant {
  return compareInstants(a, b) < 0 ? a : b;
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
