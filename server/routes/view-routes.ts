// The operations on saved views. Who may not read every dataset of a view does not see it; who has made it, or is an
// admin, may change it.

import { type ReadView, readViewBody } from '../api/schemas/view.ts';
import type { Caller } from '../auth/rules/caller.ts';
import { includesRole } from '../auth/rules/role.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { ProblemError } from '../problem.ts';
import { createPacer } from '../process/pacer.ts';
import { ADMIN_KINDS, type View, type ViewHead } from '../views/view.ts';
import type { RevisionCheck, ViewStore } from '../views/view-store.ts';
import { AnswerSink } from './answer/answer-sink.ts';
import { JSON_HEADER, sendDone } from './answer/answers.ts';
import { paced } from './answer/paced.ts';
import { readIfMatch, requireIfMatch, revisionTag } from './answer/revision.ts';
import { nameOf } from './request/path-names.ts';
import type { Service } from './service/service.ts';

const LIST = '/api/views';
const ONE = '/api/views/{view}';

export function viewRoutes(service: Service): Route[] {
  return [
    { method: 'GET', pattern: LIST, handle: (call) => listViews(service, call) },
    { method: 'POST', pattern: LIST, handle: (call) => createView(service, call) },
    { method: 'GET', pattern: ONE, handle: (call) => getView(service, call) },
    { method: 'PUT', pattern: ONE, handle: (call) => changeView(service, call) },
    { method: 'DELETE', pattern: ONE, handle: (call) => deleteView(service, call) },
  ];
}

async function listViews(service: Service, { response, caller }: RouteContext): Promise<void> {
  const mayRead = remembering((dataset) => caller.may('read', dataset));
  const sink = new AnswerSink(response, [JSON_HEADER]);
  const pacer = createPacer();
  try {
    let separator = '[';
    for (const head of storeOf(service).heads()) {
      const waiting = paced(sink, pacer);
      if (waiting !== undefined) await waiting;
      if (!head.datasets.every(mayRead)) continue;
      sink.out.utf8(separator + JSON.stringify(toHeadAnswer(head, caller)));
      separator = ',';
    }
    sink.out.ascii(separator === '[' ? '[]' : ']');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** Many views are about few datasets. */
function remembering(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const decided = known.get(name) ?? decide(name);
    known.set(name, decided);
    return decided;
  };
}

async function createView(service: Service, { request, response, caller }: RouteContext): Promise<void> {
  const store = storeOf(service);
  const { definition, content } = await readView(service, { request, caller });
  const head = await store.create({ definition, owner: caller.ownerName, content }, request.holder);
  audit(caller, 'view.create', head);
  const location = ['Location', `/api/views/${head.id}`] as const;
  response.send(201, [JSON_HEADER, tagOf(head), location], viewText({ head, content }, caller));
}

async function getView(service: Service, call: RouteContext): Promise<void> {
  const view = await storeOf(service).read(nameOf(call, 'view'));
  requireReadable(view.head, call.caller);
  call.response.send(200, [JSON_HEADER, tagOf(view.head)], viewText(view, call.caller));
}

async function changeView(service: Service, call: RouteContext): Promise<void> {
  const { request, response, caller } = call;
  const store = storeOf(service);
  const id = nameOf(call, 'view');
  requireEditable(store.head(id), caller);
  const isSeen = requireIfMatch(request, 'view');
  const { definition, content } = await readView(service, { request, caller });
  const head = await store.change(id, { definition, content }, requireSeen(isSeen), request.holder);
  audit(caller, 'view.change', head);
  response.send(200, [JSON_HEADER, tagOf(head)], viewText({ head, content }, caller));
}

async function deleteView(service: Service, call: RouteContext): Promise<void> {
  const { request, caller } = call;
  const store = storeOf(service);
  const id = nameOf(call, 'view');
  requireEditable(store.head(id), caller);
  const isSeen = readIfMatch(request) ?? (() => true);
  audit(caller, 'view.delete', await store.delete(id, requireSeen(isSeen), request.holder));
  sendDone(call.response);
}

function storeOf({ views }: Service): ViewStore {
  if (views === undefined) throw new ProblemError(404, 'This server keeps no views.');
  return views;
}

async function readView(service: Service, call: Pick<RouteContext, 'request' | 'caller'>): Promise<ReadView> {
  const view = await readViewBody(call.request, service.maxBodyBytes);
  const { datasets, kind } = view.definition;
  for (const dataset of datasets) call.caller.require('read', dataset);
  if (ADMIN_KINDS.includes(kind) && !includesRole(call.caller.rights.role, 'admin'))
    call.caller.refuse('admin', 'The shifts of the plant are set by admins.');
  return view;
}

/** Does not name the datasets: their names are for who may read them. */
function requireReadable({ datasets }: ViewHead, caller: Caller): void {
  if (datasets.every((dataset) => caller.may('read', dataset))) return;
  caller.refuse('read', 'The token may not read all datasets of this view.');
}

function requireEditable(head: ViewHead, caller: Caller): void {
  requireReadable(head, caller);
  if (isEditable(head, caller)) return;
  caller.refuse('admin', `This view belongs to ${ownerText(head)}: only they and admins may change it. Save a copy.`);
}

function ownerText({ owner }: ViewHead): string {
  return owner === undefined ? 'nobody who has a token' : `'${owner}'`;
}

function isEditable({ owner, kind }: ViewHead, { rights, ownerName }: Caller): boolean {
  if (includesRole(rights.role, 'admin')) return true;
  return (
    !ADMIN_KINDS.includes(kind) && includesRole(rights.role, 'write') && owner !== undefined && owner === ownerName
  );
}

function requireSeen(isSeen: (revision: number) => boolean): RevisionCheck {
  return (revision) => {
    if (isSeen(revision)) return;
    const detail = `Somebody else has changed this view: its revision is ${revision} now. Get it again, and change that.`;
    throw new ProblemError(412, detail, { key: 'Error.ViewChanged', headers: [['ETag', revisionTag(revision)]] });
  };
}

function tagOf({ revision }: ViewHead): readonly [string, string] {
  return ['ETag', revisionTag(revision)];
}

function toHeadAnswer(head: ViewHead, caller: Caller): object {
  return { ...head, editable: isEditable(head, caller) };
}

/** The content goes out as the text that it is kept as. */
function viewText({ head, content }: View, caller: Caller): string {
  return `${JSON.stringify(toHeadAnswer(head, caller)).slice(0, -1)},"content":${content}}`;
}

function audit(caller: Caller, action: 'view.create' | 'view.change' | 'view.delete', head: ViewHead): void {
  const { id, kind, name, folder, revision } = head;
  caller.audit(action, { view: id, kind, name, folder, revision });
}
