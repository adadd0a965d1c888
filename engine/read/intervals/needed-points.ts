// The points that the functions of a range need of a tag: from the last usable one before it to the first usable one behind it.

import { type AggregateRules, isUsable, statusOf } from '../../aggregates/input/aggregate-rules.ts';
import { justBefore, justBehind } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { MAX_SEARCHED_POINTS } from '../../limits.ts';
import type { PointChunk, ReadGap } from '../../reads.ts';
import { compareTime, type Tag } from '../../tag/tag.ts';
import { FIRST_INSTANT, type Instant, LAST_INSTANT } from '../../types.ts';
import { openPoints } from '../amended/open-points.ts';
import { overlayOf } from '../amended/overlay.ts';
import { newestReadable, readableUpTo } from '../amended/readable-points.ts';
import { checkStillThere } from '../asked-tags.ts';
import type { Beginning, TakesUnread } from '../tag-cursor.ts';
import { firstVisibleOrdinal } from '../visible-range.ts';
import type { NeededPoints, TakePoints } from './task-source.ts';

/** Points that are looked through first before the range, and how much more each time nothing was found. */
const FIRST_SEARCHED = 64;
const SEARCH_GROWTH = 16;
/** Points that are taken before others have a turn. */
const POINTS_AT_ONCE = 4096;

export interface PointNeeds extends NeededPoints {
  readonly dataset: Dataset;
  readonly tag: Tag;
  /** For blocks whose points are not needed. */
  readonly takesUnread?: TakesUnread;
}

/** Whether more points are wanted. */
type Taken = 'more' | 'enough';

/** Gives the points to `take`, in time order, a part at a time; what could not be read among them. */
export async function readNeededPoints(needs: PointNeeds, take: TakePoints): Promise<readonly ReadGap[]> {
  const { dataset, tag, end } = needs;
  checkStillThere(dataset);
  const newest = tag.deleted ? undefined : newestReadable(dataset, tag);
  if (newest === undefined) return [];
  const from = await findBeginning(needs);
  const takeAll = (chunk: PointChunk): Taken | Promise<Taken> => take(chunk)?.then(() => 'more' as const) ?? 'more';
  const gaps = await readRange(needs, { ...from, end }, takeAll, needs.takesUnread);
  if (!tag.deleted && compareTime(newest, end.ms, end.ticks) > 0) await readBehind(needs, take);
  return gaps;
}

/** Calls `take` with parts of bounded length until it has enough. */
async function readRange(
  { dataset, tag, slicer, isAborted }: PointNeeds,
  range: Beginning & { readonly end: Instant },
  take: (chunk: PointChunk) => Taken | Promise<Taken>,
  takesUnread?: TakesUnread,
): Promise<readonly ReadGap[]> {
  checkStillThere(dataset);
  const cursor = openPoints(dataset, tag, { ...range, limit: undefined }, takesUnread);
  try {
    for (let chunk = cursor.next(); chunk !== undefined && !isAborted(); chunk = cursor.next()) {
      for (let start = chunk.start; start < chunk.end; start += POINTS_AT_ONCE) {
        const taking = take({ ...chunk, start, end: Math.min(chunk.end, start + POINTS_AT_ONCE) });
        if ((typeof taking === 'string' ? taking : await taking) === 'enough') return cursor.outcome().gaps;
        const pause = slicer.pause();
        if (pause !== undefined) await pause;
      }
      // An empty chunk stands for a block that was not decoded.
      const pause = chunk.start === chunk.end ? slicer.pause() : undefined;
      if (pause !== undefined) await pause;
    }
    return cursor.outcome().gaps;
  } finally {
    cursor.close();
  }
}

/** The last usable points before the start: looked for in ever longer stretches of ordinals. */
async function findBeginning(needs: PointNeeds): Promise<Beginning> {
  const { dataset, tag, usableBefore } = needs;
  const visible = firstVisibleOrdinal(dataset, tag);
  const end = justBefore(needs.start);
  const located = readableUpTo(dataset, tag, end, visible);
  if (!located) return { start: needs.start, firstOrdinal: visible };
  let firstOrdinal = located.storedOrdinal;
  let first: Instant | undefined;
  // Points of corrections, and late ones, may lie before the first stored one.
  let isWorthwhile = firstOrdinal > visible || overlayOf(dataset, tag) !== undefined;
  for (let count = FIRST_SEARCHED; isWorthwhile && count <= MAX_SEARCHED_POINTS; count *= SEARCH_GROWTH) {
    firstOrdinal = Math.max(visible, located.storedOrdinal - count);
    const found: Instant[] = [];
    await readRange(needs, { start: FIRST_INSTANT, firstOrdinal, end }, (chunk) => {
      keepLastUsable(needs, chunk, found);
      return 'more';
    });
    first = found[0];
    isWorthwhile = found.length < usableBefore && firstOrdinal > visible;
  }
  // The newest point still says that there was something when nothing is usable.
  if (first !== undefined) return { start: first, firstOrdinal };
  return located.beginning;
}

/** Notes the times of the chunk's last usable points behind those of earlier chunks. */
function keepLastUsable(
  { rules, usableBefore }: PointNeeds,
  { points, start, end }: PointChunk,
  found: Instant[],
): void {
  const last: Instant[] = [];
  for (let i = end - 1; i >= start && last.length < usableBefore; i--) {
    if (!isUsable(rules, statusOf(points.qualities[i] as number, points.nulls[i] !== 0))) continue;
    last.unshift({ ms: points.timesMs[i] as number, ticks: points.ticks[i] as number });
  }
  found.push(...last);
  found.splice(0, Math.max(0, found.length - usableBefore));
}

async function readBehind(needs: PointNeeds, take: TakePoints): Promise<void> {
  const firstOrdinal = firstVisibleOrdinal(needs.dataset, needs.tag);
  const range = { start: justBehind(needs.end), end: LAST_INSTANT, firstOrdinal };
  let searched = 0;
  await readRange(needs, range, (chunk) => {
    const found = needs.needsUsableBehind ? firstUsable(needs.rules, chunk) : chunk.start;
    const taking = take({ ...chunk, end: Math.min(chunk.end, found + 1) });
    searched += chunk.end - chunk.start;
    const taken = found < chunk.end || searched > MAX_SEARCHED_POINTS ? 'enough' : 'more';
    return taking === undefined ? taken : taking.then(() => taken);
  });
}

/** The end of the chunk when there is none. */
function firstUsable(rules: AggregateRules, { points, start, end }: PointChunk): number {
  let i = start;
  while (i < end && !isUsable(rules, statusOf(points.qualities[i] as number, points.nulls[i] !== 0))) i++;
  return i;
}
