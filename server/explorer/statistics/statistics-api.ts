// The operation of the API that tells what there is to know of a range.

import { datasetPath } from '../api/historian.ts';
import { sendForJson } from '../api/http.ts';
import type { TagDefinition, TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { PointValue } from '../model/values/value-text.ts';

interface AnswerPoint {
  /** ISO 8601. */
  readonly t: string;
  readonly v: PointValue;
}

export interface TagStatistics {
  readonly t: TagDefinition;
  readonly points: number;
  readonly good: number;
  readonly min: AnswerPoint | null;
  readonly max: AnswerPoint | null;
  readonly mean: number | null;
  readonly timeMean: number | null;
  readonly deviation: number | null;
  readonly percentiles: {
    readonly p5: number;
    readonly p50: number;
    readonly p95: number;
    /** `sample`: of a million of the values. */
    readonly of: 'all' | 'sample';
  } | null;
  readonly percentGood: number;
  readonly longestGap: { readonly s: string; readonly e: string; readonly ms: number } | null;
  /** Points that are known to have been there and cannot be read. */
  readonly gaps?: readonly unknown[];
}

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
