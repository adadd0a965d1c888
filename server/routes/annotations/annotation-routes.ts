// The operations on annotations. Who may write points to a dataset may write its annotations, and change those of others.

import type { Annotation, AnnotationCheck } from '../../../engine/index.ts';
import { readAnnotationBody, toAnnotationAnswer } from '../../api/schemas/annotation.ts';
import { badParameter, quoted } from '../../api/validation/bad-parameter.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { WriteTurns } from '../../process/write-turns.ts';
import { sendDone, sendJson } from '../answer/answers.ts';
import { readIfMatch, requireIfMatch, revisionTag } from '../answer/revision.ts';
import { datasetOf, nameOf } from '../request/path-names.ts';
import { queryOf } from '../request/query-parameters.ts';
import type { Service } from '../service/service.ts';
import { sendAnnotations } from './annotation-list.ts';
import { toAnnotationQuery } from './annotation-query.ts';

const LIST = '/api/datasets/{dataset}/annotations';
const ONE = '/api/datasets/{dataset}/annotations/{annotation}';

interface Annotations {
  readonly service: Service;
  readonly turns: WriteTurns;
}

export function annotationRoutes(service: Service): Route[] {
  const annotations = { service, turns: new WriteTurns('annotations') };
  return [
    { method: 'GET', pattern: LIST, handle: (call) => listAnnotations(service, call) },
    { method: 'POST', pattern: LIST, handle: (call) => createAnnotation(annotations, call) },
    { method: 'GET', pattern: ONE, handle: (call) => getAnnotation(service, call) },
    { method: 'PUT', pattern: ONE, handle: (call) => changeAnnotation(annotations, call) },
    { method: 'DELETE', pattern: ONE, handle: (call) => deleteAnnotation(annotations, call) },
  ];
}

async function listAnnotations(service: Service, call: RouteContext): Promise<void> {
  const query = toAnnotationQuery(queryOf(service, call), { ms: service.nowMs(), ticks: 0 });
  await sendAnnotations(call.response, service.engine.annotations(datasetOf(call)), query);
}

async function createAnnotation({ service, turns }: Annotations, call: RouteContext): Promise<void> {
  const dataset = datasetOf(call);
  const content = await readAnnotationBody(call.request, service.maxBodyBytes);
  const create = (): Promise<Annotation> => service.engine.createAnnotation(dataset, content, call.caller.ownerName);
  const annotation = await turns.run(call.request.holder, create);
  audit(call, 'annotation.create', annotation);
  const path = `/api/datasets/${encodeURIComponent(dataset)}/annotations/${annotation.id}`;
  sendJson(call.response, 201, toAnnotationAnswer(annotation), [tagOf(annotation), ['Location', path]]);
}

function getAnnotation(service: Service, call: RouteContext): void {
  const annotation = service.engine.annotation(datasetOf(call), idOf(call));
  sendJson(call.response, 200, toAnnotationAnswer(annotation), [tagOf(annotation)]);
}

async function changeAnnotation({ service, turns }: Annotations, call: RouteContext): Promise<void> {
  const { request, caller } = call;
  const id = idOf(call);
  const check = requireSeen(requireIfMatch(request, 'annotation'));
  const content = await readAnnotationBody(request, service.maxBodyBytes);
  const edit = { content, by: caller.ownerName, check };
  const change = (): Promise<Annotation> => service.engine.changeAnnotation(datasetOf(call), id, edit);
  const annotation = await turns.run(request.holder, change);
  audit(call, 'annotation.change', annotation);
  sendJson(call.response, 200, toAnnotationAnswer(annotation), [tagOf(annotation)]);
}

async function deleteAnnotation({ service, turns }: Annotations, call: RouteContext): Promise<void> {
  const { request } = call;
  const id = idOf(call);
  const check = requireSeen(readIfMatch(request) ?? (() => true));
  const remove = (): Promise<Annotation> => service.engine.deleteAnnotation(datasetOf(call), id, check);
  audit(call, 'annotation.delete', await turns.run(request.holder, remove));
  sendDone(call.response);
}

/** Throws a 400. */
function idOf(call: RouteContext): number {
  const text = nameOf(call, 'annotation');
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw badParameter(`The id of the annotation is ${quoted(text)}; want a whole number, such as 17.`);
}

function requireSeen(isSeen: (revision: number) => boolean): AnnotationCheck {
  return ({ revision }) => {
    if (isSeen(revision)) return;
    const detail = `Somebody else has changed this annotation: its revision is ${revision} now. Get it again, and change that.`;
    const headers = [['ETag', revisionTag(revision)]] as const;
    throw new ProblemError(412, detail, { key: 'Error.AnnotationChanged', headers });
  };
}

function tagOf({ revision }: Annotation): readonly [string, string] {
  return ['ETag', revisionTag(revision)];
}

function audit(
  call: RouteContext,
  action: 'annotation.create' | 'annotation.change' | 'annotation.delete',
  { id, tag, revision }: Annotation,
): void {
  call.caller.audit(action, { dataset: datasetOf(call), annotation: id, tag, revision });
}
