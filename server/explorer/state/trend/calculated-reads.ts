// Reads of the calculated series of a trend: each by itself, so that a fault of one stops no other line.

import { readExpression } from '../../api/expressions.ts';
import type { ReadRequest } from '../../api/historian.ts';
import { ApiError } from '../../api/http.ts';
import { type CalculatedRef, isCalculated } from '../../model/tags/tag.ts';
import { CALCULATED_OF, calculatedDefinition } from '../../model/trend/calculated.ts';
import { createSeries, type Series } from '../../model/trend/series.ts';
import type { ViewState } from '../../model/trend/view-state.ts';
import { intervalsFor } from './aggregated-reads.ts';

/** One that cannot be calculated has no points, but says why. */
export async function readCalculated(view: ViewState, request: ReadRequest): Promise<Series[]> {
  const answers = await Promise.all(view.tags.filter(isCalculated).map((ref) => readOne(view, ref, request)));
  return answers.flat();
}

async function readOne(view: ViewState, ref: CalculatedRef, request: ReadRequest): Promise<Series[]> {
  const intervals = intervalsFor(CALCULATED_OF, view, request);
  if (intervals === undefined) return [];
  const { intervalMs, aggregate, startMs, endMs } = intervals;
  const { signal } = request;
  try {
    const columns = await readExpression(ref, { startMs, endMs, aggregate, ...(signal && { signal }) });
    return [createSeries(ref, calculatedDefinition(ref, intervalMs), columns)];
  } catch (error) {
    // Without a token nothing is read, and whoever is there is asked for one.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    const none = createSeries(ref, calculatedDefinition(ref), { t: [], v: [], q: [] });
    return [{ ...none, fault: error.message }];
  }
}
