// Tags that a request of the fast path creates: their definitions come before the points in its record.

import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import type { Tag } from '../tag/tag.ts';
import { tagNameFault } from '../tag/tag-name-rules.ts';
import { type PointRun, ValueType } from '../types.ts';
import type { FastRuns } from './fast-runs.ts';

/** Most bytes of the definitions of the tags that were unknown when the runs were read; 0 when none was. */
export function definitionsBytesOf(runs: readonly PointRun[]): number {
  let bytes = 0;
  for (const run of runs) if (run.tag === undefined) bytes += mostDefineBytes(run);
  return bytes;
}

/** Gives run `i` its tag, a new one if there is none of its name; false, with nothing changed, when the general path is to. */
export function giveTag(tags: DatasetTags, { runs, record, created }: FastRuns, i: number): boolean {
  const run = runs[i] as PointRun;
  run.tag ??= tags.names.find(run.name);
  if (run.tag !== undefined) return true;
  const { name, type, count, stamped } = run;
  if (type === ValueType.Open || count === 0 || stamped > 0 || tagNameFault(name) !== undefined) return false;
  const definition = { name, type };
  const tag = tags.add(definition, undefined);
  run.tag = tag;
  created.push(i);
  encodeDefine(record, tag.id, definition);
  return true;
}

/** Removes the tags that a request has created; it was not accepted, or is not durable. */
export function removeCreated(tags: DatasetTags, { runs, created }: FastRuns): void {
  for (const i of created) {
    const run = runs[i] as PointRun;
    tags.remove(run.tag as Tag);
    run.tag = undefined;
  }
}
