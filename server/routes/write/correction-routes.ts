// The operations that correct points of the past, list what was corrected, and take it back.

import type { CorrectionReceipt, CorrectionRequest, PointBatch } from '../../../engine/index.ts';
import { badParameter, oneOf } from '../../api/validation/bad-parameter.ts';
import { bodyProblem } from '../../api/validation/validate.ts';
import type { ParsedBody } from '../../codec/body/batch-builder.ts';
import { BODY_SPARE_BYTES } from '../../http/contract/body-bytes.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { sendJson } from '../answer/answers.ts';
import { bodyFormat } from '../request/media-type.ts';
import { datasetOf, nameOf } from '../request/path-names.ts';
import { queryOf } from '../request/query-parameters.ts';
import { parseCount, type QueryParameters, single, toReadForm } from '../request/read-parameters.ts';
import { resolveTimeRange } from '../request/time-range.ts';
import { nowInstant, type Service } from '../service/service.ts';
import { toCorrectionAnswer } from './correction-answer.ts';
import { POINT_BODIES, type PointBodies } from './point-bodies.ts';
import { MAX_TEXT_BYTES } from './store-batch.ts';

const LIST = '/api/datasets/{dataset}/corrections';
const ONE = '/api/datasets/{dataset}/corrections/{correction}';
const UNDO = '/api/datasets/{dataset}/corrections/{correction}/undo';

/** Size of as many points as a correction may have, in their longest usual form. */
const MAX_BODY_BYTES = 2 ** 20;
const MAX_REASON_LENGTH = 1000;
const MAX_LISTED = 1000;
const USUALLY_LISTED = 100;

export function correctionRoutes(service: Service): Route[] {
  return [
    { method: 'GET', pattern: LIST, handle: async (call) => list(service, call) },
    { method: 'POST', pattern: LIST, handle: (call) => correct(service, call) },
    { method: 'GET', pattern: ONE, handle: async (call) => show(service, call) },
    { method: 'POST', pattern: UNDO, handle: (call) => undo(service, call) },
  ];
}

function list(service: Service, call: RouteContext): void {
  const query = queryOf(service, call);
  const filter = {
    tag: single(query, 'tagname'),
    before: parseCount('before', single(query, 'before'), Number.MAX_SAFE_INTEGER),
    limit: parseCount('limit', single(query, 'limit'), MAX_LISTED) ?? USUALLY_LISTED,
  };
  const listed = service.engine.corrections(datasetOf(call), filter);
  sendJson(call.response, 200, listed.map(toCorrectionAnswer));
}

function show(service: Service, call: RouteContext): void {
  sendJson(call.response, 200, toCorrectionAnswer(service.engine.correction(datasetOf(call), idOf(call))));
}

async function correct(service: Service, call: RouteContext): Promise<void> {
  const asked = readQuery(service, call);
  const dataset = datasetOf(call);
  const bytes = await call.request.readBody(Math.min(MAX_BODY_BYTES, service.maxBodyBytes));
  const bodies = POINT_BODIES[bodyFormat(call.request)];
  const parsed = bytes.length > 0 ? await parse(service, call, { bodies, tag: asked.tag, bytes }) : undefined;
  let receipt: CorrectionReceipt;
  try {
    if (parsed && parsed.faultCount > 0) throw bodyProblem(parsed.faults, parsed.faultCount);
    if (parsed) refuseStamped(parsed.batch);
    receipt = await service.engine.correct(dataset, { ...asked, batch: parsed?.batch });
  } finally {
    if (parsed) bodies.release(parsed.batch);
  }
  const { id, hidden, added } = receipt;
  if (id === undefined) return sendJson(call.response, 200, { hidden, added });
  call.caller.audit('points.correct', { dataset, tags: [asked.tag], correction: id, kind: asked.kind, hidden, added });
  const location = ['Location', `/api/datasets/${encodeURIComponent(dataset)}/corrections/${id}`] as const;
  const correction = toCorrectionAnswer(service.engine.correction(dataset, id));
  return sendJson(call.response, 201, { ...correction, hidden, added }, [location]);
}

function readQuery(service: Service, call: RouteContext): Omit<CorrectionRequest, 'batch'> {
  const query = queryOf(service, call);
  const form = toReadForm(query);
  const [tag, ...others] = form.tags;
  if (tag === undefined || others.length > 0) throw badParameter("'tagname' wants one tag: the one that is corrected.");
  const kind = oneOf('kind', single(query, 'kind'), ['delete', 'replace', 'insert']);
  if (kind === undefined) throw badParameter("'kind' is missing; want delete, replace or insert.");
  const range = resolveTimeRange(form, nowInstant(service));
  if (kind !== 'insert' && range.kind !== 'range')
    throw badParameter(
      "'start' is missing; want the range that is corrected, 'start' and 'end', which both belong to it.",
    );
  return {
    tag,
    kind,
    range: range.kind === 'range' ? { start: range.start, end: range.end } : undefined,
    by: call.caller.ownerName ?? '',
    reason: reasonOf(query),
    isPreview: oneOf('preview', single(query, 'preview'), ['true', 'false']) === 'true',
  };
}

interface GivenPoints {
  readonly bodies: PointBodies['json'];
  readonly tag: string;
  readonly bytes: Uint8Array;
}

async function parse(service: Service, call: RouteContext, { bodies, tag, bytes }: GivenPoints): Promise<ParsedBody> {
  const lookup = () => service.engine.lookup(datasetOf(call));
  const options = {
    shape: { kind: 'points', tag },
    handling: 'strict',
    arrivalMs: Math.floor(service.nowMs()),
    maxTextBytes: MAX_TEXT_BYTES,
    truths: service.style.truths,
    memberNames: service.style.names,
    spareBytes: BODY_SPARE_BYTES,
    lookup: lookup(),
  } as const;
  return bodies.parse(bytes, options, call.request, lookup);
}

function refuseStamped({ runs }: PointBatch): void {
  if (runs.some(({ stamped }) => stamped > 0))
    throw badParameter("A point has no time 't'; points of the past need one.");
}

async function undo(service: Service, call: RouteContext): Promise<void> {
  const dataset = datasetOf(call);
  const id = idOf(call);
  const reason = reasonOf(queryOf(service, call));
  const undone = await service.engine.undoCorrection(dataset, id, call.caller.ownerName ?? '', reason);
  call.caller.audit('correction.undo', { dataset, tags: [undone.tag], correction: id });
  sendJson(call.response, 200, toCorrectionAnswer(undone));
}

function reasonOf(query: QueryParameters): string {
  const reason = single(query, 'reason') ?? '';
  if (reason.length <= MAX_REASON_LENGTH) return reason;
  throw badParameter(`'reason' has ${reason.length} characters; ${MAX_REASON_LENGTH} are allowed.`);
}

function idOf(call: RouteContext): number {
  const text = nameOf(call, 'correction');
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new ProblemError(404, `Correction ${text.slice(0, 100)} could not be found: want a number from the list.`, {
    key: 'Error.CorrectionNotFound',
  });
}
