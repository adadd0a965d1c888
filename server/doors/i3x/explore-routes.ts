// What there is: the server, namespaces, types, objects and how they are related.

import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { queryOf } from '../../routes/request/query-parameters.ts';
import { single } from '../../routes/request/read-parameters.ts';
import type { Service } from '../../routes/service/service.ts';
import { VERSION } from '../../version.ts';
import { EVERY_NAME, readableDatasets } from '../readable/readable-tags.ts';
import { type Breathe, NOT_FOUND, type Outcome, sendBulk, sendPieces, sendResult } from './elements/answers.ts';
import { parentOf } from './elements/element-ids.ts';
import { type Found, formatObject, Objects, typeOf } from './elements/objects.ts';
import { idsAt, readObject } from './elements/requests.ts';
import { NAMESPACES, OBJECT_TYPES, RELATIONSHIP_TYPES } from './elements/type-lists.ts';

const INFO = {
  specVersion: '1.0',
  serverVersion: VERSION,
  serverName: 'Varve',
  capabilities: { query: { history: true }, update: { current: true, history: true }, subscribe: { stream: true } },
};

interface Listed {
  readonly elementId: string;
  readonly namespaceUri: string;
}

export function exploreRoutes(service: Service, base: string): Route[] {
  return [
    { method: 'GET', pattern: `${base}/info`, handle: (call) => sendResult(call, INFO) },
    { method: 'GET', pattern: `${base}/namespaces`, handle: (call) => sendResult(call, NAMESPACES) },
    ...typeRoutes(service, `${base}/objecttypes`, OBJECT_TYPES),
    ...typeRoutes(service, `${base}/relationshiptypes`, RELATIONSHIP_TYPES),
    { method: 'GET', pattern: `${base}/objects`, handle: (call) => listObjects(service, call) },
    { method: 'POST', pattern: `${base}/objects/list`, handle: (call) => sendObjects(service, call) },
    { method: 'POST', pattern: `${base}/objects/related`, handle: (call) => sendRelated(service, call) },
  ];
}

function typeRoutes(service: Service, pattern: string, types: readonly Listed[]): Route[] {
  return [
    {
      method: 'GET',
      pattern,
      handle: (call) => {
        const namespace = single(queryOf(service, call), 'namespaceUri');
        sendResult(call, namespace === undefined ? types : types.filter((type) => type.namespaceUri === namespace));
      },
    },
    {
      method: 'POST',
      pattern: `${pattern}/query`,
      handle: async (call) => {
        const ids = idsAt(await readObject(service, call), 'elementIds');
        await sendBulk(call, ids, (id) => {
          const type = types.find(({ elementId }) => elementId === id);
          return type === undefined ? NOT_FOUND : (out) => out.utf8(JSON.stringify(type));
        });
      },
    },
  ];
}

async function listObjects(service: Service, call: RouteContext): Promise<void> {
  const query = queryOf(service, call);
  const type = single(query, 'typeElementId');
  const hasMetadata = single(query, 'includeMetadata') === 'true';
  const isRootsOnly = single(query, 'root') === 'true';
  const datasets = await readableDatasets(service, call.caller, EVERY_NAME);
  await sendPieces(call, async (out, breathe) => {
    let isFirst = true;
    const put = (found: Found): Promise<void> | undefined => {
      if (type !== undefined && typeOf(found) !== type) return breathe();
      out.utf8(`${isFirst ? '' : ','}${formatObject(found, hasMetadata)}`);
      isFirst = false;
      return breathe();
    };
    out.ascii('{"success":true,"result":[');
    for (const dataset of datasets) {
      await put({ element: { kind: 'dataset', dataset } });
      if (isRootsOnly) continue;
      // A list of its own for each: one is enough to hold.
      for await (const found of new Objects(service, call).below(dataset)) {
        const waiting = put(found);
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
    }
    out.ascii(']}');
  });
}

async function sendObjects(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  const objects = new Objects(service, call);
  const hasMetadata = body.includeMetadata === true;
  await sendBulk(call, idsAt(body, 'elementIds'), async (id) => {
    const found = await objects.find(id);
    return found === undefined ? NOT_FOUND : (out) => out.utf8(formatObject(found, hasMetadata));
  });
}

async function sendRelated(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  const type = body.relationshipType ?? undefined;
  if (type !== undefined && typeof type !== 'string') throw new ProblemError(400, "'relationshipType' is no text.");
  const related = {
    call,
    objects: new Objects(service, call),
    type: type?.toLowerCase(),
    hasMetadata: body.includeMetadata === true,
  };
  await sendBulk(call, idsAt(body, 'elementIds'), (id, _index, breathe) => relatedOf(related, id, breathe));
}

interface Related {
  readonly call: RouteContext;
  readonly objects: Objects;
  readonly type: string | undefined;
  readonly hasMetadata: boolean;
}

async function relatedOf(
  { call, objects, type, hasMetadata }: Related,
  id: string,
  breathe: Breathe,
): Promise<Outcome> {
  const found = await objects.find(id);
  if (found === undefined) return NOT_FOUND;
  const parent = parentOf(found.element);
  return async (out: OutputBytes) => {
    let isFirst = true;
    const put = (sourceRelationship: string, object: Found): void => {
      out.utf8(
        `${isFirst ? '' : ','}{"sourceRelationship":"${sourceRelationship}","object":${formatObject(object, hasMetadata)}}`,
      );
      isFirst = false;
    };
    out.ascii('[');
    if (parent !== undefined && (type ?? 'hasparent') === 'hasparent') put('HasParent', { element: parent });
    if ((type ?? 'haschildren') === 'haschildren') {
      for await (const child of objects.children(found.element)) {
        put('HasChildren', child);
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
    }
    out.ascii(']');
  };
}
