// Where in time the deleted points of a tag lie: a sink that knows points by their times cannot go by ordinals.

import {
  type DeletedOrdinals,
  type FollowedTag,
  type Following,
  type Instant,
  PointColumns,
} from '../../engine/index.ts';
import type { CutOrdinals } from '../sink.ts';

const ONE_POINT = { points: 1, characters: 1 };

/** The deleted ordinals of a tag, each with the time of the last point before them that is still there. */
export function withCutTimes(following: Following, { id, deleted }: FollowedTag): CutOrdinals[] {
  return deleted.map((range) => {
    const last = lastKeptBefore(range.from, deleted);
    const after = last < 0 ? null : timeOf(following, id, last);
    return after === undefined ? range : { ...range, after };
  });
}

/** An ordinal; -1 where all before are deleted. */
function lastKeptBefore(from: number, deleted: readonly DeletedOrdinals[]): number {
  let last = from - 1;
  for (;;) {
    const covering = deleted.find((range) => range.from <= last && last < range.to);
    if (covering === undefined) return last;
    last = covering.from - 1;
  }
}

/** Undefined where purge has taken the point. */
function timeOf(following: Following, id: number, ordinal: number): Instant | undefined {
  const points = new PointColumns(1);
  const { count, start, firstOrdinal } = following.readPoints(id, ordinal, ONE_POINT, points);
  if (count === 0 || firstOrdinal !== ordinal) return undefined;
  return { ms: points.timesMs[start] as number, ticks: points.ticks[start] as number };
}
