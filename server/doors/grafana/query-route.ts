// The operation that fills panels: series, tables and annotations of the targets, one after the other.

import { compareInstants, type ReadRange, type ReadResult } from '../../../engine/index.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../../routes/answer/answer-sink.ts';
import { JSON_HEADER } from '../../routes/answer/answers.ts';
import { paced } from '../../routes/answer/paced.ts';
import { streamEntries } from '../../routes/read/render-read.ts';
import { resolveAggregates, toAggregateForm } from '../../routes/request/aggregate-parameters.ts';
import { nowInstant, type Service } from '../../routes/service/service.ts';
import { type AnnotationSource, annotationTable } from './annotations.ts';
import { datasetNamed, tagsNamed } from './chosen-tags.ts';
import { type FilterTest, filtered, toFilterTests } from './filters.ts';
import { fault, type QueryRequest, readRequest, type TargetRequest, toQueryRequest } from './json-requests.ts';
import { PanelRenderer } from './panel-renderer.ts';
import { SHOW_NAMES, STATUS_TAG } from './shown.ts';

/** Width of the widest screen. */
const MAX_INTERVALS = 8000;
/** Points that are usually shown of an interval: two to four, up to 8. */
const POINTS_AN_INTERVAL = 2;

/** One target, ready to be answered. */
interface Part {
  readonly target: TargetRequest;
  readonly dataset: string;
  readonly result: ReadResult;
  readonly interval: Readonly<Record<string, number | string>> | undefined;
}

/** One target, and what counts for all of them. */
interface Asked {
  readonly query: QueryRequest;
  readonly filters: readonly FilterTest[];
  readonly target: TargetRequest;
}

export async function answerQuery(service: Service, call: RouteContext): Promise<void> {
  const query = toQueryRequest(await readRequest(call));
  if (compareInstants(query.start, query.end) > 0) throw fault('/range', 'want a start before the end');
  const parts: Part[] = [];
  const filters = await toFilterTests(query.filters, () => call.request.aborted);
  for (const target of query.targets)
    if (target.dataset !== '') parts.push(await preparePart(service, call, { query, filters, target }));
  const sink = new AnswerSink(call.response, [JSON_HEADER]);
  try {
    await writeParts(service, call, query, { parts, sink });
    if (call.request.aborted) return;
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

async function writeParts(
  service: Service,
  { request }: RouteContext,
  { start, end }: QueryRequest,
  { parts, sink }: { readonly parts: readonly Part[]; readonly sink: AnswerSink },
): Promise<void> {
  const renderer = new PanelRenderer(sink.out);
  const pacer = createPacer();
  const now = nowInstant(service);
  const range = { kind: 'range', start, end } as const;
  const stateEnd = compareInstants(end, now) < 0 ? end : now;
  const isAborted = (): boolean => request.aborted;
  renderer.begin();
  for (const { target, dataset, result, interval } of parts) {
    const { refId, show } = target;
    const source = { dataset, refId, start, end: stateEnd, pacer, isAborted };
    if (show === 'states') await writeAnnotations(result, { sink, renderer }, { ...source, kind: 'state' });
    else if (show === 'statuses') await writeAnnotations(result, { sink, renderer }, { ...source, kind: 'status' });
    else {
      renderer.turnTo({ refId, isTable: show === 'table' });
      await streamEntries(result, { request, sink, renderer, pacer, range, now, interval });
    }
    if (request.aborted) return;
  }
  renderer.end();
}

async function writeAnnotations(
  result: ReadResult,
  { sink, renderer }: { readonly sink: AnswerSink; readonly renderer: PanelRenderer },
  source: AnnotationSource,
): Promise<void> {
  for (let i = 0; i < result.tagCount && !source.isAborted(); i++) {
    renderer.separate();
    for await (const part of annotationTable(result.open(i), source)) {
      sink.out.utf8(part);
      const waiting = paced(sink, source.pacer);
      if (waiting !== undefined) await waiting;
    }
  }
}

async function preparePart(
  service: Service,
  { request, caller }: RouteContext,
  { query, filters, target }: Asked,
): Promise<Part> {
  const { show } = target;
  const isAborted = (): boolean => request.aborted;
  const dataset = await datasetNamed(service, caller, target.dataset);
  if (!SHOW_NAMES.includes(show))
    throw fault('/targets', `'show' is '${show.slice(0, 100)}'; want one of ${SHOW_NAMES.join(', ')}`);
  const named = show === 'statuses' ? [] : await tagsNamed(service, dataset, target.tags, isAborted);
  const tags = show === 'statuses' ? [STATUS_TAG] : await filtered(named, filters, isAborted);
  const range: ReadRange = { kind: 'range', start: query.start, end: query.end };
  const asked = { tags, range, carryIn: true, skipMissing: true, limit: undefined, after: [] };
  const { engine } = service;
  if (show === 'table' || show === 'states' || show === 'statuses') {
    return { target, dataset, result: engine.read(dataset, asked), interval: undefined };
  }
  if (show === 'points') {
    const wanted = Math.ceil(query.maxDataPoints / POINTS_AN_INTERVAL);
    const intervals = Math.min(MAX_INTERVALS, wanted);
    return { target, dataset, result: engine.read(dataset, { ...asked, intervals }), interval: undefined };
  }
  const values: Readonly<Record<string, string>> = { interval: `${query.intervalMs}ms`, align: 'true' };
  const form = toAggregateForm((name) => (name === 'aggregate' ? [show] : values[name]));
  const waiting = { now: nowInstant(service), isAborted, memory: request.memory };
  const aggregates = await resolveAggregates(form, undefined, range, waiting);
  const result = engine.read(dataset, { ...asked, carryIn: false, aggregates: aggregates?.request });
  await result.settle?.();
  return { target, dataset, result, interval: aggregates?.interval };
}
