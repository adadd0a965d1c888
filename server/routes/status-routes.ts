// The operations on the status of a dataset.

import { GOOD_QUALITY, type StatusPoint } from '../../engine/index.ts';
import type { ProblemFault } from '../http/problem.ts';
import type { Route, RouteContext } from '../http/router.ts';
import { parseInstant, TIME_FORM } from '../json/timestamp.ts';
import { MAX_STATUSES } from '../schemas/body-limits.ts';
import { describeValue, pointerStep } from '../schemas/faults.ts';
import { readJsonBody } from '../schemas/json-body.ts';
import { isJsonObject, type JsonObject } from '../schemas/json-schema.ts';
import { statusBodySchema } from '../schemas/tvq.ts';
import { bodyProblem, requireAtMost, requireObject, requireObjects } from '../schemas/validate.ts';
import { datasetOf } from './path-names.ts';
import { readPreferences } from './prefer.ts';
import { formatTagCounts, NOTHING_WRITTEN, sendReceipt } from './receipt.ts';
import type { Service } from './service.ts';

export function statusRoutes(service: Service): Route[] {
  return [{ method: 'POST', pattern: '/api/datasets/{dataset}/status', handle: (call) => postStatus(service, call) }];
}

async function postStatus(service: Service, call: RouteContext): Promise<void> {
  const statuses = await readStatuses(service, call);
  const { name } = service.engine.dataset(datasetOf(call));
  const receipt = statuses.length === 0 ? NOTHING_WRITTEN : await service.engine.postStatus(name, statuses);
  const preferences = { ...readPreferences(call.request), handling: undefined };
  const tagCounts = preferences.isReceiptWanted ? await formatTagCounts(receipt) : [];
  await sendReceipt(call.response, receipt, { preferences, rejectedCount: 0, tagCounts });
}

/** An array of statuses, or one; an empty object is none, as in every write. */
async function readStatuses(service: Service, call: RouteContext): Promise<StatusPoint[]> {
  const body = await readJsonBody(call.request, service.maxBodyBytes);
  if (Array.isArray(body)) {
    requireAtMost(MAX_STATUSES, body, 'statuses');
    return toStatuses(await requireObjects(statusBodySchema, body), pointerStep);
  }
  if (isJsonObject(body) && Object.keys(body).length === 0) return [];
  return toStatuses([requireObject(statusBodySchema, body)], () => '');
}

function toStatuses(bodies: readonly JsonObject[], pathOf: (index: number) => string): StatusPoint[] {
  const faults: ProblemFault[] = [];
  const statuses: StatusPoint[] = [];
  for (const [index, { t, q }] of bodies.entries()) {
    const time = typeof t === 'string' ? parseInstant(t) : undefined;
    if (typeof t === 'string' && time === undefined) {
      faults.push({ path: `${pathOf(index)}/t`, message: `Got ${describeValue(t)}; want ${TIME_FORM}.` });
    }
    statuses.push({ time, quality: typeof q === 'number' ? q : GOOD_QUALITY });
  }
  if (faults.length > 0) throw bodyProblem(faults);
  return statuses;
}
