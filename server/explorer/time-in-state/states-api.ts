// The read of the API that tells how long a tag was in each of its states.

import { datasetPath } from '../api/historian.ts';
import { sendForJson } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { STATE_FUNCTIONS, type StateEntry } from './state-entry.ts';

export async function readStates(
  { dataset, name }: TagRef,
  { startMs, endMs }: TimeWindow,
  signal: AbortSignal,
): Promise<readonly StateEntry[]> {
  const body = {
    tagname: [name],
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    aggregate: STATE_FUNCTIONS,
  };
  const call = { method: 'POST' as const, body, signal };
  return (await sendForJson<{ tl: StateEntry[] }>(`${datasetPath(dataset)}/read`, call)).tl;
}
