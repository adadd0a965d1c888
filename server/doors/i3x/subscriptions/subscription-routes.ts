// The calls on subscriptions.

import type { JsonObject } from '../../../api/validation/json-schema.ts';
import type { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import type { Route, RouteContext } from '../../../http/routing/router.ts';
import { ProblemError } from '../../../problem.ts';
import type { Service } from '../../../routes/service/service.ts';
import {
  type Breathe,
  type Answer as BulkAnswer,
  detailOf,
  NOT_FOUND,
  NOTHING,
  sendBulk,
  sendPieces,
  sendResult,
} from '../elements/answers.ts';
import { Objects } from '../elements/objects.ts';
import { depthAt, idsAt, nameAt, readObject } from '../elements/requests.ts';
import type { Subscription, SubscriptionOwner } from './subscription.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { OpenUpdateStream } from './update-stream.ts';

const EVENT_STREAM = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
  ['Content-Encoding', 'identity'],
] as const;

const UNKNOWN = 'There is no such subscription of this client.';
const DROPPED = 'Updates were dropped, oldest first: more came than may wait. The gap is in the sequence numbers.';

interface Asked {
  readonly body: JsonObject;
  readonly owner: SubscriptionOwner;
}

type Answer = (call: RouteContext, asked: Asked) => Promise<void> | void;

export function subscriptionRoutes(service: Service, store: SubscriptionStore, base: string): Route[] {
  const answers: Readonly<Record<string, Answer>> = {
    '': (call, asked) => create(store, call, asked),
    '/list': (call, asked) => list(store, call, asked),
    '/register': (call, asked) => register(service, store, call, asked),
    '/unregister': (call, asked) => unregister(store, call, asked),
    '/sync': (call, asked) => sync(store, call, asked),
    '/stream': (call, asked) => stream(store, call, asked),
    '/delete': (call, asked) => remove(store, call, asked),
  };
  return Object.entries(answers).map(([path, answer]) => ({
    method: 'POST',
    pattern: `${base}/subscriptions${path}`,
    handle: async (call) => {
      const body = await readObject(service, call);
      const owner = { clientId: nameAt(body, 'clientId'), owner: call.caller.ownerName };
      await answer(call, { body, owner });
    },
  }));
}

function create(store: SubscriptionStore, call: RouteContext, { body, owner }: Asked): void {
  const displayName =
    body.displayName === undefined || body.displayName === null ? undefined : nameAt(body, 'displayName');
  const { id } = store.create(owner, displayName);
  sendResult(call, { clientId: owner.clientId, subscriptionId: id, displayName: displayName ?? null });
}

async function list(store: SubscriptionStore, call: RouteContext, { body, owner }: Asked): Promise<void> {
  const answer: BulkAnswer = (id, _index, breathe) => {
    const found = store.find(id, owner);
    if (found === undefined) return { detail: detailOf(404, UNKNOWN) };
    return async (out) => {
      const names = `"subscriptionId":${JSON.stringify(id)},"displayName":${JSON.stringify(found.displayName ?? null)}`;
      out.utf8(`{${names},"monitoredObjects":[`);
      let separator = '';
      for (const { elementId, maxDepth } of found.monitored.values()) {
        out.utf8(`${separator}${JSON.stringify({ elementId, maxDepth })}`);
        separator = ',';
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
      out.ascii(']}');
    };
  };
  await sendBulk(call, idsAt(body, 'subscriptionIds'), answer, 'subscriptionId');
}

async function register(service: Service, store: SubscriptionStore, call: RouteContext, asked: Asked): Promise<void> {
  const { body } = asked;
  const subscription = required(store, call, asked);
  const maxDepth = depthAt(body);
  const objects = new Objects(service, call);
  await sendBulk(call, idsAt(body, 'elementIds'), async (elementId) => {
    const found = await objects.find(elementId);
    if (found === undefined) return NOT_FOUND;
    const { element } = found;
    const tag = element.kind === 'tag' ? element.tag : undefined;
    // It may have been deleted while others had their turn.
    required(store, call, asked);
    store.register(subscription, { elementId, dataset: element.dataset, tag, maxDepth });
    return NOTHING;
  });
}

async function unregister(store: SubscriptionStore, call: RouteContext, asked: Asked): Promise<void> {
  const ids = idsAt(asked.body, 'elementIds');
  await store.settled();
  const subscription = required(store, call, asked);
  await sendBulk(call, ids, (elementId) => (store.unregister(subscription, elementId) ? NOTHING : NOT_FOUND));
}

async function sync(store: SubscriptionStore, call: RouteContext, asked: Asked): Promise<void> {
  await store.settled();
  const { queue, stream: open } = required(store, call, asked);
  if (open !== undefined) throw new ProblemError(400, 'The subscription has an open stream; end it to use sync.');
  const { lastSequenceNumber: last } = asked.body;
  if (last === -1) queue.clear();
  else if (typeof last === 'number' && Number.isSafeInteger(last) && last > 0) queue.acknowledge(last);
  const batches = queue.pending();
  const status = queue.hasDropped ? 206 : 200;
  queue.hasDropped = false;
  const answer = async (out: OutputBytes, breathe: Breathe): Promise<void> => {
    out.utf8('{"success":true,"result":[');
    for (const [i, { sequenceNumber, updates }] of batches.entries()) {
      out.ascii(`${i === 0 ? '' : ','}{"sequenceNumber":${sequenceNumber},"updates":[`);
      for (const [at, update] of updates.entries()) {
        out.utf8(at === 0 ? update : `,${update}`);
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
      out.ascii(']}');
    }
    out.utf8(status === 206 ? `],"responseDetail":${JSON.stringify(detailOf(206, DROPPED))}}` : ']}');
  };
  await sendPieces(call, answer, status);
}

function stream(store: SubscriptionStore, call: RouteContext, asked: Asked): void {
  const subscription = required(store, call, asked);
  subscription.stream?.end();
  const stream = call.response.stream(200, EVENT_STREAM);
  const open = new OpenUpdateStream(stream, subscription);
  subscription.stream = open;
  call.request.onAbort(() => open.gone());
  stream.write(Buffer.from(':\n\n'))?.catch(() => open.gone());
  if (!subscription.queue.isEmpty) open.wake();
}

async function remove(store: SubscriptionStore, call: RouteContext, { body, owner }: Asked): Promise<void> {
  const answer = async (id: string) => {
    const found = store.find(id, owner);
    if (found === undefined) return { detail: detailOf(404, UNKNOWN) };
    await store.delete(found);
    return NOTHING;
  };
  await sendBulk(call, idsAt(body, 'subscriptionIds'), answer, 'subscriptionId');
}

/** Throws a 404 when there is none, or when the caller may not read one of its datasets any more. */
function required(store: SubscriptionStore, { caller }: RouteContext, { body, owner }: Asked): Subscription {
  const found = store.find(body.subscriptionId, owner);
  if (found === undefined || ![...found.datasets].every((dataset) => caller.may('read', dataset)))
    throw new ProblemError(404, UNKNOWN);
  return found;
}
