// Points that come too late for their tag, where the dataset accepts such: they become points of the tag's late points.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { DAY_MS } from '../limits.ts';
import { movePoint } from '../points/time-order.ts';
import { isBefore, type TimeRange } from '../points/time-search.ts';
import { firstLeft } from '../read/amended/readable-points.ts';
import { KnownPoints } from '../read/known-points.ts';
import { StoredLate } from '../read/late/stored-late.ts';
import { RemovedPoints } from '../read/removed-points.ts';
import { lateDefinition } from '../tag/late-tag.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { Tag } from '../tag/tag.ts';
import { ACCEPTED } from '../tag/tag-rows.ts';
import { type Instant, NOT_PLAIN, type PointColumns, type PointRun, type ValueType } from '../types.ts';
import { isUpTo } from './new-points.ts';
import { AcceptedRun } from './receipts.ts';

/** The late points of a run, and the rest of it. */
export interface SplitRun {
  readonly late: AcceptedRun;
  readonly rest: PointRun;
}

/**
 * Takes the late points of an ordered run: those that are accepted become a run of their own, the others are counted. Undefined
 * when none is late, or the dataset does not accept them.
 */
export function splitLate(
  dataset: Dataset,
  tag: Tag,
  points: PointColumns,
  run: PointRun,
  expiryMs: number,
): SplitRun | undefined {
  const { accepted } = tag;
  if (dataset.definition.late !== 'accept' || tag.isSystem || accepted === undefined) return undefined;
  const { start, count } = run;
  const behind = countLate(points, start, start + count, accepted);
  if (behind === 0) return undefined;
  const left = firstLeft(dataset, tag);
  const fromMs = earliestMs(dataset, accepted.ms);
  // Only a run without newer points may be one that was sent before. What slips through is read once all the same.
  const hasNewer =
    countLate(points, start + count - 1, start + count, accepted) === 0 && !isAt(points, start + count - 1, accepted);
  const range = { start: timeOf(points, start), end: timeOf(points, start + behind - 1) };
  const known = hasNewer ? undefined : new KnownLate(dataset, tag, range);
  const late = judge(dataset.tags, tag, points, { ...run, count: behind }, { expiryMs, left, fromMs, known });
  return { late, rest: { ...run, start: start + behind, count: count - behind, rejected: 0 } };
}

function countLate({ timesMs, ticks }: PointColumns, start: number, end: number, newest: NewestPoint): number {
  let i = start;
  while (i < end && ((timesMs[i] as number) - newest.ms || (ticks[i] as number) - newest.ticks) < 0) i++;
  return i - start;
}

