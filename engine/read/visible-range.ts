// Which of a tag's points may be read: purge hides those before the retention cutoff, except the newest at or before it (D9),
// and deletions hide ranges of ordinals.

import { Amendment, justBefore } from '../corrections/amendment.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetFiles } from '../dataset/dataset-files.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { headParts } from '../head/head.ts';
import { releaseColumns, takeColumns } from '../points/spare-columns.ts';
import { firstAfter } from '../points/time-search.ts';
import { holdsAll, isInRanges, touchesRanges } from '../tag/deleted-ranges.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { compareTime, type Tag } from '../tag/tag.ts';
import { compareInstants, type Instant, type PointColumns, type ValueType } from '../types.ts';
import { BlockReader, type BlockSource, blocksOf, indexOf } from './block-sources.ts';

/** Time and ordinal of a point. */
export interface LocatedPoint extends Instant {
  readonly ordinal: number;
  /** The point itself, if it is certain that no point between it and the requested time is lost. */
  readonly point?: NewestPoint;
}

/** Whether an ordinal is in a deleted range. */
export function isDeleted(tag: Tag, ordinal: number): boolean {
  return isInRanges(tag.deletedRanges, ordinal);
}

/** Whether a deleted range overlaps a block: the times in its header then do not describe the remaining points. */
export function touchesDeleted(
  tag: Tag,
  entry: { readonly firstOrdinal: number; readonly ordinalCount: number },
): boolean {
  return touchesRanges(tag.deletedRanges, entry.firstOrdinal, entry.firstOrdinal + entry.ordinalCount);
}

/** Whether nothing of a block is left. */
export function isDeletedWhole(
  tag: Tag,
  { firstOrdinal, ordinalCount }: { readonly firstOrdinal: number; readonly ordinalCount: number },
): boolean {
  return holdsAll(tag.deletedRanges, firstOrdinal, firstOrdinal + ordinalCount);
}

/** The retention cutoff that applies to a tag; -Infinity when nothing is purged, as of the log of corrections. */
export function retentionCutoffMs(dataset: Dataset, tag: Tag): number {
  if (tag.id === SystemTagId.Corrections) return Number.NEGATIVE_INFINITY;
  return tag.isSystem ? dataset.cutoffs.systemMs : dataset.cutoffs.userMs;
}

/** The first readable ordinal: that of the newest point at or before the cutoff, or the one left by an earlier cutoff. */
export function firstVisibleOrdinal(dataset: Dataset, tag: Tag): number {
  return firstRemainingOrdinal(dataset, tag, retentionCutoffMs(dataset, tag));
}

/** The first readable ordinal for a given cutoff. */
export function firstRemainingOrdinal(dataset: Dataset, tag: Tag, cutoffMs: number): number {
  if (tag.isLate) return firstRemainingLate(dataset, tag, cutoffMs);
  return Math.max(tag.purgedOrdinal, locateKept(dataset, tag, cutoffMs)?.ordinal ?? 0);
}

/** The point that a cutoff keeps of a tag whose points are in order: its newest at or before that; undefined for none. */
export function locateKept(dataset: Dataset, tag: Tag, cutoffMs: number): LocatedPoint | undefined {
  if (cutoffMs === Number.NEGATIVE_INFINITY || !(tag.oldestMs <= cutoffMs)) return undefined;
  return locateNewestUpTo(dataset, tag, { ms: cutoffMs, ticks: 0 });
}

/** Late points go a block at a time, those that came first first: as long as all of a block are before the cutoff. */
function firstRemainingLate(dataset: Dataset, late: Tag, cutoffMs: number): number {
  const first = Math.min(firstLeftInFiles(dataset, late, cutoffMs), firstLeftInSpills(dataset.files, late, cutoffMs));
  return Math.max(late.purgedOrdinal, first);
}

function firstLeftInFiles(dataset: Dataset, late: Tag, cutoffMs: number): number {
  let first = 0;
  for (const file of late.files) {
    if (file.missing || file.lastMs < cutoffMs) {
      first = Math.max(first, file.nextOrdinal);
      continue;
    }
    for (const { lastMs, firstOrdinal, ordinalCount } of indexOf(dataset, file)) {
      if (lastMs >= cutoffMs) return first;
      first = Math.max(first, firstOrdinal + ordinalCount);
    }
  }
  return first;
}

/** A spill may be all that holds points which a damaged file has lost. */
function firstLeftInSpills({ spills }: DatasetFiles, late: Tag, cutoffMs: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { index } of spills) {
    for (const { lastMs, firstOrdinal } of index.ofTag(late.id))
      if (lastMs >= cutoffMs) first = Math.min(first, firstOrdinal);
  }
  return first;
}

