// The operations that read points.

import type { ReadMarker, ReadRequest, ReadResult } from '../../../engine/index.ts';
import { readBodySchema } from '../../api/schemas/read.ts';
import { badParameter } from '../../api/validation/bad-parameter.ts';
import { readJsonBody } from '../../api/validation/json-body.ts';
import { requireObject } from '../../api/validation/validate.ts';
import { type CalculatedRequest, readCalculated } from '../../calculation/calculated-read.ts';
import { JoinedResult } from '../../calculation/joined-result.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { HeaderList } from '../../http/contract/http-server.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER } from '../answer/answers.ts';
import { resolveAggregates } from '../request/aggregate-parameters.ts';
import { answerFormat, MSGPACK_HEADER } from '../request/media-type.ts';
import { datasetOf, tagOf } from '../request/path-names.ts';
import { queryOf } from '../request/query-parameters.ts';
import {
  parseMarkers,
  type ReadForm,
  type ReadParameters,
  resolveReadForm,
  toReadForm,
  toReadFormOfBody,
} from '../request/read-parameters.ts';
import { nowInstant, type Service } from '../service/service.ts';
import { chosenNames } from './chosen-names.ts';
import { ColumnsReadRenderer } from './columns-read-renderer.ts';
import { MsgpackColumnsRenderer } from './msgpack-columns-renderer.ts';
import { MsgpackReadRenderer } from './msgpack-read-renderer.ts';
import { type AnswerShape, JsonReadRenderer } from './read-renderer.ts';
import { answerRead } from './render-read.ts';
import { answerFile, answerRows } from './table-answers.ts';

const STATUS_TAG = '$System.Status';
const VARY_HEADER = ['Vary', 'Accept'] as const;
/** docs/api.md calls the single-tag read deprecated (RFC 9745 has a date here; none is stated). */
const DEPRECATION_HEADER = ['Deprecation', 'true'] as const;

const RENDERERS = {
  json: { points: JsonReadRenderer, columns: ColumnsReadRenderer },
  msgpack: { points: MsgpackReadRenderer, columns: MsgpackColumnsRenderer },
} as const;

export function readRoutes(service: Service): Route[] {
  return [
    { method: 'GET', pattern: '/api/datasets/{dataset}/data', handle: (call) => readByQuery(service, call) },
    { method: 'POST', pattern: '/api/datasets/{dataset}/read', handle: (call) => readByBody(service, call) },
    {
      method: 'GET',
      pattern: '/api/datasets/{dataset}/data/{tagname...}',
      handle: (call) => readOne(service, call, tagOf(call), [DEPRECATION_HEADER]),
    },
    {
      method: 'GET',
      pattern: '/api/datasets/{dataset}/status',
      handle: (call) => readOne(service, call, STATUS_TAG, []),
    },
  ];
}

function readByQuery(service: Service, call: RouteContext): Promise<void> {
  const form = toReadForm(queryOf(service, call));
  requireTags(form);
  return read(service, call, form, { shape: 'multi', headers: [] });
}

async function readByBody(service: Service, call: RouteContext): Promise<void> {
  const body = requireObject(readBodySchema, await readJsonBody(call.request, service.maxBodyBytes));
  const form = toReadFormOfBody(body);
  if (body.tagname === undefined) requireTags(form);
  await read(service, call, form, { shape: 'multi', headers: [], markers: await parseMarkers(form) });
}

function requireTags({ tags, patterns, expressions }: ReadForm): void {
  if (tags.length + patterns.length + expressions.length > 0) return;
  throw badParameter("'tagname' is missing; name the tags to read, or read all of them with tags=*.");
}

function readOne(service: Service, call: RouteContext, tag: string, headers: HeaderList): Promise<void> {
  const form = {
    ...toReadForm(queryOf(service, call)),
    tags: [tag],
    patterns: [],
    missing: undefined,
    expressions: [],
    expressionNames: [],
  };
  return read(service, call, form, { shape: 'single', headers });
}

