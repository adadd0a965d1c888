// The read of the API that tells how long a tag was in each of its states.

import { datasetPath } from '../api/historian.ts';
import { sendForJson } from '../api/http.ts';
import type { TagDefinition, TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { PointValue } from '../model/values/value-text.ts';

const FUNCTIONS = ['StateDuration', 'StatePercent', 'StateCount'] as const;

/** Of one function and one state; the whole range is one interval. */
export interface StateEntry {
  readonly t: TagDefinition;
  readonly a: (typeof FUNCTIONS)[number];
  readonly state?: PointValue;
  /** By the states of the tag. */
  readonly stateName?: string;
  readonly d: readonly { readonly v: number | null }[];
}

export async function readStates(
  { dataset, name }: TagRef,
  { startMs, endMs }: TimeWindow,
  signal: AbortSignal,
): Promise<readonly StateEntry[]> {
  const body = {
    tagname: [name],
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    aggregate: FUNCTIONS,
  };
  const call = { method: 'POST' as const, body, signal };
  return (await sendForJson<{ tl: StateEntry[] }>(`${datasetPath(dataset)}/read`, call)).tl;
}
