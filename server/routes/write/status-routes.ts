// The operations on the status of a dataset.

import { GOOD_QUALITY, type Instant, type StatusPoint } from '../../../engine/index.ts';
import { statusBodySchema } from '../../api/schemas/tvq.ts';
import { MAX_STATUSES } from '../../api/validation/body-limits.ts';
import { describeValue, pointerStep } from '../../api/validation/faults.ts';
import { readJsonBody } from '../../api/validation/json-body.ts';
import { isJsonObject, type JsonObject } from '../../api/validation/json-schema.ts';
import { bodyProblem, requireAtMost, requireObject, requireObjects } from '../../api/validation/validate.ts';
import { instantOfMs, parseInstant, TIME_FORM } from '../../codec/scalars/timestamp.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import type { ProblemFault } from '../../problem.ts';
import { datasetOf } from '../request/path-names.ts';
import { readPreferences } from '../request/prefer.ts';
import type { Service } from '../service/service.ts';
import { formatTagCounts, NOTHING_WRITTEN, sendReceipt } from './receipt.ts';

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
  const named = (one: unknown): unknown => (service.style.names === 'any-case' ? withLowerCaseNames(one) : one);
  if (Array.isArray(body)) {
    requireAtMost(MAX_STATUSES, body, 'statuses');
    return toStatuses(await requireObjects(statusBodySchema, body.map(named)), pointerStep);
  }
  if (isJsonObject(body) && Object.keys(body).length === 0) return [];
  return toStatuses([requireObject(statusBodySchema, named(body))], () => '');
}

/** `T`, `V` and `Q` as `t`, `v` and `q`, as in bodies of points. */
function withLowerCaseNames(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name.length === 1 ? name.toLowerCase() : name, value]),
  );
}

function toStatuses(bodies: readonly JsonObject[], pathOf: (index: number) => string): StatusPoint[] {
  const faults: ProblemFault[] = [];
  const statuses: StatusPoint[] = [];
  for (const [index, { t, q }] of bodies.entries()) {
    const time = timeOf(t);
    if (time === undefined && t !== undefined && t !== null) {
      const message = `Got ${describeValue(t)}; want ms since 1970, or ${TIME_FORM}.`;
      faults.push({ path: `${pathOf(index)}/t`, message });
    }
    statuses.push({ time, quality: typeof q === 'number' ? q : GOOD_QUALITY });
  }
  if (faults.length > 0) throw bodyProblem(faults);
  return statuses;
}

function timeOf(t: unknown): Instant | undefined {
  if (typeof t === 'number') return instantOfMs(t);
  return typeof t === 'string' ? parseInstant(t) : undefined;
}
