// Completes each tag once files and journals have been read: its newest point, its next ordinal, and whether points are known
// to be lost.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetFiles } from '../dataset/dataset-files.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import type { TagFile } from '../files/tag-file.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { headParts } from '../head/head.ts';
import { blocksOf, readSource, tryRead } from '../read/block-sources.ts';
import { noteLostPoints } from '../read/missing-points.ts';
import {
  isDeleted,
  type LocatedPoint,
  locateNewestUpTo,
  retentionCutoffMs,
  touchesDeleted,
} from '../read/visible-range.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { newestFrom } from '../tag/stored-value.ts';
import type { Tag } from '../tag/tag.ts';
import { MAX_TIME_MS, PointColumns, TICKS_PER_MS, ValueType } from '../types.ts';
import { definitionOf, takeFiles } from './tag-file-recovery.ts';

/**
 * Rebuilds a tag whose definition is lost in catalog and journals: from the start of its newest tag file, else with a
 * generated name, because its points still exist.
 */
export function rebuildTag(dataset: Dataset, id: number, files: readonly TagFile[], type: ValueType): Tag {
  const newestFirst = files.toSorted((a, b) => b.number - a.number);
  const found = newestFirst.map((file) => definitionOf(dataset, file)).find((definition) => definition !== undefined);
  const isFree = found !== undefined && !dataset.tags.names.findPresent(found.name);
  const tag = dataset.tags.add(isFree ? found : { name: freeName(dataset.tags, id), type: found?.type ?? type }, id);
  tag.visible = true;
  tag.firstOrdinal = undefined;
  takeFiles(tag, files);
  const message = isFree
    ? `The definition of tag '${tag.name}' was found in one of its files only.`
    : `The definition of tag id ${id} is lost; its points are kept under the name '${tag.name}'.`;
  dataset.report('error', 'tag.rebuilt', message, { tag: tag.name, tagId: id });
  return tag;
}

function freeName(tags: DatasetTags, id: number): string {
  let name = `Recovered.${id}`;
  while (tags.names.findPresent(name)) name += "'";
  return name;
}

/** Rebuilds tags of files whose id is in no catalog and no journal; of tags with the same name the larger id gets it. */
export function rebuildTags(dataset: Dataset, unknownFiles: Map<number, TagFile[]>, firstId: number): Tag[] {
  const tags: Tag[] = [];
  for (const [id, files] of [...unknownFiles].sort(([a], [b]) => b - a)) {
    if (id < firstId) continue;
    tags.push(rebuildTag(dataset, id, files, ValueType.Open));
    unknownFiles.delete(id);
  }
  return tags;
}

/** Rebuilds tags that only a spill has left. */
export function rebuildSpilledTags(dataset: Dataset): Tag[] {
  const tags: Tag[] = [];
  for (const { index } of dataset.files.spills) {
    for (let i = 0; i < index.count; i++) {
      const id = index.tagId(i);
      if (!dataset.tags.byId.has(id) && !dataset.tags.tombstones.has(id))
        tags.push(rebuildTag(dataset, id, [], ValueType.Open));
    }
  }
  return tags;
}

/** Reports files that belong to no tag; they are kept. */
export function reportUnknownFiles(dataset: Dataset, unknownFiles: ReadonlyMap<number, TagFile[]>): void {
  for (const [id, files] of unknownFiles) {
    for (const file of files) {
      dataset.report(
        'warn',
        'file.unknown-tag',
        `A file of tag id ${id}, which is not in the catalog, is left alone.`,
        { path: file.path, tagId: id },
      );
    }
  }
}

/**
 * Completes one tag after a recovery; returns whether its head has points before those of a file: points that the file has
 * lost. `summary`: its files are listed in the catalog and need not be examined.
 */
export function finishTag(dataset: Dataset, tag: Tag, detail: 'summary' | 'exact'): { readonly fillsGap: boolean } {
  const flushed = tag.files.filter((file) => !file.missing);
  tag.flushedOrdinal = flushed.reduce((next, file) => Math.max(next, file.nextOrdinal), tag.firstOrdinal ?? 0);
  const parts = headParts(tag.head);
  const stored = storedOrdinal(dataset.files, tag);
  const held = parts.reduce((next, part) => Math.max(next, part.nextOrdinal), stored);
  const known = tag.nextOrdinal;
  tag.nextOrdinal = Math.max(
    known,
    held,
    tag.deletedRanges.reduce((next, deleted) => Math.max(next, deleted.to), 0),
  );
  if (!tag.isLate && (!tag.hasPoints || held > known)) tag.newest = findNewest(dataset, tag);
  tag.settle();
  if (Number.isNaN(tag.oldestMs)) tag.oldestMs = findOldestMs(dataset, tag);
  noteLostPoints(dataset, tag, detail);
  tag.sortFiles();
  return { fillsGap: parts.some((part) => part.count > 0 && part.firstOrdinal < stored) };
}

