// Times of points that come without one: that of their arrival, or one tick after the newest point of their tag where that
// is not later. They stay in the order in which they came, however many come in a millisecond and wherever the clock is.

import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { Tag } from '../tag/tag.ts';
import {
  type Instant,
  oneTickAfter,
  type PointBatch,
  type PointColumns,
  type PointRun,
  SERVER_TIME,
} from '../types.ts';

/** To be called in the dataset's order of requests (D15), before the points are put in order of time. */
export function giveServerTimes(tags: DatasetTags, { points, runs }: PointBatch): void {
  for (const run of runs) {
    if (run.stamped === 0) continue;
    giveTimes(points, [run.start, run.start + run.count], newestOf(tags, run));
  }
}

function newestOf({ names }: DatasetTags, { tag, name }: PointRun): Instant | undefined {
  const found = tag instanceof Tag && !tag.deleted && !tag.leaving ? tag : names.find(name);
  return found?.accepted;
}

/** Points with a time of their own count as if they had come one by one, too. */
function giveTimes(
  { timesMs, ticks }: PointColumns,
  [start, end]: readonly [start: number, end: number],
  before: Instant | undefined,
): void {
  let newest = before;
  for (let i = start; i < end; i++) {
    let ms = timesMs[i] as number;
    if (ticks[i] === SERVER_TIME) {
      const isLater = newest === undefined || ms > newest.ms;
      const time: Instant = isLater || newest === undefined ? { ms, ticks: 0 } : oneTickAfter(newest);
      ms = time.ms;
      timesMs[i] = ms;
      ticks[i] = time.ticks;
    }
    const after = ticks[i] as number;
    if (newest === undefined || ms > newest.ms || (ms === newest.ms && after > newest.ticks))
      newest = { ms, ticks: after };
  }
}
