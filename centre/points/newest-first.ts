// The readable points of a tag up to a time, the newest first: a few at a time, and more each time.

import { type Amendment, compareInstants, type Instant, justBefore, type ValueType } from '../../engine/index.ts';
import { markerOrdinal, type RowPoint, TimeGroup } from './readable-rows.ts';
import type { TagRows } from './tag-rows.ts';

const FIRST_ROWS = 16;
const GROWTH = 8;
const MOST_ROWS = 65_536;

export interface NewestFirst {
  readonly rows: TagRows;
  readonly amendment: Amendment | undefined;
  readonly end: Instant;
}

export async function* newestFirst({ rows, amendment, end }: NewestFirst): AsyncGenerator<RowPoint> {
  let upTo: Instant = end;
  let amended: readonly RowPoint[] = amendment?.points.slice(0, amendment.firstAfter(end)) ?? [];
  for (let limit = FIRST_ROWS; ; limit *= limit < MOST_ROWS ? GROWTH : 1) {
    const read = await readBackwards(rows, upTo, limit);
    const isLast = read.length < limit;
    const first = isLast ? undefined : wholeFrom(read);
    // All of them have one time: more are needed.
    if (first === read.length) continue;
    const points = isLast ? read : read.slice(0, first);
    const oldest = points.at(-1);
    const [later, earlier] = divide(amended, isLast ? undefined : oldest);
    yield* inGroups([...points, ...later], amendment);
    if (isLast || oldest === undefined) return;
    amended = earlier;
    upTo = justBefore(oldest);
  }
}

/** The first of those with the oldest time, of which there may be more; all when there is one time only. */
function wholeFrom(points: readonly RowPoint[]): number {
  const oldest = points.at(-1) as RowPoint;
  const from = points.findIndex((point) => compareInstants(point, oldest) === 0);
  return from === 0 ? points.length : from;
}

/** Divides points into those at or behind a time, and those before it. */
function divide(points: readonly RowPoint[], time: Instant | undefined): [RowPoint[], RowPoint[]] {
  if (time === undefined) return [[...points], []];
  const isLater = (point: RowPoint): boolean => compareInstants(point, time) >= 0;
  return [points.filter(isLater), points.filter((point) => !isLater(point))];
}

function* inGroups(points: readonly RowPoint[], amendment: Amendment | undefined): Generator<RowPoint> {
  const sorted = points.toSorted((a, b) => compareInstants(b, a) || b.ordinal - a.ordinal);
  const group = new TimeGroup();
  for (const point of sorted) {
    if (!group.isEmpty && !group.has(point)) yield* group.take(amendment).reverse();
    group.add(point);
  }
  yield* group.take(amendment).reverse();
}

async function readBackwards(rows: TagRows, upTo: Instant, limit: number): Promise<RowPoint[]> {
  const source = rows.descending(upTo, limit);
  const found: RowPoint[] = [];
  try {
    for (let part = await source.next(); part; part = await source.next()) {
      const { points, types, start, end } = part;
      for (let index = start; index < end; index++) {
        const ordinal = markerOrdinal(part, index, rows.late?.id);
        const time = { ms: points.timesMs[index] as number, ticks: points.ticks[index] as number };
        found.push({ ...time, ordinal, type: types[index] as ValueType, points, index });
      }
    }
  } finally {
    source.close();
  }
  return found;
}