/** The ordinal after the last point in any file. */
function storedOrdinal(files: DatasetFiles, tag: Tag): number {
  let stored = tag.flushedOrdinal;
  for (const spill of files.spills) {
    for (const entry of spill.index.ofTag(tag.id)) stored = Math.max(stored, entry.firstOrdinal + entry.ordinalCount);
  }
  return stored;
}

/** The newest stored point, with all points of the same time. */
export function findNewest(dataset: Dataset, tag: Tag): NewestPoint | undefined {
  const located = locateNewestUpTo(dataset, tag, { ms: MAX_TIME_MS, ticks: TICKS_PER_MS - 1 });
  return located && located.ordinal >= tag.purgedOrdinal ? pointsAt(dataset, tag, located) : undefined;
}

/** The points of the same time up to a point: each ordinal once, because a tag file and a spill may hold the same points. */
function pointsAt(dataset: Dataset, tag: Tag, located: LocatedPoint): NewestPoint | undefined {
  const found = new Map<number, FoundPoint>();
  const visit = (points: PointColumns, firstOrdinal: number, type: ValueType) => {
    for (let i = 0; i < points.count; i++) {
      const same = points.timesMs[i] === located.ms && points.ticks[i] === located.ticks;
      const ordinal = firstOrdinal + i;
      if (same && ordinal <= located.ordinal && !isDeleted(tag, ordinal))
        found.set(ordinal, { points, index: i, type });
    }
  };
  for (const source of blocksOf(dataset, tag, (entry) => entry.firstMs <= located.ms && entry.lastMs >= located.ms)) {
    const points = new PointColumns(source.entry.pointCount);
    try {
      visit(points, source.entry.firstOrdinal, readSource(dataset, source, points).type);
    } catch (error) {
      undefinedIfCorrupt(error);
    }
  }
  for (const part of headParts(tag.head)) {
    const points = new PointColumns(part.count);
    dataset.memory.arena.copy(part, 0, part.count, points);
    visit(points, part.firstOrdinal, part.type);
  }
  let newest: NewestPoint | undefined;
  for (const [, { points, index, type }] of [...found].sort(([a], [b]) => a - b))
    newest = newestFrom(points, index, type, newest);
  return newest;
}

interface FoundPoint {
  readonly points: PointColumns;
  readonly index: number;
  readonly type: ValueType;
}

/** Time of the oldest readable point; NaN without any. */
function findOldestMs(dataset: Dataset, tag: Tag): number {
  if (!tag.hasPoints) return Number.NaN;
  const cutoff = { ms: retentionCutoffMs(dataset, tag), ticks: 0 };
  const kept = cutoff.ms === Number.NEGATIVE_INFINITY ? undefined : locateNewestUpTo(dataset, tag, cutoff);
  const from = Math.max(tag.purgedOrdinal, kept?.ordinal ?? 0);
  const points = new PointColumns(64);
  for (const source of blocksOf(dataset, tag, ({ firstOrdinal, ordinalCount }) => firstOrdinal + ordinalCount > from)) {
    const { entry } = source;
    if (entry.sizeBytes > 0 && entry.firstOrdinal >= from && !touchesDeleted(tag, entry)) return entry.firstMs;
    points.clear();
    if (!tryRead(dataset, source, points)) continue;
    const oldestMs = firstTimeFrom(tag, points, entry.firstOrdinal, from);
    if (oldestMs !== undefined) return oldestMs;
  }
  for (const part of headParts(tag.head)) {
    points.clear();
    dataset.memory.arena.copy(part, 0, part.count, points);
    const oldestMs = firstTimeFrom(tag, points, part.firstOrdinal, from);
    if (oldestMs !== undefined) return oldestMs;
  }
  return Number.NaN;
}

/** Among points with consecutive ordinals, the time of the first one from `from` on that is not deleted. */
function firstTimeFrom(tag: Tag, points: PointColumns, firstOrdinal: number, from: number): number | undefined {
  for (let i = Math.max(0, from - firstOrdinal); i < points.count; i++) {
    if (!isDeleted(tag, firstOrdinal + i)) return points.timesMs[i];
  }
  return undefined;
}
