// Times of points that the edge has kept, and the late points that removals have left: for a sink that has to find in time
// what was removed by ordinals.

import {
  compareInstants,
  type DeletedOrdinals,
  type FollowedPoints,
  type Following,
  type Instant,
  PointColumns,
} from '../../engine/index.ts';
import { CORRECTIONS_TAG, LogEntries, type LoggedCut } from '../log-entries.ts';
import type { KeptPoints, TagDocument } from '../sink.ts';
import { turn } from '../turns.ts';

const ONE_POINT = { points: 1, characters: 1 };
/** Points that are read before others may have a turn, and characters of their texts. */
const POINTS_AT_ONCE = 4096;
const CHARACTERS_AT_ONCE = 2 ** 18;

export class PointsOfEdge implements KeptPoints {
  readonly #following: Following;
  /** Read as far as it was needed. */
  readonly #log = new LogEntries(0);
  /** Cuts of each tag, in order of their times and of the ordinals that they take points below: others take nothing more. */
  readonly #cuts = new Map<number, LoggedCut[]>();

  constructor(following: Following) {
    this.#following = following;
  }

  timeBefore({ id, deleted }: TagDocument, ordinal: number): Instant | null | undefined {
    const last = lastKeptBefore(ordinal, deleted);
    // All points of a tag that was deleted meanwhile are.
    if (last < 0 || this.#following.tag(id) === undefined) return null;
    const points = new PointColumns(1);
    const { count, start, firstOrdinal } = this.#following.readPoints(id, last, ONE_POINT, points);
    return count === 0 || firstOrdinal !== last ? undefined : timeAt(points, start);
  }

  async latestLate(lateId: number, ownerId: number, below: number): Promise<Instant | undefined> {
    await this.#readLog();
    const cuts = this.#cuts.get(ownerId) ?? [];
    let latest: Instant | undefined;
    let next = 0;
    await this.#read(lateId, { from: 0, to: below }, (points, { start, count, firstOrdinal }) => {
      for (let i = 0; i < count && firstOrdinal + i < below; i++) {
        while (next < cuts.length && (cuts[next] as LoggedCut).lateBelow <= firstOrdinal + i) next++;
        const time = timeAt(points, start + i);
        const cut = cuts[next];
        if (cut && compareInstants(cut.start, time) <= 0) continue;
        if (latest === undefined || compareInstants(time, latest) > 0) latest = time;
      }
    });
    return latest;
  }

  async #readLog(): Promise<void> {
    const range = { from: this.#log.next, to: this.#following.tag(CORRECTIONS_TAG)?.nextOrdinal ?? 0 };
    await this.#read(CORRECTIONS_TAG, range, (points, taken) => {
      for (const cut of this.#log.take({ points }, taken)) this.#note(cut);
    });
  }

  /** A cut of more late points, and from no later time on, takes all that an older one takes. */
  #note(cut: LoggedCut): void {
    const cuts = this.#cuts.get(cut.tagId) ?? [];
    while (cuts.length > 0 && compareInstants((cuts.at(-1) as LoggedCut).start, cut.start) >= 0) cuts.pop();
    cuts.push(cut);
    this.#cuts.set(cut.tagId, cuts);
  }

  /** Reads points with ordinals `[from, to)` in slices; a slice may have some behind them. */
  async #read(
    id: number,
    { from, to }: DeletedOrdinals,
    take: (points: PointColumns, taken: FollowedPoints) => void,
  ): Promise<void> {
    const points = new PointColumns(0);
    for (let at = from, next = from; at < to; at = next) {
      points.clear();
      const wanted = { points: Math.min(POINTS_AT_ONCE, to - at), characters: CHARACTERS_AT_ONCE };
      const taken = this.#following.readPoints(id, at, wanted, points);
      take(points, taken);
      next = taken.nextOrdinal;
      if (next <= at) return;
      const pause = turn();
      if (pause) await pause;
    }
  }
}

/** An ordinal; -1 where all before are deleted. The ranges are in order, and do not overlap. */
function lastKeptBefore(ordinal: number, deleted: readonly DeletedOrdinals[]): number {
  let last = ordinal - 1;
  let i = firstBehind(deleted, last);
  for (let range = deleted[i]; range && range.from <= last && last < range.to; range = deleted[--i])
    last = range.from - 1;
  return last;
}

/** The first of the ranges that ends behind an ordinal; their number without one. */
function firstBehind(deleted: readonly DeletedOrdinals[], ordinal: number): number {
  let low = 0;
  let high = deleted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((deleted[middle] as DeletedOrdinals).to > ordinal) high = middle;
    else low = middle + 1;
  }
  return low;
}

function timeAt({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
