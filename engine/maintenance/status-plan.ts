// Decides which statuses of a request are stored, and at which times. None is ever ignored: one that is not later than the
// newest comes one tick after it, and what was posted last is the state. What is there already is repeated.

import type { Dataset } from '../dataset/dataset.ts';
import { LatePoints } from '../ingest/late-points.ts';
import type { Tag } from '../tag/tag.ts';
import { compareInstants, type Instant, PointColumns, type StatusPoint, TICKS_PER_MS, ValueType } from '../types.ts';

export const StatusQuality = { Good: 192, StoreForward: 64, Shutdown: 28, SourceLost: 24 } as const;

/** Equal heartbeats are stored at most this often. */
const HEARTBEAT_STORE_MS = 60_000;
/** So many statuses of one time, one tick behind the other, are known as such. */
const MOST_OF_ONE_TIME = TICKS_PER_MS;
/** So many of an earlier time are looked at for one that is sent again. */
const MOST_OF_THE_PAST = 16;

export interface PlannedStatus extends Instant {
  readonly quality: number;
}

export class StatusPlan {
  readonly stored: PlannedStatus[] = [];
  repeatedCount = 0;
  /** What the collector said about the present, in its order: all but what was sent again of an earlier time. */
  readonly signs: number[] = [];
  readonly #dataset: Dataset;
  readonly #tag: Tag;
  readonly #receipt: Instant;
  #newest: PlannedStatus | undefined;
  /** Of the statuses that follow each other by a tick, up to the newest: they are of one time. */
  #firstOfNewest: Instant | undefined;
  #late: LatePoints | undefined;
  readonly #one = columnsOf([{ ms: 0, ticks: 0, quality: 0 }]);

  constructor(dataset: Dataset, tag: Tag, statuses: readonly StatusPoint[]) {
    this.#dataset = dataset;
    this.#tag = tag;
    this.#receipt = { ms: dataset.context.clock.nowMs(), ticks: 0 };
    this.#newest = tag.accepted;
    for (let first = 0; first < statuses.length; ) {
      const behind = endOfTime(statuses, first);
      if (this.#isSentAgain(statuses, first, behind)) this.#repeat(statuses, first, behind);
      else for (let i = first; i < behind; i++) this.#add(statuses[i] as StatusPoint);
      first = behind;
    }
  }

  #repeat(statuses: readonly StatusPoint[], first: number, behind: number): void {
    this.repeatedCount += behind - first;
    for (let i = first; i < behind; i++) this.signs.push((statuses[i] as StatusPoint).quality);
  }

  #add({ time, quality }: StatusPoint): void {
    if (time && this.#isOfThePast(time, quality)) {
      this.repeatedCount++;
      return;
    }
    this.signs.push(quality);
    const newest = this.#newest;
    const wanted = time ?? this.#receipt;
    const isLater = !newest || compareInstants(wanted, newest) > 0;
    const at = isLater ? wanted : oneTickAfter(newest);
    if (newest?.quality === quality && (!isLater || isBeatOfTheMinute(newest, at))) {
      this.repeatedCount++;
      return;
    }
    if (isLater) this.#firstOfNewest = at;
    else this.#firstOfNewest ??= this.#findFirstOfNewest(newest);
    this.#newest = { ms: at.ms, ticks: at.ticks, quality };
    this.stored.push(this.#newest);
  }

  /** Whether statuses `[first, behind)` of one time are the last ones stored for it: a request that was sent again. */
  #isSentAgain(statuses: readonly StatusPoint[], first: number, behind: number): boolean {
    const newest = this.#newest;
    const { time } = statuses[first] as StatusPoint;
    if (behind - first < 2 || !time || !newest || this.stored.length > 0 || !this.#isOfNewest(time, newest))
      return false;
    let place: Instant = newest;
    for (let i = behind - 1; i >= first; i--) {
      const { quality } = statuses[i] as StatusPoint;
      if (statuses[i + 1]?.quality === quality && i + 1 < behind) continue; // equal ones are stored once
      if (compareInstants(place, time) < 0) return quality === StatusQuality.Good; // left out as one of many heartbeats
      if (!this.#isStored(place, quality)) return false;
      place = oneTickBefore(place);
    }
    return true;
  }

  /** Whether a status was stored for its time, and others of a later time since: it does not come back as the state. */
  #isOfThePast(time: Instant, quality: number): boolean {
    const newest = this.#newest;
    if (!newest || this.#isOfNewest(time, newest) || compareInstants(time, newest) > 0) return false;
    let place = time;
    for (let i = 0; i < MOST_OF_THE_PAST && this.#lateStatuses().hasTime(place); i++) {
      if (this.#isStored(place, quality)) return true;
      place = oneTickAfter(place);
    }
    return false;
  }

  #isOfNewest(time: Instant, newest: PlannedStatus): boolean {
    if (compareInstants(time, newest) > 0) return false;
    this.#firstOfNewest ??= this.#findFirstOfNewest(newest);
    return compareInstants(time, this.#firstOfNewest) >= 0;
  }

  #findFirstOfNewest(newest: PlannedStatus): Instant {
    let first: Instant = newest;
    for (let i = 1; i < MOST_OF_ONE_TIME; i++) {
      const before = oneTickBefore(first);
      if (!this.#lateStatuses().hasTime(before)) break;
      first = before;
    }
    return first;
  }

  #isStored({ ms, ticks }: Instant, quality: number): boolean {
    const one = this.#one;
    one.timesMs[0] = ms;
    one.ticks[0] = ticks;
    one.qualities[0] = quality;
    return this.#lateStatuses().has(one, 0, ValueType.Open);
  }

  /** What was stored before this request. */
  #lateStatuses(): LatePoints {
    this.#late ??= new LatePoints(this.#dataset, this.#tag);
    return this.#late;
  }
}

/** Behind the statuses from `first` on that carry the same time. */
function endOfTime(statuses: readonly StatusPoint[], first: number): number {
  const { time } = statuses[first] as StatusPoint;
  let behind = first + 1;
  for (; behind < statuses.length; behind++) {
    const next = (statuses[behind] as StatusPoint).time;
    if (!time || !next || compareInstants(time, next) !== 0) break;
  }
  return behind;
}

function isBeatOfTheMinute({ quality, ms }: PlannedStatus, at: Instant): boolean {
  return quality === StatusQuality.Good && at.ms - ms < HEARTBEAT_STORE_MS;
}

function oneTickAfter({ ms, ticks }: Instant): Instant {
  return ticks + 1 < TICKS_PER_MS ? { ms, ticks: ticks + 1 } : { ms: ms + 1, ticks: 0 };
}

function oneTickBefore({ ms, ticks }: Instant): Instant {
  return ticks > 0 ? { ms, ticks: ticks - 1 } : { ms: ms - 1, ticks: TICKS_PER_MS - 1 };
}

/** Statuses as points. */
export function columnsOf(statuses: readonly PlannedStatus[]): PointColumns {
  const points = new PointColumns(Math.max(1, statuses.length));
  points.count = statuses.length;
  for (const [i, { ms, ticks, quality }] of statuses.entries()) {
    points.timesMs[i] = ms;
    points.ticks[i] = ticks;
    points.qualities[i] = quality;
    points.nulls[i] = 1;
  }
  return points;
}
