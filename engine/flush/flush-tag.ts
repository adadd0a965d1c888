// Points of heads and spills become blocks of tag files.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetFiles } from '../dataset/dataset-files.ts';
import { tagFolderPath } from '../dataset/dataset-files.ts';
import type { DatasetMemory } from '../dataset/dataset-memory.ts';
import { evenBlockPoints } from '../encoder/even-blocks.ts';
import { TagFile } from '../files/tag-file.ts';
import { appendToTagFile, encodeTagFileHead, sealTagFile } from '../files/tag-file-writer.ts';
import { encodeBlock, entryOfBlock } from '../format/block/block.ts';
import { decodeBlockHeader } from '../format/block/block-header.ts';
import { type BlockEntry, entryOf } from '../format/block/block-index.ts';
import { type BlockMemory, encodePlainBlock, entryOfPlainBlock, PlainPoints } from '../format/block/plain-block.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { type Head, headParts } from '../head/head.ts';
import { appendPoints } from '../points/point-copies.ts';
import { endOfBlockTexts } from '../points/text-lengths.ts';
import { orderedUntil } from '../points/time-order.ts';
import { blocksOf, tryRead } from '../read/block-sources.ts';
import { readableCoverageOf } from '../read/coverage.ts';
import { firstVisibleOrdinal } from '../read/visible-range.ts';
import { mayStepBack, type Tag } from '../tag/tag.ts';
import { PointColumns, type ValueType } from '../types.ts';

/** Encoding choices of the file's last block. */
function memoryOf(file: TagFile): BlockMemory {
  file.blockMemory ??= { times: 0, values: 0 };
  return file.blockMemory;
}

/** Consecutive points of one type that are not in a tag file yet. */
interface Span {
  readonly type: ValueType;
  readonly firstOrdinal: number;
  readonly points: PointColumns;
}

const blockBytes = new ByteWriter(256 * 1024);
const headPoints = new PointColumns(4096);
const plainPoints = new PlainPoints(4096);

/**
 * Flushes all points of a tag that are in no tag file yet; not synced. Its head is empty afterwards. Throws the system's
 * error, with nothing half-written.
 */
export function flushTag(dataset: Dataset, tag: Tag): void {
  const next = tag.nextOrdinal;
  const head = onlyHead(dataset.files, tag);
  // Common case: one span, copied into preallocated columns.
  if (head) return flushHead(dataset, tag, head, head.count);
  const choose = (lastMs: number): TagFile => fileForAppend(dataset, tag, lastMs);
  for (const span of unflushedSpans(dataset, tag)) flushSpan(dataset, tag, span, choose);
  tag.flushedOrdinal = next;
  dropHead(dataset.memory, tag, next);
}

/** Flushes at most `mostPoints` of the oldest points of a head that alone holds the tag's unflushed points. */
export function flushHead(dataset: Dataset, tag: Tag, head: Head, mostPoints: number): void {
  const skip = unflushedFrom(tag, head);
  const count = Math.min(mostPoints, head.count - skip);
  if (count > 0 && !flushPlain(dataset, tag, head, skip, count)) {
    const points = headPoints;
    points.clear();
    dataset.memory.arena.copy(head, skip, count, points);
    const choose = (lastMs: number): TagFile => fileForAppend(dataset, tag, lastMs);
    flushSpan(dataset, tag, { type: head.type, firstOrdinal: head.firstOrdinal + skip, points }, choose);
  }
  noteFlushed(dataset.memory, tag, head, head.firstOrdinal + skip + count);
}

/** Flushes plain points of a head as whole numbers; returns false, having done nothing, when they are not plain. */
function flushPlain(dataset: Dataset, tag: Tag, head: Head, skip: number, count: number): boolean {
  const points = plainPoints;
  const first = mayStepBack(tag) ? -1 : dataset.memory.arena.copyPlain(head, skip, count, points);
  if (first < 0) return false;
  const size = evenBlockPoints(count, dataset.context.tunables.blockPoints);
  for (let start = first; start < points.count; start += size) {
    const end = Math.min(points.count, start + size);
    const file = fileForAppend(dataset, tag, points.baseMs + (points.offsets[end - 1] as number));
    const out = beginAppend(file, tag);
    const at = out.length;
    const firstOrdinal = head.firstOrdinal + skip + start - first;
    const { id: tagId } = tag;
    const block = { tagId, type: head.type, firstOrdinal, statistics: 'when-long', memory: memoryOf(file) } as const;
    encodePlainBlock(out, points, start, end, block);
    const entry = entryOfPlainBlock(points, start, end, block, file.sizeBytes + at, out.length - at);
    finishAppend(dataset, tag, file, out, entry);
  }
  return true;
}

