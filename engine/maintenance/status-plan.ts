// Decides which statuses of a request are stored, and at which times. None is ignored as late: one that is not later than
// the newest is stored one tick after it, and the status posted last is the state. One that is stored already is repeated.

import type { Dataset } from '../dataset/dataset.ts';
import { KnownPoints } from '../read/known-points.ts';
import type { Tag } from '../tag/tag.ts';
import {
  compareInstants,
  type Instant,
  oneTickAfter,
  oneTickBefore,
  PointColumns,
  type StatusPoint,
  TICKS_PER_MS,
  ValueType,
} from '../types.ts';

export const StatusQuality = { Good: 192, StoreForward: 64, Shutdown: 28, SourceLost: 24 } as const;

/** Equal heartbeats are stored at most this often. */
const HEARTBEAT_STORE_MS = 60_000;
/** Statuses posted for one time are stored one tick apart; most that are recognised as such. */
const MOST_OF_ONE_TIME = TICKS_PER_MS;
/** Most statuses of an earlier time that are compared with one that is sent again. */
const MOST_OF_THE_PAST = 16;

export interface PlannedStatus extends Instant {
  readonly quality: number;
}

export class StatusPlan {
  readonly stored: PlannedStatus[] = [];
  repeatedCount = 0;
  /** The statuses about the present, in order: all except repetitions of an earlier time. */
  readonly signs: number[] = [];
  readonly #dataset: Dataset;
  readonly #tag: Tag;
  readonly #receipt: Instant;
  #newest: PlannedStatus | undefined;
  /** Time of the first of the statuses that are one tick apart, up to the newest: they were posted for one time. */
  #firstOfNewest: Instant | undefined;
  #late: KnownPoints | undefined;
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

  /** Whether statuses `[first, behind)` of one time equal the last ones stored for it: the request was sent again. */
  #isSentAgain(statuses: readonly StatusPoint[], first: number, behind: number): boolean {
    const newest = this.#newest;
    const { time } = statuses[first] as StatusPoint;
    if (behind - first < 2 || !time || !newest || this.stored.length > 0 || !this.#isOfNewest(time, newest))
      return false;
    let instant: Instant = newest;
    for (let i = behind - 1; i >= first; i--) {
      const { quality } = statuses[i] as StatusPoint;
      if (statuses[i + 1]?.quality === quality && i + 1 < behind) continue; // equal ones are stored once
      if (compareInstants(instant, time) < 0) return quality === StatusQuality.Good; // left out as one of many heartbeats
      if (!this.#isStored(instant, quality)) return false;
      instant = oneTickBefore(instant);
    }
    return true;
  }

  /** Whether a status was stored for its time, and later ones since: sent again, it must not become the state. */
  #isOfThePast(time: Instant, quality: number): boolean {
    const newest = this.#newest;
    if (!newest || this.#isOfNewest(time, newest) || compareInstants(time, newest) > 0) return false;
    let instant = time;
    for (let i = 0; i < MOST_OF_THE_PAST && this.#lateStatuses().hasTime(instant); i++) {
      if (this.#isStored(instant, quality)) return true;
      instant = oneTickAfter(instant);
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

  /** The points stored before this request. */
  #lateStatuses(): KnownPoints {
    this.#late ??= new KnownPoints(this.#dataset, this.#tag, 'newest-block');
    return this.#late;
  }
}

/** Index after the statuses from `first` on that have the same time. */
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

/** Converts statuses to points. */
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
