// The operations on tags.

import type { TagChange, TagDefinition } from '../../engine/index.ts';
import { tagBodySchema, tagRenameSchema, toTagChange, toTagRename } from '../api/schemas/tag.ts';
import { readJsonBody } from '../api/validation/json-body.ts';
import type { JsonObject } from '../api/validation/json-schema.ts';
import {
  bodyProblem,
  requireArray,
  requireObject,
  requireObjects,
  requireSameName,
  requireTexts,
} from '../api/validation/validate.ts';
import { formatListedTag } from '../codec/write-json/tag-json.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { createPacer } from '../process/pacer.ts';
import { AnswerSink } from './answer/answer-sink.ts';
import { JSON_HEADER, sendDone } from './answer/answers.ts';
import { paced } from './answer/paced.ts';
import { datasetOf, tagOf } from './request/path-names.ts';
import { queryOf } from './request/query-parameters.ts';
import { parseCount, single } from './request/read-parameters.ts';
import type { Service } from './service/service.ts';
import { auditingCreation } from './write/audit-creation.ts';

const LIST = '/api/datasets/{dataset}/tags';
const ONE = '/api/datasets/{dataset}/tags/{tagname...}';
const RENAME = '/api/datasets/{dataset}/tags/{tagname}/rename';
const MAX_LIMIT = 1_000_000;

export function tagRoutes(service: Service): Route[] {
  return [
    { method: 'GET', pattern: LIST, handle: (call) => listTags(service, call) },
    { method: 'POST', pattern: LIST, handle: (call) => postTags(service, call) },
    { method: 'DELETE', pattern: LIST, handle: (call) => deleteTags(service, call) },
    { method: 'GET', pattern: ONE, handle: (call) => getTag(service, call) },
    { method: 'POST', pattern: ONE, handle: (call) => postTag(service, call) },
    { method: 'DELETE', pattern: ONE, handle: (call) => deleteTag(service, call) },
    { method: 'POST', pattern: RENAME, handle: (call) => renameTag(service, call) },
  ];
}

async function listTags(service: Service, call: RouteContext): Promise<void> {
  const query = queryOf(service, call);
  const wanted = single(query, 'contains')?.toLowerCase();
  const most = parseCount('limit', single(query, 'limit'), MAX_LIMIT) ?? Number.POSITIVE_INFINITY;
  const isWanted = ({ name }: TagDefinition): boolean => wanted === undefined || name.toLowerCase().includes(wanted);
  const isAborted = (): boolean => call.request.aborted;
  const { user, system } = await service.engine.tags(datasetOf(call), isAborted);
  if (isAborted()) return;
  const sink = new AnswerSink(call.response, [JSON_HEADER]);
  try {
    sink.out.ascii('{"User":[');
    await writeTags(sink, { tags: user, isWanted, most, isAborted });
    sink.out.ascii('],"System":[');
    await writeTags(sink, { tags: system, isWanted, most, isAborted });
    if (isAborted()) return;
    sink.out.ascii(']}');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

interface ListedTags {
  readonly tags: Iterable<TagDefinition>;
  readonly isWanted: (tag: TagDefinition) => boolean;
  readonly most: number;
  readonly isAborted: () => boolean;
}

async function writeTags(sink: AnswerSink, { tags, isWanted, most, isAborted }: ListedTags): Promise<void> {
  const pacer = createPacer();
  let written = 0;
  for (const tag of tags) {
    if (isWanted(tag)) {
      sink.out.utf8(`${written === 0 ? '' : ','}${formatListedTag(tag)}`);
      if (++written === most) return;
    }
    const waiting = paced(sink, pacer);
    if (waiting !== undefined) await waiting;
    if (isAborted()) return;
  }
}

/** An array of objects creates and changes tags, an array of texts deletes them. */
async function postTags(service: Service, call: RouteContext): Promise<void> {
  const items = requireArray(await readJsonBody(call.request, service.maxBodyBytes));
  if (items.length > 0 && items.every((item) => typeof item === 'string')) {
    call.caller.require('admin', datasetOf(call));
    await removeTags(service, call, items);
  } else {
    refuseMixed(items);
    const bodies = await requireObjects(tagBodySchema, items);
    const changes = await toTagChanges(bodies);
    await auditingCreation(service, { dataset: datasetOf(call), caller: call.caller }, () =>
      service.engine.defineTags(datasetOf(call), changes),
    );
  }
  sendDone(call.response);
}

function refuseMixed(items: readonly unknown[]): void {
  const nameAt = items.findIndex((item) => typeof item === 'string');
  if (nameAt < 0) return;
  const message = 'Got a name among tags; want an array of tags to create, or of names to delete.';
  throw bodyProblem([{ path: `/${nameAt}`, message }]);
}

async function toTagChanges(bodies: readonly JsonObject[]): Promise<TagChange[]> {
  const changes: TagChange[] = [];
  const pacer = createPacer();
  for (const [i, body] of bodies.entries()) {
    changes.push(toTagChange(body, `/${i}`));
    if (pacer.isDue()) await pacer.yield();
  }
  return changes;
}

async function deleteTags(service: Service, call: RouteContext): Promise<void> {
  const names = requireTexts(await readJsonBody(call.request, service.maxBodyBytes));
  if (names.length > 0) await removeTags(service, call, names);
  sendDone(call.response);
}

async function removeTags(service: Service, call: RouteContext, tags: readonly string[]): Promise<void> {
  await service.engine.deleteTags(datasetOf(call), tags);
  call.caller.audit('tags.delete', { dataset: datasetOf(call), count: tags.length, tags });
}

function getTag(service: Service, call: RouteContext): void {
  call.response.send(200, [JSON_HEADER], formatListedTag(service.engine.tag(datasetOf(call), tagOf(call))));
}

async function postTag(service: Service, call: RouteContext): Promise<void> {
  const body = requireObject(tagBodySchema, await readJsonBody(call.request, service.maxBodyBytes));
  const change = toTagChange(body);
  requireSameName(change.name, tagOf(call));
  await auditingCreation(service, { dataset: datasetOf(call), caller: call.caller }, () =>
    service.engine.defineTags(datasetOf(call), [change]),
  );
  sendDone(call.response);
}

async function deleteTag(service: Service, call: RouteContext): Promise<void> {
  await removeTags(service, call, [tagOf(call)]);
  sendDone(call.response);
}

async function renameTag(service: Service, call: RouteContext): Promise<void> {
  const body = requireObject(tagRenameSchema, await readJsonBody(call.request, service.maxBodyBytes));
  const rename = toTagRename(tagOf(call), body);
  await service.engine.renameTag(datasetOf(call), rename);
  const { from, to, forwards } = rename;
  call.caller.audit('tags.rename', { dataset: datasetOf(call), from, to, forward: String(forwards) });
  sendDone(call.response);
}
