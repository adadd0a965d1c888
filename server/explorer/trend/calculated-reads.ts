// Reads of the calculated series of a trend: each by itself, so that a fault of one stops no other line.

import { readExpression } from '../api/expressions.ts';
import type { ReadRequest } from '../api/historian.ts';
import { ApiError, serverNowMs } from '../api/http.ts';
import { type CalculatedRef, isCalculated } from '../model/tags/tag.ts';
import { resolveRange } from '../model/time/time-range.ts';
import { addsUp, CALCULATED_OF, calculatedDefinition, tagsOfExpression } from '../model/trend/calculated.ts';
import { createSeries, type Series } from '../model/trend/series.ts';
import type { ViewState } from '../model/trend/view-state.ts';
import { intervalMsFor, intervalsFor, newestTimeOf, readNewest, withIntervals } from './aggregated-reads.ts';

const NO_POINTS = { t: [], v: [], q: [] };

/** One that cannot be calculated has no points, but says why. */
export async function readCalculated(view: ViewState, request: ReadRequest): Promise<Series[]> {
  const answers = await Promise.all(view.tags.filter(isCalculated).map((ref) => readOne(view, ref, request)));
  return answers.flat();
}

async function readOne(view: ViewState, ref: CalculatedRef, asked: ReadRequest): Promise<Series[]> {
  const request = isTail(asked) && addsUp(ref.expression) ? { ...asked, startMs: windowStart(view) } : asked;
  const { signal } = request;
  try {
    const newestMs = await newestOfAll(ref, request);
    const intervals = intervalsFor(CALCULATED_OF, view, request, newestMs);
    const length = intervalMsFor(CALCULATED_OF, view);
    if (intervals === undefined) return [createSeries(ref, calculatedDefinition(ref, length), NO_POINTS)];
    const { intervalMs, aggregate, startMs, endMs } = intervals;
    const columns = await readExpression(ref, { startMs, endMs, aggregate, ...(signal && { signal }) });
    return [withIntervals(createSeries(ref, calculatedDefinition(ref, intervalMs), columns), intervalMs, newestMs)];
  } catch (error) {
    // Without a token nothing is read, and whoever is there is asked for one.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return [{ ...createSeries(ref, calculatedDefinition(ref), NO_POINTS), fault: error.message }];
  }
}

/** Whole reads bring in what is in force at their start. */
function isTail({ isCarried }: ReadRequest): boolean {
  return isCarried !== true;
}

function windowStart({ range }: ViewState): number {
  return resolveRange(range, serverNowMs()).startMs;
}

/** Until when all tags of it are known. What is wrong with one, the read of the expression says. */
async function newestOfAll({ dataset, expression }: CalculatedRef, request: ReadRequest): Promise<number> {
  const newest = await readNewest(dataset, tagsOfExpression(expression), request);
  const times = newest.map(newestTimeOf).filter(Number.isFinite);
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}
