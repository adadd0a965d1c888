// The operation of the API that tells what there is to know of a range.

import { datasetPath } from '../api/historian.ts';
import { sendForJson } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { TagStatistics } from './tag-statistics.ts';

/** One tag at a time: what is wrong with one says nothing of the others. The end is not part of the range. */
export async function readStatistics(
  { dataset, name }: TagRef,
  { startMs, endMs }: TimeWindow,
  signal: AbortSignal,
): Promise<TagStatistics | undefined> {
  const body = { tagname: [name], start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
  const { tl } = await sendForJson<{ tl: TagStatistics[] }>(`${datasetPath(dataset)}/statistics`, {
    method: 'POST',
    body,
    signal,
  });
  return tl[0];
}
