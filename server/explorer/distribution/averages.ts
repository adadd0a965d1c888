// What both views are made of: averages over time of equal intervals of the window, which the server computes.

import { readTags } from '../api/historian.ts';
import type { TagDefinition, TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { toNumber } from '../model/trend/series.ts';
import { isGood, qualityWord, stateTextOf } from '../model/values/value-text.ts';
import { readKnownTime } from '../statistics/known-time-api.ts';

const MOST_INTERVALS = 1000;
const LEAST_INTERVAL_MS = 10;

export interface Averages {
  readonly tag: TagDefinition;
  readonly intervalMs: number;
  /** NaN where the average is not good. */
  readonly values: readonly number[];
  readonly timesMs: readonly number[];
  /** Mean over time, as in the statistics; null when no value is good. */
  readonly timeMean: number | null;
}

/** States at the beginnings of the same intervals: the last one holds on, which is uncertain. */
export interface StateColumn {
  readonly tag: TagDefinition;
  /** Texts of them by the time of the interval; of what is bad, and no state, there is none. */
  readonly textAt: ReadonlyMap<number, string>;
}

export async function readStates(
  { dataset, name }: TagRef,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<StateColumn | undefined> {
  const aggregate = { fn: 'Interpolative', interval: `${intervalOfWindow(window)}ms` };
  const [series] = await readTags(dataset, [name], { ...window, aggregate, signal });
  if (series === undefined) return undefined;
  const { tag, timesMs, values, qualities } = series;
  const texts = timesMs.flatMap((timeMs, i) => {
    const text = stateTextOf(tag, values[i] ?? null);
    return text === undefined || qualityWord(qualities[i] as number) === 'bad' ? [] : [[timeMs, text] as const];
  });
  return { tag, textAt: new Map(texts) };
}

export function intervalOfWindow({ startMs, endMs }: TimeWindow): number {
  return Math.max(LEAST_INTERVAL_MS, Math.ceil((endMs - startMs) / MOST_INTERVALS));
}

/** Undefined when there is no such tag. */
export async function readAverages(
  ref: TagRef,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<Averages | undefined> {
  const { dataset, name } = ref;
  const intervalMs = intervalOfWindow(window);
  const aggregate = { fn: 'TimeAverage2', interval: `${intervalMs}ms` };
  const [[series], known] = await Promise.all([
    readTags(dataset, [name], { ...window, aggregate, signal }),
    readKnownTime(ref, window, signal),
  ]);
  if (series === undefined) return undefined;
  const { tag, timesMs, values, qualities } = series;
  const usable = values.map((value, i) => (isGood(qualities[i] as number) ? toNumber(value) : Number.NaN));
  return { tag, intervalMs, timesMs, values: usable, timeMean: known?.mean ?? null };
}
