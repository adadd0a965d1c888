// Deleting tags with their history.

import type { Dataset } from '../dataset/dataset.ts';
import { findDatasetNewest, findDatasetNewestInSlices, holdNewest } from '../dataset/dataset-newest.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { inSlices, submitOperation, takesTurns } from '../dataset/tag-operations.ts';
import { removeTagFile } from '../flush/file-removal.ts';
import { encodeDelete } from '../format/record/journal-record.ts';
import { forgetTag } from '../ingest/commit-append.ts';
import { notifyCorrected } from '../ingest/point-watch.ts';
import { Slicer } from '../io/slicer.ts';
import { Turns } from '../io/turns.ts';
import { TagSearch, userTags } from '../read/tag-search.ts';
import type { Tag } from '../tag/tag.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../types.ts';

/**
 * Deletes tags with their history, all or none. Throws or rejects with TAG_NOT_FOUND naming the unknown ones, BAD_REQUEST
 * for system tags.
 */
export function deleteTags(dataset: Dataset, names: readonly string[]): Promise<void> {
  if (takesTurns(dataset, Math.max(names.length, dataset.tags.names.size)) || dataset.cutoffs.moving)
    return dataset.writing.lane.runAlone(() => deleteInTurns(dataset, names));
  dataset.checkWritable();
  const tags = userTags(dataset, names, 'deleted');
  for (const tag of tags) leave(dataset.tags, tag);
  return submitDeletion(dataset, tags, () => {
    const isNewestGone = holdNewest(dataset.progress, tags);
    for (const tag of tags) bury(dataset, tag);
    if (isNewestGone) findDatasetNewest(dataset);
  });
}

async function deleteInTurns(dataset: Dataset, names: readonly string[]): Promise<void> {
  await dataset.cutoffs.moving;
  dataset.checkWritable();
  const turns = new Turns(dataset);
  const search = new TagSearch(dataset, 'deleted');
  await turns.over(names, (name) => search.find(name));
  const tags = search.tags();
  try {
    await turns.over(tags, (tag) => leave(dataset.tags, tag));
  } catch (error) {
    for (const tag of tags) if (tag.leaving) restore(dataset.tags, tag);
    throw error;
  }
  await submitDeletion(dataset, tags, async () => {
    const isNewestGone = holdNewest(dataset.progress, tags);
    await inSlices(dataset, tags, (tag) => bury(dataset, tag));
    if (isNewestGone) await findDatasetNewestInSlices(dataset);
  });
}

function submitDeletion(dataset: Dataset, tags: readonly Tag[], bury: () => Promise<void> | void): Promise<void> {
  const all = [...tags, ...tags.flatMap(({ id }) => dataset.tags.late.get(id) ?? [])];
  const ids = all.map((tag) => tag.id);
  const removeLater = (): void => void dataset.maintain(() => removeFiles(dataset, all)).catch(() => undefined);
  return submitOperation(dataset, {
    record: tags.length === 0 ? undefined : (out) => encodeDelete(out, ids),
    commit: () => {
      const burying = bury();
      return burying ? burying.then(removeLater) : removeLater();
    },
    undo: () => {
      for (const tag of tags) restore(dataset.tags, tag);
    },
  });
}

/** Removes the tag from the index of names. */
function leave(tags: DatasetTags, tag: Tag): void {
  tag.leaving = true;
  tags.hide(tag);
}

function restore(tags: DatasetTags, tag: Tag): void {
  tag.leaving = false;
  tags.show(tag);
}

/** With its late points. */
function bury(dataset: Dataset, tag: Tag): void {
  const late = dataset.tags.late.get(tag.id);
  if (late) bury(dataset, late);
  dataset.tags.tombstones.add(tag.id);
  notifyCorrected(dataset, tag.id, { start: FIRST_INSTANT, end: LAST_INSTANT });
  forgetTag(dataset, tag);
}

/** Called once the deletion is durable: after a crash, recovery removes the files that are left. */
async function removeFiles(dataset: Dataset, tags: readonly Tag[]): Promise<void> {
  const slicer = new Slicer(dataset.context);
  for (const tag of tags) {
    for (const file of tag.files) removeTagFile(dataset, tag, file);
    await slicer.pause();
  }
}