function timeOf({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}

function isAt({ timesMs, ticks }: PointColumns, i: number, newest: NewestPoint): boolean {
  return timesMs[i] === newest.ms && ticks[i] === newest.ticks;
}

interface LateRules {
  /** Points up to it are purged. */
  readonly expiryMs: number;
  /** Points before it are purged, too. */
  readonly left: Instant | undefined;
  /** Earlier ones are ignored. */
  readonly fromMs: number;
  /** Undefined where none of the points is stored already. */
  readonly known: KnownLate | undefined;
}

/** Late points from this time on are accepted, as of a tag's newest point. */
export function earliestMs({ definition, context }: Dataset, newestMs: number): number {
  const { lateToleranceMs = 0, lateAgeDays = 0 } = definition;
  const byNewest = lateToleranceMs > 0 ? newestMs - lateToleranceMs : Number.NEGATIVE_INFINITY;
  const byAge = lateAgeDays > 0 ? context.clock.nowMs() - lateAgeDays * DAY_MS : Number.NEGATIVE_INFINITY;
  return Math.max(byNewest, byAge);
}

/** Moves the accepted ones of late points to the run's start. */
function judge(
  tags: DatasetTags,
  tag: Tag,
  points: PointColumns,
  run: PointRun,
  { expiryMs, left, fromMs, known }: LateRules,
): AcceptedRun {
  const { start, count, type } = run;
  const accepted = { written: 0, ignored: 0, repeated: 0, expired: 0 };
  for (let i = start; i < start + count; i++) {
    if (isUpTo(points, i, expiryMs) || (left && isBefore(points, i, left))) accepted.expired++;
    else if ((points.timesMs[i] as number) < fromMs) accepted.ignored++;
    else if (known?.has(points, i, type)) accepted.repeated++;
    else movePoint(points, i, start + accepted.written++);
  }
  return acceptedRun(tags, tag, run, accepted);
}

/** Finds late points of a run that are stored already. */
class KnownLate {
  readonly #dataset: Dataset;
  readonly #tag: Tag;
  readonly #inTime: KnownPoints;
  readonly #late: Tag | undefined;
  readonly #range: TimeRange;
  #stored: StoredLate | undefined;

  constructor(dataset: Dataset, tag: Tag, range: TimeRange) {
    this.#dataset = dataset;
    this.#tag = tag;
    this.#inTime = new KnownPoints(dataset, tag, 'memory');
    this.#late = dataset.tags.late.get(tag.id);
    this.#range = range;
  }

  has(points: PointColumns, index: number, type: ValueType): boolean {
    if (this.#inTime.has(points, index, type)) return true;
    const late = this.#late;
    const [ms, ticks] = [points.timesMs[index] as number, points.ticks[index] as number];
    if (late === undefined || !this.#dataset.memory.recentLate.mayHave(late.id, ms, ticks)) return false;
    this.#stored ??= new StoredLate(this.#dataset, late, this.#range, new RemovedPoints(this.#dataset, this.#tag));
    return this.#stored.has(points, { index, type });
  }
}

function acceptedRun(
  tags: DatasetTags,
  tag: Tag,
  run: PointRun,
  counts: Pick<AcceptedRun, 'written' | 'ignored' | 'repeated' | 'expired'>,
): AcceptedRun {
  const known = tags.late.get(tag.id);
  const lateTag = known ?? (counts.written > 0 ? tags.add(lateDefinition(tag.id, run.type), undefined) : undefined);
  const late = Object.assign(new AcceptedRun(run, lateTag), counts);
  late.createsTag = lateTag !== known;
  late.count = counts.written;
  late.newest = undefined;
  if (lateTag) lateTag.acceptedOrdinal += late.count;
  return late;
}

/**
 * Divides batches in which some runs begin with late points, as sources send them that catch up: each such run becomes one of
 * late points and one of new ones, so that the fast path takes both. Benchmark: bench late.
 */
export class LateRuns {
  readonly #dataset: Dataset;
  readonly #points: PointColumns;
  readonly #expiryMs: number;
  readonly #runs: PointRun[] = [];

  /** @param expiryMs points up to here would be purged at once */
  constructor(dataset: Dataset, points: PointColumns, expiryMs: number) {
    this.#dataset = dataset;
    this.#points = points;
    this.#expiryMs = expiryMs;
  }

  /** Gives the divided runs; undefined when none has late points, or one is such as only the general path can take. */
  divide(given: readonly PointRun[]): readonly PointRun[] | undefined {
    for (const run of given) if (!this.#take(run)) return undefined;
    return this.#runs.length > given.length ? this.#runs : undefined;
  }

  #take(run: PointRun): boolean {
    const { tag, start, count, decimals = NOT_PLAIN } = run;
    if (!(tag instanceof Tag)) return false;
    const newestMs = newestOf(tag);
    const behind = decimals === NOT_PLAIN ? 0 : countBefore(this.#points, start, start + count, newestMs);
    if (behind === 0) {
      this.#runs.push(run);
      return true;
    }
    // A run without newer points may be one that is sent again: then each of its points has to be looked up.
    const late = behind < count ? this.#lateTagOf(tag) : undefined;
    if (
      late === undefined ||
      this.#points.baseMs + (this.#points.offsets[start] as number) < this.#floorMs(tag, newestMs)
    )
      return false;
    const rest = { ...run, start: start + behind, count: count - behind, rejected: 0 };
    this.#runs.push({ ...run, tag: late, count: behind }, rest);
    return true;
  }

  /** From it on all late points are accepted. */
  #floorMs(tag: Tag, newestMs: number): number {
    const leftMs = firstLeft(this.#dataset, tag)?.ms ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.#expiryMs + 1, leftMs + 1, earliestMs(this.#dataset, newestMs));
  }

  /** Undefined before the tag's first late points. */
  #lateTagOf(tag: Tag): Tag | undefined {
    const late = this.#dataset.tags.late.get(tag.id);
    return late?.visible ? late : undefined;
  }
}

function newestOf(tag: Tag): number {
  const newestMs = tag.rows[tag.row + ACCEPTED] as number;
  return Number.isNaN(newestMs) ? (tag.accepted?.ms ?? Number.NEGATIVE_INFINITY) : newestMs;
}

/** How many of the first points of a plain run are before a time. */
function countBefore({ baseMs, offsets }: PointColumns, start: number, end: number, timeMs: number): number {
  let i = start;
  while (i < end && baseMs + (offsets[i] as number) < timeMs) i++;
  return i - start;
}
