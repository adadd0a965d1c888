// The operations that write points, and the one that takes them away again.

import type { WriteReceipt } from '../../../engine/index.ts';
import { badParameter } from '../../api/validation/bad-parameter.ts';
import { bodyProblem } from '../../api/validation/validate.ts';
import type { WriteBodyShape } from '../../codec/read-json/tvq-parser.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import { BODY_SPARE_BYTES } from '../../http/contract/body-bytes.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import type { Written } from '../../metrics/writer-figures.ts';
import { sendDone, sendJson } from '../answer/answers.ts';
import { bodyFormat } from '../request/media-type.ts';
import { datasetOf, tagOf } from '../request/path-names.ts';
import { appliedHeader, readPreferences } from '../request/prefer.ts';
import { queryOf } from '../request/query-parameters.ts';
import { toReadForm } from '../request/read-parameters.ts';
import { resolveTimeRange } from '../request/time-range.ts';
import { nowInstant, type Service } from '../service/service.ts';
import { POINT_BODIES } from './point-bodies.ts';
import { formatTagCounts, type ReceiptOptions, sendReceipt } from './receipt.ts';
import { MAX_TEXT_BYTES, storeBatch } from './store-batch.ts';

const MULTI = '/api/datasets/{dataset}/data';
const SINGLE = '/api/datasets/{dataset}/data/{tagname...}';

export function writeRoutes(service: Service): Route[] {
  return [
    { method: 'POST', pattern: MULTI, handle: (call) => writePoints(service, call, { kind: 'tags' }) },
    {
      method: 'POST',
      pattern: SINGLE,
      handle: (call) => writePoints(service, call, { kind: 'points', tag: tagOf(call) }),
    },
    { method: 'DELETE', pattern: MULTI, handle: (call) => deletePoints(service, call) },
  ];
}

interface StoredBody extends Written, Omit<ReceiptOptions, 'rejectedCount'> {
  readonly receipt: WriteReceipt;
}

async function writePoints(service: Service, call: RouteContext, shape: WriteBodyShape): Promise<void> {
  const dataset = datasetOf(call);
  const { request, response } = call;
  const store = (): Promise<StoredBody> => storeBody(service, call, dataset, shape);
  const stored = await (service.writers?.count({ dataset, way: 'api', request }, store) ?? store());
  const { receipt, rejected: rejectedCount, ...options } = stored;
  const sending = sendReceipt(response, receipt, { rejectedCount, ...options });
  if (sending !== undefined) await sending;
}

async function storeBody(
  service: Service,
  call: RouteContext,
  dataset: string,
  shape: WriteBodyShape,
): Promise<StoredBody> {
  const { request } = call;
  const preferences = readPreferences(request);
  const handling = preferences.handling ?? service.handling;
  const bytes = await request.readBody(service.maxBodyBytes);
  const bodies = POINT_BODIES[bodyFormat(request)];
  const { truths, names: memberNames } = service.style;
  const arrivalMs = Math.floor(service.nowMs());
  const lookup = service.engine.lookup(dataset);
  const spareBytes = BODY_SPARE_BYTES;
  // One literal: an object that is spread and added to is of another shape in every request, which nothing is compiled for.
  const options = { shape, handling, lookup, arrivalMs, maxTextBytes: MAX_TEXT_BYTES, truths, memberNames, spareBytes };
  const reading = bodies.parse(bytes, options, request, () => service.engine.lookup(dataset));
  const parsed = reading instanceof Promise ? await reading : reading;
  request.reuseBody();
  let receipt: WriteReceipt;
  let tagCounts: readonly Uint8Array[] = [];
  try {
    if (handling === 'strict' && parsed.faultCount > 0) throw bodyProblem(parsed.faults, parsed.faultCount);
    receipt = await storeBatch(service, { dataset, caller: call.caller }, parsed.batch);
    if (preferences.isReceiptWanted) tagCounts = await formatTagCounts(receipt);
  } finally {
    bodies.release(parsed.batch);
  }
  const [firstFault] = parsed.faults;
  const fault = firstFault && `${firstFault.path}: ${firstFault.message}`;
  return { receipt, rejected: parsed.rejected, preferences, tagCounts, firstFault, fault };
}

async function deletePoints(service: Service, call: RouteContext): Promise<void> {
  const form = toReadForm(queryOf(service, call));
  const range = resolveTimeRange(form, nowInstant(service));
  if (form.tags.length === 0) throw badParameter("'tagname' is missing; name the tags whose points to remove.");
  if (range.kind !== 'range') throw badParameter("'start' is missing; want the time from which on points are removed.");
  const hasEnd = (form.end ?? form.unixEnd ?? form.relativeEnd) !== undefined;
  if (hasEnd) throw badParameter('An end was given; points are removed from the start on, up to the newest.');
  const preferences = { ...readPreferences(call.request), handling: undefined };
  const { removed } = await service.engine.deletePoints(datasetOf(call), form.tags, range.start);
  const start = formatInstant(range.start);
  call.caller.audit('points.remove', { dataset: datasetOf(call), tags: form.tags, start, removed });
  const headers = [['Historian-Removed', String(removed)] as const, ...appliedHeader(preferences)];
  if (preferences.isReceiptWanted) sendJson(call.response, 200, { removed }, headers);
  else sendDone(call.response, headers);
}
