// Tags that a request of the fast path creates: their definitions come before the points in its record.

import type { Dataset } from '../dataset/dataset.ts';
import { encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import type { Tag } from '../tag/tag.ts';
import { tagNameFault } from '../tag/tag-name-rules.ts';
import { type PointRun, ValueType } from '../types.ts';
import type { FastRuns } from './fast-runs.ts';

/** What creating tags needs of a dataset. */
export type TagOwner = Pick<Dataset, 'names' | 'addTag' | 'removeTag'>;

/** Most bytes of the definitions of the tags that were unknown when the runs were read; 0 when none was. */
export function definitionsBytesOf(runs: readonly PointRun[]): number {
  let bytes = 0;
  for (const run of runs) if (run.tag === undefined) bytes += mostDefineBytes(run);
  return bytes;
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
