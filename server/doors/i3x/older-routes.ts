// The dialect before 1.0, as historians speak it at /i3x: answers without an envelope, by element, and qualities in capitals.
// Folders have no slash at the end there, and where a range has no points, history has the one before it.

import { compareInstants, formatValueType, type PointChunk, type TagDefinition } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { JSON_HEADER } from '../../routes/answer/answers.ts';
import { nowInstant, type Service } from '../../routes/service/service.ts';
import { EVERY_NAME, readableDatasets } from '../readable/readable-tags.ts';
import { type Breathe, sendPieces } from './elements/answers.ts';
import { displayName, type Element, idOf, parentOf } from './elements/element-ids.ts';
import { type Found, Objects } from './elements/objects.ts';
import { idsAt, readObject, timeAt } from './elements/requests.ts';
import { NAMESPACES, TYPE_NAMESPACE } from './elements/type-lists.ts';
import { openCursor, type TagElement, upTo, writeCurrent, writePoints } from './elements/values.ts';
import { writeOlderVqt } from './elements/vqt.ts';

const TYPES = { dataset: 'Dataset', folder: 'Folder', tag: 'Tag' } as const;

export function olderRoutes(service: Service, base: string): Route[] {
  return [
    { method: 'GET', pattern: `${base}/namespaces`, handle: sendNamespaces },
    { method: 'GET', pattern: `${base}/objects`, handle: (call) => sendAll(service, call) },
    { method: 'POST', pattern: `${base}/objects/list`, handle: (call) => sendListed(service, call) },
    { method: 'POST', pattern: `${base}/objects/value`, handle: (call) => sendValues(service, call) },
    { method: 'POST', pattern: `${base}/objects/history`, handle: (call) => sendHistory(service, call) },
  ];
}

function sendNamespaces({ response }: RouteContext): void {
  response.send(200, [JSON_HEADER], JSON.stringify(NAMESPACES));
}

async function sendAll(service: Service, call: RouteContext): Promise<void> {
  const datasets = await readableDatasets(service, call.caller, EVERY_NAME);
  await sendPieces(call, async (out, breathe) => {
    const list = new ListOf(out);
    for (const dataset of datasets) {
      list.add(formatObject({ element: { kind: 'dataset', dataset } }));
      for await (const found of new Objects(service, call).below(dataset)) {
        list.add(formatObject(found));
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
    }
    list.end();
  });
}

async function sendListed(service: Service, call: RouteContext): Promise<void> {
  const ids = idsAt(await readObject(service, call), 'elementIds');
  const objects = new Objects(service, call);
  await sendPieces(call, async (out, breathe) => {
    const list = new ListOf(out);
    for (const id of ids) {
      const found = await findOlder(objects, id);
      list.add(JSON.stringify(found === undefined ? { elementId: id, ...unknown(id) } : objectOf(found)));
      const waiting = breathe();
      if (waiting !== undefined) await waiting;
      if (call.request.aborted) return;
    }
    list.end();
  });
}

async function sendValues(service: Service, call: RouteContext): Promise<void> {
  const ids = idsAt(await readObject(service, call), 'elementIds');
  await sendSlots(service, call, ids, async (out, element) => {
    await writeCurrent(out, openCursor(service, element, upTo(nowInstant(service))), writeBraced);
  });
}

async function sendHistory(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  const [a, b] = [timeAt(body, 'startTime'), timeAt(body, 'endTime')];
  const [start, end] = compareInstants(a, b) <= 0 ? [a, b] : [b, a];
  await sendSlots(service, call, idsAt(body, 'elementIds'), async (out, element, breathe) => {
    const list = { call, out, breathe, form: writeOlderVqt };
    const count = await writePoints(list, openCursor(service, element, { kind: 'range', start, end }));
    if (count === 0) await writeCurrent(out, openCursor(service, element, { kind: 'at', end: start }), writeBraced);
  });
}

function writeBraced(out: OutputBytes, chunk: PointChunk, i: number): void {
  out.ascii('{');
  writeOlderVqt(out, chunk, i);
  out.ascii('}');
}

type WritePoints = (out: OutputBytes, element: TagElement, breathe: Breathe) => Promise<void>;

/** An object with a member for each id: its points, or what is wrong with it. */
async function sendSlots(
  service: Service,
  call: RouteContext,
  ids: readonly string[],
  write: WritePoints,
): Promise<void> {
  const objects = new Objects(service, call);
  await sendPieces(call, async (out, breathe) => {
    let isFirst = true;
    out.ascii('{');
    for (const id of new Set(ids)) {
      const found = await findOlder(objects, id);
      out.utf8(`${isFirst ? '' : ','}${JSON.stringify(id)}:`);
      isFirst = false;
      if (found === undefined) out.utf8(JSON.stringify(unknown(id)));
      else {
        out.ascii('{"data":[');
        if (found.element.kind === 'tag') await write(out, found.element, breathe);
        out.ascii(']}');
      }
      const waiting = breathe();
      if (waiting !== undefined) await waiting;
      if (call.request.aborted) return;
    }
    out.ascii('}');
  });
}

/** A list written piece by piece. */
class ListOf {
  readonly #out: OutputBytes;
  #separator = '[';

  constructor(out: OutputBytes) {
    this.#out = out;
  }

  add(json: string): void {
    this.#out.utf8(this.#separator + json);
    this.#separator = ',';
  }

  end(): void {
    this.#out.ascii(this.#separator === '[' ? '[]' : ']');
  }
}

async function findOlder(objects: Objects, id: string): Promise<Found | undefined> {
  return (await objects.find(id)) ?? (await objects.find(`${id}/`));
}

function unknown(id: string): object {
  return { error: `elementId not found: ${id}`, reason: 'There is no such element.' };
}

function formatObject(found: Found): string {
  return JSON.stringify(objectOf(found));
}

function objectOf({ element, tag }: Found): object {
  const parent = parentOf(element);
  return {
    elementId: olderIdOf(element),
    displayName: displayName(element),
    typeId: TYPES[element.kind],
    parentId: parent === undefined ? '/' : olderIdOf(parent),
    isComposition: element.kind !== 'tag',
    namespaceUri: TYPE_NAMESPACE,
    ...(tag !== undefined && describe(tag)),
  };
}

function olderIdOf(element: Element): string {
  return idOf(element).replace(/\/$/, '');
}

function describe({ type, units, format, description }: TagDefinition): object {
  const unit = units?.size === 1 ? [...units.values()][0] : undefined;
  return {
    dataType: formatValueType(type) ?? null,
    ...(unit !== undefined && { uom: unit }),
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
  };
}
