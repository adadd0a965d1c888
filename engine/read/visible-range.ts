// What part of a tag's points may be read at all: purge hides those before the cut, but for the newest at or before it
// (D9), and cuts hide stretches of ordinals.

import type { Dataset } from '../dataset/dataset.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { headParts } from '../head/head.ts';
import { giveColumns, takeColumns } from '../points/spare-columns.ts';
import { firstBehind } from '../points/time-search.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { compareTime, type Tag } from '../tag/tag.ts';
import type { Instant, PointColumns, ValueType } from '../types.ts';
import { BlockReader, type BlockSource, blocksOf } from './block-sources.ts';

/** A point's place in a tag's life. */
export interface PointPlace extends Instant {
  readonly ordinal: number;
  /** The point itself, where it is certain that nothing between it and the time asked for is lost. */
  readonly point?: NewestPoint;
}

/** Whether a cut has taken an ordinal away. */
export function isDeleted(tag: Tag, ordinal: number): boolean {
  for (const range of tag.deletedRanges) if (ordinal >= range.from && ordinal < range.to) return true;
  return false;
}

/** Whether a cut has taken points of a block: its times then say nothing about those that are left. */
export function touchesDeleted(
  tag: Tag,
  entry: { readonly firstOrdinal: number; readonly ordinalCount: number },
): boolean {
  const end = entry.firstOrdinal + entry.ordinalCount;
  return tag.deletedRanges.some((range) => range.from < end && range.to > entry.firstOrdinal);
}

/** The cut time of purge that applies to a tag; -Infinity when nothing is purged. */
export function retentionCutoffMs(dataset: Dataset, tag: Tag): number {
  return tag.isSystem ? dataset.cutoffs.systemMs : dataset.cutoffs.userMs;
}

/** The first ordinal that may be read: that of the newest point at or before the purge cut, or where an earlier cut left off. */
export function firstVisibleOrdinal(dataset: Dataset, tag: Tag): number {
  return firstOrdinalLeft(dataset, tag, retentionCutoffMs(dataset, tag));
}

/** The same for a cut at some time. */
export function firstOrdinalLeft(dataset: Dataset, tag: Tag, cutoffMs: number): number {
  const { purgedOrdinal } = tag;
  if (cutoffMs === Number.NEGATIVE_INFINITY || !(tag.oldestMs <= cutoffMs)) return purgedOrdinal;
  return Math.max(purgedOrdinal, newestPlaceUpTo(dataset, tag, { ms: cutoffMs, ticks: 0 })?.ordinal ?? 0);
}

/** The newest point at or before a time, whatever purge says. Blocks that cannot be read are passed over. */
export function newestPlaceUpTo(dataset: Dataset, tag: Tag, end: Instant): PointPlace | undefined {
  const points = takeColumns();
  const reader = new BlockReader(dataset);
  try {
    return placeUpTo({ dataset, tag, end, points, reader });
  } finally {
    reader.close();
    giveColumns(points);
  }
}

/** A search for a point, with what it reads into. */
interface Search {
  readonly dataset: Dataset;
  readonly tag: Tag;
  readonly end: Instant;
  readonly points: PointColumns;
  readonly reader: BlockReader;
}

function placeUpTo(search: Search): PointPlace | undefined {
  const { dataset, tag, end, points } = search;
  let newest: PointPlace | undefined;
  let behind = tag.nextOrdinal;
  for (const part of headParts(tag.head).reverse()) {
    points.clear();
    dataset.arena.copy(part, 0, part.count, points);
    const place = lastUpTo(search, part.firstOrdinal, part.type);
    // While a tag is recovered its head may also hold what a spill has lost, and files the points behind that.
    if (place && part.nextOrdinal === behind) return place;
    newest ??= place;
    if (part.nextOrdinal === behind) behind = part.firstOrdinal;
  }
  const sources = blocksOf(dataset, tag, (entry) => {
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
    const place = lastOfBlock(search, source);
    if (place && (!newest || place.ordinal > newest.ordinal)) newest = place;
  }
  return newest;
}

function lastOfBlock(search: Search, source: BlockSource): PointPlace | undefined {
  const { tag, end, points, reader } = search;
  const { entry } = source;
  if (entry.sizeBytes === 0) return undefined;
  const lastOrdinal = entry.firstOrdinal + entry.pointCount - 1;
  const before = entry.lastMs < end.ms || (entry.lastMs === end.ms && entry.lastTicks <= end.ticks);
  if (before && entry.pointCount === entry.ordinalCount && !isDeleted(tag, lastOrdinal)) {
    return { ms: entry.lastMs, ticks: entry.lastTicks, ordinal: lastOrdinal };
  }
  try {
    points.clear();
    const { type } = reader.read(source, points);
    return lastUpTo(search, entry.firstOrdinal, type);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

/** Of a stretch of points with consecutive ordinals, from `firstOrdinal` on. */
function lastUpTo({ tag, points, end }: Search, firstOrdinal: number, type: ValueType): PointPlace | undefined {
  if (tag.deletedRanges.length > 0) return lastBetweenDeleted(tag, points, firstOrdinal, end);
  const i = firstBehind(points, 0, points.count, end) - 1;
  if (i < 0) return undefined;
  const place = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number, ordinal: firstOrdinal + i };
  // The point behind it is here as well: nothing can be lost between the two.
  return i + 1 < points.count ? { ...place, point: newestFrom(points, i, type, undefined) } : place;
}

/** Point by point: where a cut has been, times step back. */
function lastBetweenDeleted(
  tag: Tag,
  points: PointColumns,
  firstOrdinal: number,
  end: Instant,
): PointPlace | undefined {
  for (let i = points.count - 1; i >= 0; i--) {
    const place = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number, ordinal: firstOrdinal + i };
    if (compareTime(place, end.ms, end.ticks) <= 0 && !isDeleted(tag, place.ordinal)) return place;
  }
  return undefined;
}
