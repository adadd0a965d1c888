// Reads of the lines that are made of results of intervals.

import { type AggregateRequest, type ReadRequest, readTags } from '../../api/historian.ts';
import { ApiError, serverNowMs } from '../../api/http.ts';
import { type TagDefinition, tagKey } from '../../model/tags/tag.ts';
import { intervalForServer, intervalStart } from '../../model/time/interval-grid.ts';
import { resolveRange } from '../../model/time/time-range.ts';
import { zoneForServer } from '../../model/time/time-zone.ts';
import { type AggregateChoice, describeAggregate, intervalOf, isOwnUnit } from '../../model/trend/aggregate-choice.ts';
import type { Series } from '../../model/trend/series.ts';
import type { ViewState } from '../../model/trend/view-state.ts';

/** What the line of a tag is made of; undefined for points. */
export function aggregateOf({ axes }: ViewState, dataset: string, name: string): AggregateChoice | undefined {
  return axes.get(tagKey({ dataset, name }))?.aggregate;
}

export interface Intervals {
  readonly intervalMs: number;
  readonly aggregate: AggregateRequest;
  readonly startMs: number;
  readonly endMs: number;
}

/** They begin at the same times of the clocks of the zone in every read, and end now at the latest; undefined when all lie ahead. */
export function intervalsFor(choice: AggregateChoice, view: ViewState, request: ReadRequest): Intervals | undefined {
  const window = resolveRange(view.range, serverNowMs());
  const intervalMs = intervalOf(choice, window.endMs - window.startMs);
  const startMs = intervalStart(request.startMs ?? window.startMs, intervalMs);
  const endMs = Math.min(request.endMs, serverNowMs());
  const aggregate = { fn: choice.fn, interval: intervalForServer(intervalMs), tz: zoneForServer() };
  return endMs <= startMs ? undefined : { intervalMs, aggregate, startMs, endMs };
}

/** The results for the tags that have a choice. */
export async function readAggregated(
  view: ViewState,
  dataset: string,
  names: readonly string[],
  request: ReadRequest,
): Promise<Series[]> {
  const answers = await Promise.all(
    names.map(async (name) => {
      const choice = aggregateOf(view, dataset, name);
      if (choice === undefined) return [];
      const intervals = intervalsFor(choice, view, request);
      if (intervals === undefined) return [];
      const { intervalMs, aggregate, startMs, endMs } = intervals;
      try {
        const series = await readTags(dataset, [name], { ...request, startMs, endMs, aggregate });
        return series.map((one) => ({ ...one, tag: tagOf(one.tag, choice, intervalMs) }));
      } catch (error) {
        // Such as texts, which have no average: links come from anywhere. Then its points are shown.
        if (error instanceof ApiError && error.status === 400) return readTags(dataset, [name], request);
        throw error;
      }
    }),
  );
  return answers.flat();
}

function tagOf(tag: TagDefinition, choice: AggregateChoice, intervalMs: number): TagDefinition {
  const { f: _format, u: _units, ...rest } = tag;
  const named = isOwnUnit(choice) ? { ...rest, ...(choice.fn === 'PercentGood' ? { u: { 1: '%' } } : {}) } : tag;
  return { ...named, t: 'System.Double', aggregate: describeAggregate(choice, intervalMs) };
}
