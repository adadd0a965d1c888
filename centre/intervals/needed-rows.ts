// The points that functions need of a tag: those of the range, from the last usable one before it to the first one behind it.
// The engine at the edge that wrote them needs the same points.

import {
  type Instant,
  isUsable,
  justBefore,
  justBehind,
  LAST_INSTANT,
  MAX_SEARCHED_POINTS,
  type NeededPoints,
  type PointChunk,
  statusOf,
  type TagCursor,
  type TakePoints,
} from '../../engine/index.ts';
import type { RowPoint } from '../points/readable-rows.ts';
import type { TagPoints } from '../points/tag-points.ts';

/** Rows behind a range that are asked for first. */
const FIRST_BEHIND = 16;

/** Whether more points are wanted. */
type Taken = 'more' | 'enough';

/** Beginning of the points that are needed. */
export interface Beginning {
  readonly start: Instant;
  readonly firstOrdinal: number;
  /** Ordinal of the newest point before the range. */
  readonly ordinalBefore?: number | undefined;
}

export async function findBeginning(
  points: TagPoints,
  { start, rules, usableBefore }: NeededPoints,
): Promise<Beginning> {
  let located: RowPoint | undefined;
  let first: RowPoint | undefined;
  let usable = 0;
  let searched = 0;
  for await (const point of points.newestFirst(justBefore(start))) {
    located ??= point;
    const status = statusOf(point.points.qualities[point.index] as number, point.points.nulls[point.index] !== 0);
    if (isUsable(rules, status)) {
      first = point;
      usable++;
    }
    if (usable === usableBefore || ++searched > MAX_SEARCHED_POINTS) break;
  }
  const ordinalBefore = located?.ordinal;
  if (first) return { start: first, firstOrdinal: 0, ordinalBefore };
  return located ? { start: located, firstOrdinal: located.ordinal, ordinalBefore } : { start, firstOrdinal: 0 };
}

/** Gives the points of a cursor until there are enough, and closes it. */
export async function takeAll(
  cursor: TagCursor,
  { slicer, isAborted }: NeededPoints,
  take: (chunk: PointChunk) => Promise<Taken>,
): Promise<void> {
  try {
    for (let chunk = await cursor.next(); chunk && !isAborted(); chunk = await cursor.next()) {
      if ((await take(chunk)) === 'enough') return;
      const pause = slicer.pause();
      if (pause) await pause;
    }
  } finally {
    cursor.close();
  }
}

/** Reads the points from a beginning to the end of the range. */
export async function readFrom(
  points: TagPoints,
  needed: NeededPoints,
  from: Beginning,
  take: TakePoints,
): Promise<void> {
  const cursor = points.open({ ...from, end: needed.end, limit: undefined });
  await takeAll(cursor, needed, async (chunk) => {
    await take(chunk);
    return 'more';
  });
}

/** Nearly always one of the first points is enough, and a query for these does not begin to sort all of them. */
export async function readBehind(points: TagPoints, needed: NeededPoints, take: TakePoints): Promise<void> {
  const range = { start: justBehind(needed.end), end: LAST_INSTANT, firstOrdinal: 0, limit: undefined };
  if (points.isItsRows) {
    const first: PointChunk[] = [];
    const cursor = points.open({ ...range, source: points.rowsWithin([range], FIRST_BEHIND) });
    if ((await takeBehind(cursor, needed, async (chunk) => void first.push(chunk))) === 'enough') {
      for (const chunk of first) await take(chunk);
      return;
    }
  }
  await takeBehind(points.open(range), needed, take);
}

async function takeBehind(cursor: TagCursor, needed: NeededPoints, take: TakePoints): Promise<Taken> {
  let searched = 0;
  let taken: Taken = 'more';
  await takeAll(cursor, needed, async (chunk) => {
    const found = needed.needsUsableBehind ? firstUsable(needed, chunk) : chunk.start;
    await take({ ...chunk, end: Math.min(chunk.end, found + 1) });
    searched += chunk.end - chunk.start;
    taken = found < chunk.end || searched > MAX_SEARCHED_POINTS ? 'enough' : 'more';
    return taken;
  });
  return taken;
}

/** The end of the chunk when there is none. */
function firstUsable({ rules }: NeededPoints, { points, start, end }: PointChunk): number {
  let i = start;
  while (i < end && !isUsable(rules, statusOf(points.qualities[i] as number, points.nulls[i] !== 0))) i++;
  return i;
}
