// Writing: current values as points like all others, history as corrections of the past.

import type { CorrectionReceipt, WriteReceipt } from '../../../engine/index.ts';
import { isJsonObject } from '../../api/validation/json-schema.ts';
import { exactJson } from '../../api/validation/long-number.ts';
import { bodyProblem } from '../../api/validation/validate.ts';
import type { Role } from '../../auth/rules/role.ts';
import type { ParsedBody } from '../../codec/body/batch-builder.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import type { Service } from '../../routes/service/service.ts';
import { MAX_TEXT_BYTES } from '../../routes/write/store-batch.ts';

import { detailOfError, NOTHING, type Outcome, sendBulk } from './elements/answers.ts';
import { parseElementId } from './elements/element-ids.ts';
import { Objects } from './elements/objects.ts';
import { listAt, readObject } from './elements/requests.ts';
import { QUALITIES } from './elements/vqt.ts';

/** Written at a time: they share syncs. */
const AT_ONCE = 64;
const MAX_UPDATES = 10_000;

interface Update {
  readonly elementId: string;
  readonly dataset: string;
  readonly tag: string;
  readonly point: { readonly t?: string; readonly v: unknown; readonly q: number };
}

type Store = (update: Update) => Promise<unknown>;

export function updateRoutes(service: Service, base: string): Route[] {
  const parser = new TvqParser();
  return [
    {
      method: 'PUT',
      pattern: `${base}/objects/value`,
      handle: (call) => update(service, call, 'write', (one) => writeCurrent(service, parser, one)),
    },
    {
      method: 'PUT',
      pattern: `${base}/objects/history`,
      handle: (call) => update(service, call, 'admin', (one) => correct(service, parser, call, one)),
    },
  ];
}

async function update(service: Service, call: RouteContext, role: Role, store: Store): Promise<void> {
  const updates = listAt(await readObject(service, call, 'exact'), 'updates', MAX_UPDATES);
  const ids = updates.map((one, i) => {
    if (isJsonObject(one) && typeof one.elementId === 'string') return one.elementId;
    throw new ProblemError(400, `'updates' has no object with an 'elementId' at ${i}.`);
  });
  const objects = new Objects(service, call);
  const outcomes: Outcome[] = [];
  for (let from = 0; from < updates.length; from += AT_ONCE) {
    const some = updates
      .slice(from, from + AT_ONCE)
      .map((one) => outcomeOf(() => toUpdate(objects, call, role, one), store));
    outcomes.push(...(await Promise.all(some)));
  }
  await sendBulk(call, ids, (_id, i) => outcomes[i] as Outcome);
}

async function outcomeOf(read: () => Promise<Update>, store: Store): Promise<Outcome> {
  try {
    await store(await read());
    return NOTHING;
  } catch (error) {
    return { detail: detailOfError(error) };
  }
}

async function toUpdate(objects: Objects, { caller }: RouteContext, role: Role, one: unknown): Promise<Update> {
  const { elementId, value: vqt } = one as { elementId: string; value: unknown };
  const element = parseElementId(elementId);
  const found = element && (await objects.find(elementId));
  if (found === undefined) throw new ProblemError(404, 'There is no such element.');
  if (found.element.kind !== 'tag') throw new ProblemError(400, 'Only tags have values that can be written.');
  const { dataset, tag } = found.element;
  caller.require(role, dataset);
  if (!isJsonObject(vqt) || vqt.value === undefined)
    throw new ProblemError(400, "'value' is no object with a 'value'.");
  const { timestamp } = vqt;
  const isTimed = timestamp !== undefined && timestamp !== null;
  if (role === 'admin' && (!isTimed || vqt.quality === undefined))
    throw new ProblemError(400, "'quality' and 'timestamp' are needed to write history.");
  if (isTimed && typeof timestamp !== 'string') throw new ProblemError(400, "'timestamp' is no text.");
  const q = QUALITIES.get(vqt.quality ?? 'Good');
  if (q === undefined)
    throw new ProblemError(400, `'quality' is wrong; want one of ${[...QUALITIES.keys()].join(', ')}.`);
  const v = vqt.quality === 'GoodNoData' || vqt.quality === 'Bad' ? null : vqt.value;
  return { elementId, dataset, tag, point: { v, q, ...(isTimed && { t: timestamp }) } };
}

/** A point that is there already is as good as written; one that is dropped is not. */
async function writeCurrent(service: Service, parser: TvqParser, one: Update): Promise<void> {
  const parsed = parse(service, parser, one);
  let receipt: WriteReceipt;
  try {
    receipt = await service.engine.append(one.dataset, checked(parsed).batch);
  } finally {
    parser.release(parsed.batch);
  }
  service.dropped?.add(receipt, { door: 'i3x', dataset: one.dataset });
  if (receipt.ignored > 0)
    throw new ProblemError(409, 'It is earlier than the newest value, and the dataset ignores late points.');
  if (receipt.expired > 0) throw new ProblemError(409, 'It is older than the dataset keeps its points.');
}

/** In place of what is there at the time, or besides the rest. */
async function correct(service: Service, parser: TvqParser, call: RouteContext, one: Update): Promise<void> {
  const { dataset, tag } = one;
  const parsed = parse(service, parser, one);
  let receipt: CorrectionReceipt;
  try {
    const { batch } = checked(parsed);
    const signed = { by: call.caller.ownerName ?? '', reason: 'i3X: PUT /objects/history', isPreview: false };
    receipt = await service.engine.correct(dataset, { tag, kind: 'insert', range: undefined, batch, ...signed });
  } finally {
    parser.release(parsed.batch);
  }
  const { id, hidden, added } = receipt;
  call.caller.audit('points.correct', { dataset, tags: [tag], correction: id, kind: 'insert', hidden, added });
}

function parse(service: Service, parser: TvqParser, { dataset, tag, point }: Update): ParsedBody {
  return parser.parse(Buffer.from(exactJson([point])), {
    shape: { kind: 'points', tag },
    handling: 'strict',
    arrivalMs: Math.floor(service.nowMs()),
    maxTextBytes: MAX_TEXT_BYTES,
    truths: service.style.truths,
    lookup: service.engine.lookup(dataset),
  });
}

function checked(parsed: ParsedBody): ParsedBody {
  if (parsed.faultCount > 0) throw bodyProblem(parsed.faults, parsed.faultCount);
  return parsed;
}