/**
 * The newest point at or before a time, whatever purge says. Unreadable blocks are skipped.
 * @param amendment points that it hides are left out
 */
export function locateNewestUpTo(
  dataset: Dataset,
  tag: Tag,
  end: Instant,
  amendment = Amendment.nothing,
): LocatedPoint | undefined {
  const points = takeColumns();
  const reader = new BlockReader(dataset);
  try {
    return locateUpTo({ dataset, tag, end, amendment, points, reader });
  } finally {
    reader.close();
    releaseColumns(points);
  }
}

/** A search for a point, with its buffers. */
interface Search {
  readonly dataset: Dataset;
  readonly tag: Tag;
  readonly end: Instant;
  readonly amendment: Amendment;
  readonly points: PointColumns;
  readonly reader: BlockReader;
}

function locateUpTo(search: Search): LocatedPoint | undefined {
  const { dataset, tag, end, points } = search;
  let newest: LocatedPoint | undefined;
  let behind = tag.nextOrdinal;
  for (const part of headParts(tag.head).reverse()) {
    points.clear();
    dataset.memory.arena.copy(part, 0, part.count, points);
    const located = lastUpTo(search, part.firstOrdinal, part.type);
    // During recovery the head may hold points that a spill has lost, and files the points after them.
    if (located && part.nextOrdinal === behind) return located;
    newest ??= located;
    if (part.nextOrdinal === behind) behind = part.firstOrdinal;
  }
  const sources = blocksOf(dataset, tag, (entry) => {
    if (isDeletedWhole(tag, entry)) return false;
    return (
      touchesDeleted(tag, entry) ||
      entry.firstMs < end.ms ||
      (entry.firstMs === end.ms && entry.firstTicks <= end.ticks)
    );
  });
  for (const source of sources.reverse()) {
    // Blocks may overlap: a tag file and a spill hold the same points for a while.
    const { firstOrdinal, ordinalCount } = source.entry;
    if (newest && firstOrdinal + ordinalCount <= newest.ordinal + 1) continue;
    const located = lastOfBlock(search, source);
    if (located && (!newest || located.ordinal > newest.ordinal)) newest = located;
  }
  return newest;
}

function lastOfBlock(search: Search, source: BlockSource): LocatedPoint | undefined {
  const { tag, end, amendment, points, reader } = search;
  const { entry } = source;
  if (entry.sizeBytes === 0) return undefined;
  const lastOrdinal = entry.firstOrdinal + entry.pointCount - 1;
  const before = entry.lastMs < end.ms || (entry.lastMs === end.ms && entry.lastTicks <= end.ticks);
  if (before && entry.pointCount === entry.ordinalCount && !isDeleted(tag, lastOrdinal)) {
    const last = { ms: entry.lastMs, ticks: entry.lastTicks, ordinal: lastOrdinal };
    const hidden = amendment.hiddenRangeOf(last, lastOrdinal);
    if (hidden === undefined) return last;
    if (!touchesDeleted(tag, entry) && compareTime(hidden.start, entry.firstMs, entry.firstTicks) <= 0)
      return undefined;
  }
  try {
    points.clear();
    const { type } = reader.read(source, points);
    return lastUpTo(search, entry.firstOrdinal, type);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

/** The last point at or before the end among points with consecutive ordinals from `firstOrdinal` on. */
function lastUpTo(search: Search, firstOrdinal: number, type: ValueType): LocatedPoint | undefined {
  const { tag, points, amendment } = search;
  if (tag.deletedRanges.length > 0) return lastBetweenDeleted(search, firstOrdinal);
  for (let until = search.end; ; ) {
    const i = firstAfter(points, 0, points.count, until) - 1;
    if (i < 0) return undefined;
    const located = locatedAt(points, i, firstOrdinal);
    const hidden = amendment.hiddenRangeOf(located, located.ordinal);
    // The next point is present as well: nothing can be lost between the two.
    if (!hidden) return i + 1 < points.count ? { ...located, point: newestFrom(points, i, type, undefined) } : located;
    until = justBefore(hidden.start);
  }
}

/** Point by point, because times step back behind a deleted range. */
function lastBetweenDeleted({ tag, points, end, amendment }: Search, firstOrdinal: number): LocatedPoint | undefined {
  let until = end;
  for (let i = points.count - 1; i >= 0; i--) {
    const located = locatedAt(points, i, firstOrdinal);
    if (compareInstants(located, until) > 0 || isDeleted(tag, located.ordinal)) continue;
    const hidden = amendment.hiddenRangeOf(located, located.ordinal);
    if (!hidden) return located;
    until = justBefore(hidden.start);
  }
  return undefined;
}

function locatedAt({ timesMs, ticks }: PointColumns, i: number, firstOrdinal: number): LocatedPoint {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number, ordinal: firstOrdinal + i };
}
