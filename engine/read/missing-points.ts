// Points that are known to have existed and are in no file any more: kept in the catalog as missing files, so that every read
// reports them as gaps.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetMemory } from '../dataset/dataset-memory.ts';
import { TagFile } from '../files/tag-file.ts';
import { type Head, headParts } from '../head/head.ts';
import type { OrdinalRange } from '../tag/deleted-ranges.ts';
import type { Tag } from '../tag/tag.ts';
import { MAX_TIME_MS, MIN_TIME_MS, PointColumns } from '../types.ts';
import { blocksOf } from './block-sources.ts';
import { Coverage, coverageOf } from './coverage.ts';
import { retentionCutoffMs } from './visible-range.ts';

/**
 * Finds the ordinals that neither the files nor the head of a tag hold. `summary` trusts the summaries of tag files; blocks
 * missing from those are found when their index is loaded.
 */
export function noteLostPoints(dataset: Dataset, tag: Tag, detail: 'summary' | 'exact'): void {
  if (isAllInHead(tag)) return;
  const known = tag.files.filter((file) => file.missing);
  const held = coverageOf(dataset, tag, known.length > 0 ? 'exact' : detail);
  for (const part of headParts(tag.head)) held.add(part.firstOrdinal, part.nextOrdinal);
  const first = Math.max(tag.purgedOrdinal, firstOrdinalOf(dataset, tag) ?? held.first ?? tag.nextOrdinal);
  const deletedRanges = new Coverage();
  for (const { from, to } of tag.deletedRanges) deletedRanges.add(from, to);
  const holes = held
    .missing(first, tag.nextOrdinal)
    .filter(({ from, to }) => deletedRanges.missing(from, to).length > 0);
  if (holes.length === 0 && known.length === 0) return;
  const unused = [...known];
  const lost = holes.map((hole) => lostFile(dataset, tag, hole, unused));
  tag.replaceMissingFiles(lost);
  reportLost(dataset, tag, countPoints(known), countPoints(lost));
}

/** Common case after a crash: all points are in the head. */
function isAllInHead({ head, files, firstOrdinal, nextOrdinal }: Tag): boolean {
  if (!head || head.older || files.length > 0 || firstOrdinal === undefined) return false;
  return head.firstOrdinal <= firstOrdinal && head.nextOrdinal >= nextOrdinal;
}

/** The first ordinal that purge has left; undefined when unknown. */
function firstOrdinalOf(dataset: Dataset, tag: Tag): number | undefined {
  return tag.firstOrdinal ?? (retentionCutoffMs(dataset, tag) === Number.NEGATIVE_INFINITY ? 0 : undefined);
}

/** A missing file with the points of a gap. It has the name of the file that held them, which may be restored. */
function lostFile(dataset: Dataset, tag: Tag, { from, to }: OrdinalRange, unused: TagFile[]): TagFile {
  const index = unused.findIndex((file) => from < file.nextOrdinal && to > file.firstOrdinal);
  const [named] = index < 0 ? [] : unused.splice(index, 1);
  const lost = new TagFile(tag.id, named?.number ?? tag.takeFileNumber());
  lost.missing = true;
  lost.firstOrdinal = from;
  lost.nextOrdinal = to;
  const times = timesAround(dataset, tag, from, to);
  // The tag's oldest time is used only if it is not that of a point after the gap.
  const oldestMs = tag.oldestMs < (times.lastMs ?? Number.POSITIVE_INFINITY) ? tag.oldestMs : MIN_TIME_MS;
  lost.firstMs = times.firstMs ?? oldestMs;
  lost.lastMs = Math.max(lost.firstMs, times.lastMs ?? tag.newest?.ms ?? MAX_TIME_MS);
  return lost;
}

/** Times of the points next to a gap. */
function timesAround(
  dataset: Dataset,
  tag: Tag,
  from: number,
  to: number,
): { firstMs: number | undefined; lastMs: number | undefined } {
  let firstMs: number | undefined;
  let lastMs: number | undefined;
  const look = (start: number, end: number, times: { firstMs: number; lastMs: number }): void => {
    if (end <= from) firstMs = Math.max(firstMs ?? Number.NEGATIVE_INFINITY, times.lastMs);
    if (start >= to) lastMs = Math.min(lastMs ?? Number.POSITIVE_INFINITY, times.firstMs);
  };
  for (const { entry } of blocksOf(dataset, tag)) {
    if (entry.sizeBytes > 0) look(entry.firstOrdinal, entry.firstOrdinal + entry.ordinalCount, entry);
  }
  for (const part of headParts(tag.head)) look(part.firstOrdinal, part.nextOrdinal, headTimes(dataset.memory, part));
  return { firstMs, lastMs };
}

function headTimes(memory: DatasetMemory, part: Head): { firstMs: number; lastMs: number } {
  const points = new PointColumns(part.count);
  memory.arena.copy(part, 0, part.count, points);
  return { firstMs: points.timesMs[0] as number, lastMs: points.timesMs[points.count - 1] as number };
}

function countPoints(files: readonly TagFile[]): number {
  return files.reduce((sum, file) => sum + file.nextOrdinal - file.firstOrdinal, 0);
}

function reportLost(dataset: Dataset, tag: Tag, before: number, points: number): void {
  if (points === 0 || points === before) return;
  const message = `${points} points of tag '${tag.name}' are in no file; reads report the gap.`;
  dataset.report('error', 'tag.points-missing', message, { tag: tag.name, points });
}