/** Appends already encoded, concatenated blocks of the head's points below `nextOrdinal`. */
export function flushBlocks(dataset: Dataset, tag: Tag, head: Head, blocks: Uint8Array, nextOrdinal: number): void {
  for (let at = 0; at < blocks.length; ) {
    const header = decodeBlockHeader(blocks, at);
    const file = fileForAppend(dataset, tag, header.lastMs);
    const out = beginAppend(file, tag);
    const entry = entryOf(header, file.sizeBytes + out.length);
    out.raw(blocks.subarray(at, at + entry.sizeBytes));
    finishAppend(dataset, tag, file, out, entry);
    at += entry.sizeBytes;
  }
  noteFlushed(dataset.memory, tag, head, nextOrdinal);
}

/** A tag's head, if it holds all unflushed points; undefined also when there are none. */
export function onlyHead({ spills }: DatasetFiles, { head, flushedOrdinal }: Tag): Head | undefined {
  if (!head || head.older) return undefined;
  return spills.length === 0 || head.firstOrdinal <= flushedOrdinal ? head : undefined;
}

/** How many of a head's points are flushed already. */
export function unflushedFrom(tag: Tag, head: Head): number {
  return Math.max(0, tag.flushedOrdinal - head.firstOrdinal);
}

/** Marks points below an ordinal as flushed; after the head's last point there may be ordinals without points. */
function noteFlushed(memory: DatasetMemory, tag: Tag, head: Head, ordinal: number): void {
  const next = ordinal < head.nextOrdinal ? ordinal : tag.nextOrdinal;
  tag.flushedOrdinal = next;
  dropHead(memory, tag, next);
}

/**
 * Flushes points of spills that lie below the flushed ordinal: a damaged tag file has lost them, and recovery found them
 * in a spill. They get a file of their own, so that ordinals ascend in each file. Points that purge hides are left out: it has
 * freed their files, and between them and the points that are left others would seem to be lost. False when there are none.
 */
export function flushRecovered(dataset: Dataset, tag: Tag): boolean {
  const spans = recoveredSpans(dataset, tag);
  if (spans.length === 0) return false;
  const file = newTagFile(dataset, tag);
  for (const span of spans) flushSpan(dataset, tag, span, () => file);
  sealTagFile(dataset.context.vfs, dataset.files.folder, file);
  tag.sortFiles();
  return true;
}

function recoveredSpans(dataset: Dataset, tag: Tag): Span[] {
  const spans: Span[] = [];
  const spilled = blocksOf(dataset, tag, (entry) => entry.firstOrdinal < tag.flushedOrdinal).filter(
    ({ file }) => !(file instanceof TagFile),
  );
  const [first] = spilled;
  if (!first) return spans;
  const flushed = readableCoverageOf(dataset, tag, first.entry.firstOrdinal);
  flushed.add(0, firstVisibleOrdinal(dataset, tag));
  for (const source of spilled) {
    const { firstOrdinal, ordinalCount, pointCount } = source.entry;
    const end = Math.min(firstOrdinal + ordinalCount, tag.flushedOrdinal);
    for (const { from, to } of flushed.missing(firstOrdinal, end)) {
      const points = new PointColumns(pointCount);
      const header = tryRead(dataset, source, points);
      if (header) addSpan(spans, header.type, from, points, from - firstOrdinal, to - firstOrdinal);
    }
    flushed.add(firstOrdinal, end);
  }
  return spans;
}

/** Drops head points below an ordinal: they are in files. */
export function dropHead(memory: DatasetMemory, tag: Tag, ordinal: number): void {
  const parts = headParts(tag.head);
  for (const part of parts) {
    const count = Math.min(part.count, Math.max(0, ordinal - part.firstOrdinal));
    if (count > 0) memory.arena.drop(part, count);
  }
  let head: Tag['head'];
  for (const part of parts) {
    if (part.count === 0) continue;
    part.older = head;
    head = part;
  }
  tag.head = head;
}

/** Points from `flushedOrdinal` on: those of spills, then those of the head, split where type or ordinals jump. */
function unflushedSpans(dataset: Dataset, tag: Tag): Span[] {
  const spans: Span[] = [];
  let next = tag.flushedOrdinal;
  const spilled =
    dataset.files.spills.length > 0
      ? blocksOf(dataset, tag, (entry) => entry.firstOrdinal + entry.ordinalCount > next)
      : [];
  for (const source of spilled) {
    if (source.file instanceof TagFile) continue;
    const points = new PointColumns(source.entry.pointCount);
    const header = tryRead(dataset, source, points);
    if (!header) continue; // reads report it as a gap
    const skip = Math.max(0, next - header.firstOrdinal);
    if (skip >= points.count) continue;
    addSpan(spans, header.type, header.firstOrdinal + skip, points, skip, points.count);
    next = header.firstOrdinal + header.ordinalCount;
  }
  for (const part of headParts(tag.head)) {
    const skip = Math.max(0, next - part.firstOrdinal);
    if (skip >= part.count) continue;
    const points = new PointColumns(part.count - skip);
    dataset.memory.arena.copy(part, skip, part.count - skip, points);
    addSpan(spans, part.type, part.firstOrdinal + skip, points, 0, points.count);
    next = part.nextOrdinal;
  }
  return spans;
}

