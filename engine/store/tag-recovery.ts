// What is left to find out about each tag once files and journals have been read: its newest point, its next ordinal, and
// whether something is known to be lost.

import { MAX_TIME_MS, PointColumns, TICKS_PER_MS } from '../types.ts';
import { blocksOf, readSource } from './block-sources.ts';
import type { Dataset } from './dataset.ts';
import { headParts } from './head-arena.ts';
import { newestFrom } from './stored-value.ts';
import type { NewestPoint, Tag } from './tag.ts';
import { TagFile } from './tag-file.ts';
import { undefinedIfCorrupt } from './tag-file-reader.ts';
import { definitionOf, takeFiles } from './tag-file-recovery.ts';
import { isCut, newestPlaceUpTo, type PointPlace } from './visible-range.ts';

/** Makes tags of files whose id nobody knows, from the definition at their head. */
export function rebuildTags(dataset: Dataset, unknownFiles: Map<number, TagFile[]>): void {
  for (const [id, files] of unknownFiles) {
    const definition = files.map((file) => definitionOf(dataset, file)).find((found) => found !== undefined);
    if (!definition || dataset.names.find(definition.name)) continue;
    const tag = dataset.addTag(definition, id);
    tag.visible = true;
    takeFiles(tag, files);
    unknownFiles.delete(id);
  }
}

/** Files that are nobody's are kept and reported. */
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

/** Completes one tag after a recovery. */
export function finishTag(dataset: Dataset, tag: Tag): void {
  tag.files.sort((a, b) => a.firstOrdinal - b.firstOrdinal || a.number - b.number);
  tag.filedOrdinal = tag.files.reduce((next, file) => Math.max(next, file.nextOrdinal), 0);
  const held = heldOrdinal(dataset, tag);
  const known = tag.nextOrdinal;
  tag.nextOrdinal = Math.max(
    known,
    held,
    tag.cuts.reduce((next, cut) => Math.max(next, cut.to), 0),
  );
  if (!tag.newest || held > known) tag.newest = findNewest(dataset, tag);
  if (held < known && tag.newest) noteLostTail(dataset, tag, held);
  tag.admitted = tag.newest;
  tag.admittedOrdinal = tag.nextOrdinal;
  if (Number.isNaN(tag.oldestMs)) tag.oldestMs = oldestMs(dataset, tag);
}

/** The ordinal behind the last point that some file or the head holds. */
function heldOrdinal(dataset: Dataset, tag: Tag): number {
  let held = tag.filedOrdinal;
  for (const spill of dataset.spills) {
    for (const entry of spill.index.ofTag(tag.id)) held = Math.max(held, entry.firstOrdinal + entry.ordinalCount);
  }
  for (const part of headParts(tag.head)) held = Math.max(held, part.nextOrdinal);
  return held;
}

/** The newest point from what is stored, with those that share its time. */
export function findNewest(dataset: Dataset, tag: Tag): NewestPoint | undefined {
  const place = newestPlaceUpTo(dataset, tag, { ms: MAX_TIME_MS, ticks: TICKS_PER_MS - 1 });
  return place && pointsAt(dataset, tag, place);
}

function pointsAt(dataset: Dataset, tag: Tag, place: PointPlace): NewestPoint | undefined {
  let newest: NewestPoint | undefined;
  const visit = (points: PointColumns, firstOrdinal: number, type: NewestPoint['type']) => {
    for (let i = 0; i < points.count; i++) {
      const same = points.timesMs[i] === place.ms && points.ticks[i] === place.ticks;
      if (same && firstOrdinal + i <= place.ordinal && !isCut(tag, firstOrdinal + i))
        newest = newestFrom(points, i, type, newest);
    }
  };
  for (const source of blocksOf(dataset, tag, (entry) => entry.firstMs <= place.ms && entry.lastMs >= place.ms)) {
    const points = new PointColumns(source.entry.pointCount);
    try {
      visit(points, source.entry.firstOrdinal, readSource(dataset, source, points).type);
    } catch (error) {
      undefinedIfCorrupt(error);
    }
  }
  for (const part of headParts(tag.head)) {
    const points = new PointColumns(part.count);
    dataset.arena.copy(part, 0, part.count, points);
    visit(points, part.firstOrdinal, part.type);
  }
  return newest;
}

/** Points that the catalog counted and nothing holds: kept as a file that is missing, so that every read says so. */
function noteLostTail(dataset: Dataset, tag: Tag, held: number): void {
  const { newest, nextOrdinal } = tag;
  if (!newest) return;
  const lost = new TagFile(tag.id, tag.nextFile++);
  lost.missing = true;
  lost.firstOrdinal = held;
  lost.nextOrdinal = nextOrdinal;
  const before = newestPlaceUpTo(dataset, tag, { ms: MAX_TIME_MS, ticks: TICKS_PER_MS - 1 });
  lost.firstMs = before?.ms ?? newest.ms;
  lost.lastMs = newest.ms;
  tag.files.push(lost);
  tag.filedOrdinal = nextOrdinal;
  dataset.report(
    'error',
    'tag.points-missing',
    `${nextOrdinal - held} points of tag '${tag.name}' are in no file; reads report the gap.`,
    { tag: tag.name, points: nextOrdinal - held },
  );
}

function oldestMs(dataset: Dataset, tag: Tag): number {
  const first = blocksOf(dataset, tag)[0]?.entry.firstMs;
  const head = headParts(tag.head)[0];
  if (first !== undefined || !head) return first ?? Number.NaN;
  const points = new PointColumns(1);
  dataset.arena.copy(head, 0, 1, points);
  return points.timesMs[0] as number;
}