interface AnswerKind {
  readonly shape: AnswerShape;
  readonly headers: HeaderList;
  /** Markers from which tags go on, when the request says so. */
  readonly markers?: readonly ReadMarker[] | undefined;
}

async function read(service: Service, call: RouteContext, form: ReadForm, kind: AnswerKind): Promise<void> {
  const { request } = call;
  const { memory } = request;
  const now = nowInstant(service);
  const parameters = resolveReadForm(form, now, service.style, kind.markers);
  const { range } = parameters.request;
  const aggregates =
    form.aggregates.aggregate === undefined
      ? undefined
      : await resolveAggregates(form.aggregates, form.tz, range, { now, isAborted: () => request.aborted, memory });
  const chosen = form.patterns.length === 0 ? undefined : await choose(service, call, form);
  if (request.aborted) return;
  const asked = { ...parameters.request, ...chosen, aggregates: aggregates?.request };
  const { expressions } = parameters;
  const result = readOf(service, datasetOf(call), asked, { expressions, edgesBefore: aggregates?.edgesBefore });
  const headers = [VARY_HEADER, ...kind.headers, ...reducedHeaders(parameters, aggregates), ...olderHeaders(result)];
  const style: ValueStyle = { ...service.style.values, exact: parameters.exactAsText ? 'string' : 'number' };
  const isOfFunctions = aggregates !== undefined;
  const answer = { call, parameters, result, headers, style, now, isOfFunctions };
  if (parameters.form === 'parquet' || parameters.form === 'arrow') return answerFile(answer, parameters.form);
  if (parameters.form === 'rows' || parameters.form === 'wide') return answerRows(answer, parameters.form);
  const format = answerFormat(request);
  const sink = new AnswerSink(call.response, [format === 'msgpack' ? MSGPACK_HEADER : JSON_HEADER, ...headers]);
  const renderer = new RENDERERS[format][parameters.form](sink.out, kind.shape, style);
  const check = isOfFunctions && kind.shape === 'single' ? checkOneEntry : undefined;
  const interval = aggregates?.interval;
  await answerRead(result, { request, sink, renderer, pacer: createPacer(), range, now, interval, check });
}

/** What patterns have found may be gone when it is read. */
async function choose(
  { engine }: Service,
  call: RouteContext,
  form: ReadForm,
): Promise<Pick<ReadRequest, 'tags' | 'skipMissing'>> {
  const names = await chosenNames({ engine, dataset: datasetOf(call), form, request: call.request });
  return { tags: names, skipMissing: true };
}

function readOf(
  { engine }: Service,
  dataset: string,
  request: ReadRequest,
  { expressions, edgesBefore }: Pick<CalculatedRequest, 'expressions' | 'edgesBefore'>,
): ReadResult {
  if (expressions.length === 0) return engine.read(dataset, request);
  const calculated = readCalculated({ engine, dataset, request, expressions, edgesBefore });
  return request.tags.length === 0 ? calculated : new JoinedResult(engine.read(dataset, request), calculated);
}

function checkOneEntry(entryCount: number): void {
  if (entryCount === 1) return;
  throw badParameter(
    `The read of one tag gives one entry, and this would be ${entryCount}; read '/data?tagname=…' instead.`,
  );
}

/** The number of points before reduction is with each tag instead: it is known only after the tag's points. */
function reducedHeaders({ request }: ReadParameters, aggregates: object | undefined): HeaderList {
  if (aggregates !== undefined) return [['Varve-Reduced', 'aggregates']];
  return request.intervals === undefined ? [] : [['Varve-Reduced', `points=${request.intervals}`]];
}

/** Says of what purge has removed here where it came from, or that it is missing. */
function olderHeaders({ older }: ReadResult): HeaderList {
  if (older === undefined) return [];
  return [['Historian-Older', `${older.from}; until=${new Date(older.until.ms).toISOString()}`]];
}