function addSpan(
  spans: Span[],
  type: ValueType,
  firstOrdinal: number,
  points: PointColumns,
  start: number,
  end: number,
): void {
  const last = spans.at(-1);
  if (last && last.type === type && last.firstOrdinal + last.points.count === firstOrdinal) {
    appendPoints(points, start, end, last.points);
    return;
  }
  if (start === 0 && end === points.count) {
    spans.push({ type, firstOrdinal, points });
    return;
  }
  const own = new PointColumns(end - start);
  appendPoints(points, start, end, own);
  spans.push({ type, firstOrdinal, points: own });
}

/** Writes one span as blocks of about equal size. */
function flushSpan(
  dataset: Dataset,
  tag: Tag,
  { type, firstOrdinal, points }: Span,
  chooseFile: (lastMs: number) => TagFile,
): void {
  const size = evenBlockPoints(points.count, dataset.context.tunables.blockPoints);
  for (let start = 0, end = 0; start < points.count; start = end) {
    end = endOfBlockTexts(type, points, start, Math.min(points.count, start + size));
    if (mayStepBack(tag) && !tag.isLate) end = orderedUntil(points, start, end);
    const file = chooseFile(points.timesMs[end - 1] as number);
    appendBlock(dataset, tag, file, points, start, end, type, firstOrdinal + start);
  }
}

function appendBlock(
  dataset: Dataset,
  tag: Tag,
  file: TagFile,
  points: PointColumns,
  start: number,
  end: number,
  type: ValueType,
  firstOrdinal: number,
): void {
  const out = beginAppend(file, tag);
  const at = out.length;
  const order = tag.isLate ? 'arrival' : 'time';
  const block = { tagId: tag.id, type, firstOrdinal, order, statistics: 'when-long' } as const;
  encodeBlock(out, points, start, end, block);
  const entry = entryOfBlock(points, start, end, block, file.sizeBytes + at, out.length - at);
  finishAppend(dataset, tag, file, out, entry);
}

/** The bytes before the next block of a file: the file's header before the first block, else none. */
function beginAppend(file: TagFile, tag: Tag): ByteWriter {
  const out = blockBytes;
  out.clear();
  if (file.sizeBytes === 0) encodeTagFileHead(out, file, tag.definition);
  return out;
}

function finishAppend(dataset: Dataset, tag: Tag, file: TagFile, out: ByteWriter, entry: BlockEntry): void {
  appendToTagFile(dataset.context.vfs, dataset.files.folder, file, out.written());
  tag.addFile(file);
  file.add(entry);
  tag.flushedOrdinal = Math.max(tag.flushedOrdinal, entry.firstOrdinal + entry.ordinalCount);
  dataset.files.unsynced.addFile(file);
  dataset.context.bytesWritten.tags += out.length;
}

/** The tag's open file, or a new one when the last is sealed, full or spans enough time. */
function fileForAppend(dataset: Dataset, tag: Tag, lastMs: number): TagFile {
  const { tagFileBytes, tagFileSpanMs } = dataset.context.tunables;
  const last = tag.files.at(-1);
  if (last && !last.sealed && !last.missing) {
    if (last.sizeBytes < tagFileBytes && lastMs - last.firstMs < tagFileSpanMs) return last;
    sealTagFile(dataset.context.vfs, dataset.files.folder, last);
    dataset.files.unsynced.addFile(last);
  }
  return newTagFile(dataset, tag);
}

function newTagFile(dataset: Dataset, tag: Tag): TagFile {
  const file = new TagFile(tag.id, tag.takeFileNumber());
  file.index = [];
  makeTagFolder(dataset, tag.id);
  return file;
}

/** Creates the subfolder of a tag, and marks it and its parent as to be synced. */
export function makeTagFolder(dataset: Dataset, tagId: number): void {
  if (dataset.files.unsynced.hasTagFolder(tagId)) return;
  dataset.context.vfs.makeDirectorySync(`${dataset.files.folder}/${tagFolderPath(tagId)}`);
  dataset.files.unsynced.addTagFolder(tagId);
}
