// Answers about entity sets: pages of rows, one entity, and counts.

import { badParameter } from '../../api/validation/bad-parameter.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../../routes/answer/answer-sink.ts';
import { paced } from '../../routes/answer/paced.ts';
import { queryOf } from '../../routes/request/query-parameters.ts';
import { single } from '../../routes/request/read-parameters.ts';
import type { Service } from '../../routes/service/service.ts';
import { sendMetadata } from './documents.ts';
import { nextLink, setContext } from './links.ts';
import { ENTITY_SETS, type EntitySet, kindsOf, type SetName } from './model/entity-sets.ts';
import { checkVersion, headersOf, jsonHeaders, metadataLevel } from './protocol.ts';
import { type Filter, parseKey } from './query/filter-parser.ts';
import { giveAggregates } from './rows/aggregate-rows.ts';
import type { AskedRows, GiveRows } from './rows/asked-rows.ts';
import { giveDatasets, giveTags } from './rows/list-rows.ts';
import { giveCurrent, givePoints } from './rows/point-rows.ts';
import { RowCount, RowPage } from './rows/row-sink.ts';
import { parseOptions, type SetOptions } from './set-options.ts';

/** Rows of a page, unless a client would rather have fewer (`Prefer: maxpagesize`). */
const PAGE_ROWS = 50_000;
const PAGE_SIZE = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*(\d{1,9})/i;

const SOURCES: Readonly<Record<SetName, GiveRows>> = {
  Datasets: giveDatasets,
  Tags: giveTags,
  Points: givePoints,
  CurrentValues: giveCurrent,
  Aggregates: giveAggregates,
};

/** The resource behind the root: `$metadata`, a set, its count, or one of its entities. */
export async function sendResource(service: Service, call: RouteContext): Promise<void> {
  const { request } = call;
  checkVersion(request);
  const resource = call.params.get('resource') ?? '';
  if (resource === '$metadata') return sendMetadata(service, call);
  const [path, isCount] = resource.endsWith('/$count') ? [resource.slice(0, -7), true] : [resource, false];
  const set = ENTITY_SETS.find(({ name }) => name === path);
  if (set !== undefined) return isCount ? sendCount(service, call, set) : sendPage(service, call, set);
  const [, name, key] = /^(\w+)\((.*)\)$/s.exec(resource) ?? [];
  const keyed = ENTITY_SETS.find((one) => one.name === name);
  if (keyed === undefined || key === undefined) throw nothingAt(resource);
  await sendEntity(service, call, keyed, parseKey(key, keyed.key, kindsOf(keyed)));
}

function nothingAt(resource: string): ProblemError {
  const names = ENTITY_SETS.map(({ name }) => name).join(', ');
  return new ProblemError(404, `There is no '${resource.slice(0, 100)}' in this feed; it has $metadata, ${names}.`);
}

async function sendPage(service: Service, call: RouteContext, set: EntitySet): Promise<void> {
  const { request, response } = call;
  const query = queryOf(service, call);
  const level = metadataLevel(request, single(query, '$format'));
  const options = parseOptions(query, set);
  const count = options.hasCount ? await countOf(service, call, set, options) : undefined;
  if (request.aborted) return;
  const sink = new AnswerSink(response, jsonHeaders(level));
  const { out } = sink;
  const most = Math.min(options.top ?? Number.POSITIVE_INFINITY, pageRows(request.header('prefer')));
  const page = new RowPage(out, options.selected, { skip: options.skip, most });
  out.utf8('{');
  if (level !== 'none')
    out.utf8(`"@odata.context":${JSON.stringify(setContext(service, call, set, options.selected))},`);
  if (count !== undefined) out.ascii(`"@odata.count":${count},`);
  out.ascii('"value":[');
  try {
    const pacer = createPacer();
    const asked = askedRows(service, call, options, () => paced(sink, pacer));
    const next = await SOURCES[set.name](asked, page);
    if (request.aborted) return;
    const left = options.top === undefined ? undefined : options.top - page.rowCount;
    const isMore = next !== undefined && left !== 0;
    out.utf8(isMore ? `],"@odata.nextLink":${JSON.stringify(nextLink(service, call, set, { next, left }))}}` : ']}');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

function pageRows(prefer: string | undefined): number {
  const asked = Number(PAGE_SIZE.exec(prefer ?? '')?.[1] ?? PAGE_ROWS);
  return Math.min(PAGE_ROWS, Math.max(1, asked));
}

async function sendCount(service: Service, call: RouteContext, set: EntitySet): Promise<void> {
  const options = parseOptions(queryOf(service, call), set);
  const count = await countOf(service, call, set, options);
  if (!call.request.aborted) call.response.send(200, headersOf('text/plain'), String(count));
}

async function sendEntity(service: Service, call: RouteContext, set: EntitySet, key: Filter): Promise<void> {
  const { request, response } = call;
  const query = queryOf(service, call);
  if (query.has('$filter')) throw badParameter(`'$filter' does not go with the key of an entity.`);
  const level = metadataLevel(request, single(query, '$format'));
  const options = parseOptions(query, set, key);
  const sink = new AnswerSink(response, jsonHeaders(level));
  let text: string | undefined;
  const page = new RowPage(sink.out, options.selected, { skip: 0, most: 1 });
  const taking = {
    room: 1,
    isCounting: false,
    pass: () => {},
    put: (row: Parameters<RowPage['put']>[0]) => (text ??= page.formatRow(row)),
  };
  const pacer = createPacer();
  await SOURCES[set.name](
    askedRows(service, call, options, () => (pacer.isDue() ? pacer.yield() : undefined)),
    taking,
  );
  if (request.aborted) return;
  if (text === undefined) throw new ProblemError(404, `There is no entity with this key in ${set.name}.`);
  const context =
    level === 'none'
      ? ''
      : `"@odata.context":${JSON.stringify(`${setContext(service, call, set, options.selected)}/$entity`)},`;
  sink.out.utf8(`{${context}${text.slice(1)}`);
  await sink.end();
}

/** All rows that the filter leaves, whatever page is asked for. */
async function countOf(service: Service, call: RouteContext, set: EntitySet, options: SetOptions): Promise<number> {
  const counted = new RowCount();
  const pacer = createPacer();
  const asked = askedRows(service, call, { ...options, from: undefined }, () =>
    pacer.isDue() ? pacer.yield() : undefined,
  );
  await SOURCES[set.name](asked, counted);
  return counted.count;
}

function askedRows(
  service: Service,
  call: RouteContext,
  { parts, from }: SetOptions,
  breathe: AskedRows['breathe'],
): AskedRows {
  return { service, call, parts, from, query: queryOf(service, call), breathe };
}
