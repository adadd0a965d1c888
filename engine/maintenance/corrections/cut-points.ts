// Removes points from a time on, and with them late points and what corrections have put there, which are taken by corrections
// of their own, of the kind `cut`: all in one record of the journal.

import { formatCorrection } from '../../corrections/correction-entry.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { Slicer } from '../../io/slicer.ts';
import { Turns } from '../../io/turns.ts';
import type { Tag } from '../../tag/tag.ts';
import { type Instant, LAST_INSTANT, PointColumns, ValueType } from '../../types.ts';
import {
  acceptDeletions,
  countRemoved,
  deletePointsOfTags,
  findInTurns,
  planInTurns,
  submitDeletions,
} from '../point-deletion.ts';
import { appendToLog } from './append-to-log.ts';
import { countLate } from './count-readable.ts';
import { checkRoomFor, endsOf, type Numbered, numberOf, putInForce } from './numbered-corrections.ts';

const NOBODY = { by: '', reason: '' } as const;

/**
 * Removes the named user tags' points from a time on, whole or not at all, durable once resolved; resolves with how many.
 * Requests that come meanwhile wait when late points or corrections may have to go too, or purge moves cutoffs on. Rejects as
 * `TagSearch` throws, and with BAD_REQUEST where the dataset has no room for another correction.
 */
export function cutPoints(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  const {
    corrections,
    tags,
    cutoffs,
    writing: { lane },
  } = dataset;
  if (!corrections.isUsed && tags.late.size === 0 && !cutoffs.moving) return deletePointsOfTags(dataset, names, start);
  return lane.runAlone(() => cutInLane(dataset, names, start));
}

async function cutInLane(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  await dataset.cutoffs.moving;
  dataset.checkWritable();
  const tags = await findInTurns(dataset, names);
  const { reached, late } = await findLate(dataset, tags, start);
  const deletions = await planInTurns(dataset, tags, start);
  if (reached.length === 0) return submitDeletions(dataset, deletions, 'in-turns');
  const { cuts, texts } = await plan(dataset, reached, start);
  const times = await appendToLog(dataset, texts, acceptDeletions(dataset, deletions, 'in-turns'));
  for (const [i, cut] of cuts.entries()) putInForce(dataset, cut, { at: times[i] as Instant, ...NOBODY });
  return late + countRemoved(deletions);
}

/** Tags of which there is more to take than points in time order, and how many late points they have there. */
async function findLate(
  dataset: Dataset,
  tags: readonly Tag[],
  start: Instant,
): Promise<{ reached: Tag[]; late: number }> {
  const reached: Tag[] = [];
  let late = 0;
  const slicer = new Slicer(dataset.context);
  for (const tag of tags) {
    const pause = slicer.pause();
    if (pause !== undefined) await pause;
    const count = await countLate(dataset, tag.id, start);
    late += count;
    if (count > 0 || dataset.corrections.reach(tag.id, start)) reached.push(tag);
  }
  return { reached, late };
}

/** What goes into the log, numbered. */
async function plan(
  dataset: Dataset,
  tags: readonly Tag[],
  start: Instant,
): Promise<{ cuts: Numbered[]; texts: string[] }> {
  checkRoomFor(dataset, tags.length);
  const cuts: Numbered[] = [];
  const texts: string[] = [];
  await new Turns(dataset).over(tags, ({ id: tagId }) => {
    const points = new PointColumns(0);
    const planned = { tagId, kind: 'cut', start, end: LAST_INSTANT, type: ValueType.Open, points } as const;
    const cut = numberOf(dataset, { ...planned, ...endsOf(dataset.tags, tagId) });
    cuts.push(cut);
    texts.push(...formatCorrection(cut, NOBODY.by, NOBODY.reason));
  });
  return { cuts, texts };
}
