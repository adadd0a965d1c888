// Reads of the lines that are made of results of intervals.

import { type AggregateRequest, type ReadRequest, readTags } from '../api/historian.ts';
import { ApiError, serverNowMs } from '../api/http.ts';
import { type TagDefinition, tagKey } from '../model/tags/tag.ts';
import { intervalForServer, intervalStart } from '../model/time/interval-grid.ts';
import { resolveRange } from '../model/time/time-range.ts';
import { zoneForServer } from '../model/time/time-zone.ts';
import {
  type AggregateChoice,
  countsPoints,
  describeAggregate,
  intervalOf,
  isOwnUnit,
} from '../model/trend/aggregate-choice.ts';
import { intervalsOf, knownEnd, knownTimeEnd } from '../model/trend/open-interval.ts';
import type { Series } from '../model/trend/series.ts';
import type { ViewState } from '../model/trend/view-state.ts';

/** What the line of a tag is made of; undefined for points. */
export function aggregateOf({ axes }: ViewState, dataset: string, name: string): AggregateChoice | undefined {
  return axes.get(tagKey({ dataset, name }))?.aggregate;
}

export interface ReadIntervals {
  readonly intervalMs: number;
  readonly aggregate: AggregateRequest;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * They begin at the same times of the clocks of the zone in every read, and end at the latest with the newest point, as far as
 * that is known; undefined when all lie behind it.
 */
export function intervalsFor(
  choice: AggregateChoice,
  view: ViewState,
  request: ReadRequest,
  newestMs: number,
): ReadIntervals | undefined {
  const intervalMs = intervalMsFor(choice, view);
  const window = resolveRange(view.range, serverNowMs());
  const startMs = intervalStart(request.startMs ?? window.startMs, intervalMs);
  const end = countsPoints(choice) ? knownEnd : knownTimeEnd;
  const endMs = end(Math.min(request.endMs, serverNowMs()), newestMs);
  const aggregate = { fn: choice.fn, interval: intervalForServer(intervalMs), tz: zoneForServer() };
  return endMs <= startMs ? undefined : { intervalMs, aggregate, startMs, endMs };
}

/** How long intervals are in this view. */
export function intervalMsFor(choice: AggregateChoice, view: ViewState): number {
  const { startMs, endMs } = resolveRange(view.range, serverNowMs());
  return intervalOf(choice, endMs - startMs);
}

/** The newest points of tags up to now, in the order asked for; of a tag without one an empty series. */
export function readNewest(dataset: string, names: readonly string[], { signal }: ReadRequest): Promise<Series[]> {
  if (names.length === 0) return Promise.resolve([]);
  return readTags(dataset, names, { endMs: serverNowMs(), ...(signal && { signal }) });
}

export function newestTimeOf({ timesMs }: Series): number {
  return timesMs.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** The results for the tags that have a choice. */
export async function readAggregated(
  view: ViewState,
  dataset: string,
  names: readonly string[],
  request: ReadRequest,
): Promise<Series[]> {
  const chosen = names.filter((name) => aggregateOf(view, dataset, name) !== undefined);
  const newest = await readNewest(dataset, chosen, request);
  const answers = await Promise.all(newest.map((one) => readResults(view, one, request)));
  return answers.flat();
}

async function readResults(view: ViewState, newest: Series, request: ReadRequest): Promise<Series[]> {
  const { dataset, name } = newest.ref;
  const choice = aggregateOf(view, dataset, name);
  if (choice === undefined) return [];
  const newestMs = newestTimeOf(newest);
  const intervals = intervalsFor(choice, view, request, newestMs);
  if (intervals === undefined) {
    const tag = tagOf(newest.tag, choice, intervalMsFor(choice, view));
    return [{ ...newest, tag, timesMs: [], values: [], qualities: [] }];
  }
  const { intervalMs, aggregate, startMs, endMs } = intervals;
  try {
    const series = await readTags(dataset, [name], { ...request, startMs, endMs, aggregate });
    return series.map((one) =>
      withIntervals({ ...one, tag: tagOf(one.tag, choice, intervalMs) }, intervalMs, newestMs),
    );
  } catch (error) {
    // Such as texts, which have no average: links come from anywhere. Then its points are shown.
    if (error instanceof ApiError && error.status === 400) return readTags(dataset, [name], request);
    throw error;
  }
}

export function withIntervals(series: Series, intervalMs: number, newestMs: number): Series {
  const intervals = intervalsOf(series.timesMs, intervalMs, newestMs);
  return intervals === undefined ? series : { ...series, intervals };
}

function tagOf(tag: TagDefinition, choice: AggregateChoice, intervalMs: number): TagDefinition {
  const { f: _format, u: _units, ...rest } = tag;
  const named = isOwnUnit(choice) ? { ...rest, ...(choice.fn === 'PercentGood' ? { u: { 1: '%' } } : {}) } : tag;
  return { ...named, t: 'System.Double', aggregate: describeAggregate(choice, intervalMs) };
}
