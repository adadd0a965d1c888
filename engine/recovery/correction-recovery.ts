// Reads the log of corrections when a dataset is opened.

import { justBefore } from '../corrections/amendment.ts';
import { CorrectionLogReader } from '../corrections/correction-entry.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { findDatasetNewest } from '../dataset/dataset-newest.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { EngineError } from '../errors.ts';
import { Slicer } from '../io/slicer.ts';
import { StoredTagCursor } from '../read/tag-cursor.ts';
import { firstVisibleOrdinal, locateNewestUpTo } from '../read/visible-range.ts';
import type { PointChunk } from '../reads.ts';
import type { Tag } from '../tag/tag.ts';
import { FIRST_INSTANT, type Instant, LAST_INSTANT } from '../types.ts';
import { findNewest } from './tag-recovery.ts';

/** What cannot be read of the log is reported; the corrections in it are not in force then. */
export async function readCorrections(dataset: Dataset): Promise<void> {
  const tag = dataset.tags.byId.get(SystemTagId.Corrections) as Tag;
  if (!tag.hasPoints) return;
  const reader = new CorrectionLogReader();
  const slicer = new Slicer(dataset.context);
  const range = { start: FIRST_INSTANT, end: LAST_INSTANT, firstOrdinal: 0, limit: undefined };
  const cursor = new StoredTagCursor(dataset, tag, range);
  try {
    for (let chunk = cursor.next(); chunk !== undefined; chunk = cursor.next()) {
      for (let i = chunk.start; i < chunk.end; i++) {
        readEntry(dataset, reader, chunk, i);
        const pause = slicer.pause();
        if (pause !== undefined) await pause;
      }
    }
    for (const { tagId, kind, start, endOrdinal } of dataset.corrections.all()) {
      const cutTag = kind === 'cut' ? dataset.tags.byId.get(tagId) : undefined;
      if (cutTag) completeCut(dataset, cutTag, start, endOrdinal);
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
    for (const id of dataset.corrections.tagIds()) {
      // Made now, so that nobody has to wait for it.
      dataset.corrections.amendmentOf(id);
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
    const lost = cursor.outcome().gaps.reduce((sum, { points }) => sum + points, 0);
    if (lost > 0) reportDamage(dataset, `${lost} entries are lost`);
  } finally {
    cursor.close();
  }
}

function readEntry(dataset: Dataset, reader: CorrectionLogReader, { points }: PointChunk, i: number): void {
  const text = points.texts.at(points.numbers[i] as number);
  const at = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
  try {
    const read = reader.read(text, at);
    if (read === undefined) return;
    if ('undone' in read) dataset.corrections.undo(read.id, read.undone);
    else if (dataset.tags.byId.get(read.tagId)) dataset.corrections.add(read);
    else dataset.corrections.skip(read.id);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    reportDamage(dataset, error.message);
  }
}

/** Completes a removal that was stored in two records, as before version 0.2: reads see none of its points already. */
function completeCut(dataset: Dataset, tag: Tag, start: Instant, endOrdinal: number): void {
  // Points may have come since: their times step back behind those that the cut has left to remove.
  const asOfCut = tag.withDeleted([{ from: endOrdinal, to: Number.MAX_SAFE_INTEGER }]);
  if (!hasPointFrom(dataset, asOfCut, start)) return;
  const before = locateNewestUpTo(dataset, asOfCut, justBefore(start));
  // What the point that purge kept hides goes with it.
  const from = before && before.ordinal >= firstVisibleOrdinal(dataset, asOfCut) ? before.ordinal + 1 : 0;
  const range = { from, to: endOrdinal };
  tag.deleteRange(range, findNewest(dataset, tag.withDeleted([range])));
  tag.settle();
  findDatasetNewest(dataset);
}

/** Whether a point at or behind a time is stored. */
function hasPointFrom(dataset: Dataset, tag: Tag, start: Instant): boolean {
  const cursor = new StoredTagCursor(dataset, tag, { start, end: LAST_INSTANT, firstOrdinal: 0, limit: 1 });
  try {
    return cursor.next() !== undefined;
  } finally {
    cursor.close();
  }
}

function reportDamage(dataset: Dataset, why: string): void {
  const message = `The log of corrections cannot be read whole: ${why}. Those in it are not in force.`;
  dataset.report('error', 'corrections.damaged', message);
}
