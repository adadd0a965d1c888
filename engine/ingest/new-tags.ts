// Tags that a request of the fast path creates: their definitions come before the points in its record.

import type { Dataset } from '../dataset/dataset.ts';
import { encodeDefine } from '../format/record/journal-record.ts';
import type { Tag } from '../tag/tag.ts';
import { tagNameFault } from '../tag/tag-name-rules.ts';
import { type PointRun, ValueType } from '../types.ts';
import type { FastRuns } from './fast-runs.ts';

/** What creating tags needs of a dataset. */
export type TagOwner = Pick<Dataset, 'names' | 'addTag' | 'removeTag'>;

/** Number of runs whose tags were unknown when they were read. */
export function countUnknown(runs: readonly PointRun[]): number {
  let unknown = 0;
  for (const { tag } of runs) if (tag === undefined) unknown++;
  return unknown;
}

/** Gives run `i` its tag, a new one if there is none of its name; false, with nothing changed, when the general path is to. */
export function giveTag(dataset: TagOwner, { runs, record, created }: FastRuns, i: number): boolean {
  const run = runs[i] as PointRun;
  run.tag ??= dataset.names.find(run.name);
  if (run.tag !== undefined) return true;
  const { name, type, count, stamped } = run;
  if (type === ValueType.Open || count === 0 || stamped > 0 || tagNameFault(name) !== undefined) return false;
  const definition = { name, type };
  const tag = dataset.addTag(definition, undefined);
  run.tag = tag;
  created.push(i);
  encodeDefine(record, tag.id, definition);
  return true;
}

/** Removes the tags that a request has created; it was not accepted, or is not durable. */
export function removeCreated(dataset: TagOwner, { runs, created }: FastRuns): void {
  for (const i of created) {
    const run = runs[i] as PointRun;
    dataset.removeTag(run.tag as Tag);
    run.tag = undefined;
  }
}
