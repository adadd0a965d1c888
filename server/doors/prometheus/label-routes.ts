// The operations that tell which series there are: their labels, the values of those, and the series themselves.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { createPacer } from '../../process/pacer.ts';
import { nameOf } from '../../routes/request/path-names.ts';
import type { Service } from '../../routes/service/service.ts';
import { EVERY_NAME, readableDatasets } from '../readable/readable-tags.ts';
import { heldBytesOf, LABELS, labelsOf, METRIC_NAMES, type SeriesName, seriesOf } from './evaluation/series.ts';
import { one, type Parameters, parametersOf, wholeNumber } from './form-parameters.ts';
import { badQuery } from './promql/bad-query.ts';
import type { Matcher } from './promql/promql.ts';
import { parseSelector } from './promql/promql-parser.ts';
import { parseMs } from './promql/steps.ts';
import { sendData, streamItems } from './series-writer.ts';

/** The number that Grafana asks for. */
const MAX_ITEMS = 40_000;
const MAX_SELECTORS = 20;
/** What a key of a map takes besides its text. */
const KEY_BYTES = 64;
const CUT = `There are more; narrow them with a selector.`;

type Selectors = readonly (readonly Matcher[])[];

export function labelRoutes(service: Service): Route[] {
  return (['GET', 'POST'] as const).flatMap((method) => [
    { method, pattern: '/prometheus/api/v1/labels', handle: (call) => sendLabels(service, call) },
    { method, pattern: '/prometheus/api/v1/label/{label}/values', handle: (call) => sendLabelValues(service, call) },
    { method, pattern: '/prometheus/api/v1/series', handle: (call) => sendSeries(service, call) },
  ]);
}

async function sendLabels(service: Service, call: RouteContext): Promise<void> {
  const parameters = await parametersOf(call);
  checkTimes(parameters);
  const selectors = selectorsIn(parameters);
  for await (const _ of matching(service, call, selectors)) return sendData(call.response, LABELS);
  sendData(call.response, []);
}

async function sendLabelValues(service: Service, call: RouteContext): Promise<void> {
  const parameters = await parametersOf(call);
  checkTimes(parameters);
  const selectors = selectorsIn(parameters);
  const limit = limitIn(parameters);
  const { request, response, caller } = call;
  const label = nameOf(call, 'label');
  if (label === 'dataset' && selectors.length === 0) {
    const names = await readableDatasets(service, caller, EVERY_NAME);
    return sendData(response, names.slice(0, limit), names.length > limit ? [CUT] : []);
  }
  const values = new Set<string>();
  if (LABELS.some((known) => known === label)) {
    for await (const name of matching(service, call, selectors)) {
      const value = labelsOf(name)[label] as string;
      if (!values.has(value)) request.memory.take(heldBytesOf(name));
      values.add(value);
      const isAll = label === '__name__' && values.size === METRIC_NAMES.length;
      if (isAll || values.size > limit || request.aborted) break;
    }
  }
  const sorted = [...values].sort();
  await streamItems(sorted.slice(0, limit), {
    response,
    pacer: createPacer(),
    isAborted: () => request.aborted,
    warnings: () => (sorted.length > limit ? [CUT] : []),
  });
}

async function sendSeries(service: Service, call: RouteContext): Promise<void> {
  const parameters = await parametersOf(call);
  checkTimes(parameters);
  const selectors = selectorsIn(parameters);
  if (selectors.length === 0)
    throw badQuery(`'match[]' is missing; want a selector such as varve_value{dataset="plant"}.`);
  const limit = limitIn(parameters);
  const { request, response } = call;
  let count = 0;
  async function* items(): AsyncGenerator<unknown> {
    for await (const name of distinct(service, call, selectors, limit)) {
      if (++count > limit) return;
      yield labelsOf(name);
    }
  }
  await streamItems(items(), {
    response,
    pacer: createPacer(),
    isAborted: () => request.aborted,
    warnings: () => (count > limit ? [CUT] : []),
  });
}

/** The series of all selectors, those that several mean more than once; all series without a selector. */
async function* matching(service: Service, call: RouteContext, selectors: Selectors): AsyncGenerator<SeriesName> {
  for (const selector of selectors.length > 0 ? selectors : [[]]) yield* seriesOf(service, call, selector);
}

/** Each series once. Series of several selectors come when all are found, at most one more than `limit`. */
async function* distinct(
  service: Service,
  call: RouteContext,
  selectors: Selectors,
  limit: number,
): AsyncIterable<SeriesName> {
  if (selectors.length === 1) {
    yield* matching(service, call, selectors);
    return;
  }
  const found = new Map<string, SeriesName>();
  for await (const name of matching(service, call, selectors)) {
    const key = JSON.stringify(Object.values(name));
    if (found.has(key)) continue;
    call.request.memory.take(heldBytesOf(name) + KEY_BYTES + key.length);
    if (found.set(key, name).size > limit) break;
  }
  yield* found.values();
}

function selectorsIn(parameters: Parameters): Selectors {
  const texts = parameters.get('match[]') ?? [];
  if (texts.length > MAX_SELECTORS) throw badQuery(`'match[]' was given more than ${MAX_SELECTORS} times.`);
  return texts.map(parseSelector);
}

/** Series are there whatever the time, but a time that is none is a mistake of the client. */
function checkTimes(parameters: Parameters): void {
  const [startMs, endMs] = ['start', 'end'].map((name) => {
    const text = one(parameters, name);
    return text === undefined || text === '' ? undefined : parseMs(name, text);
  });
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) throw badQuery(`'end' is before 'start'.`);
}

function limitIn(parameters: Parameters): number {
  return Math.min(wholeNumber(parameters, 'limit') || MAX_ITEMS, MAX_ITEMS);
}
