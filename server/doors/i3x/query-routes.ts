// Current values and history.

import {
  compareInstants,
  type Instant,
  type PointChunk,
  type ReadRange,
  type TagCursor,
} from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { nowInstant, type Service } from '../../routes/service/service.ts';
import { type Breathe, sendBulk } from './answers.ts';
import { NOT_FOUND } from './explore-routes.ts';
import { Objects } from './objects.ts';
import { depthAt, idsAt, readObject, timeAt } from './requests.ts';
import { writeVqt } from './vqt.ts';

export function queryRoutes(service: Service, base: string): Route[] {
  return [
    { method: 'POST', pattern: `${base}/objects/value`, handle: (call) => sendValues(service, call) },
    { method: 'POST', pattern: `${base}/objects/history`, handle: (call) => sendHistory(service, call) },
  ];
}

async function sendValues(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  depthAt(body);
  const objects = new Objects(service, call.caller);
  await sendBulk(call, idsAt(body, 'elementIds'), async (id) => {
    const found = await objects.find(id);
    if (found === undefined) return NOT_FOUND;
    return async (out) => {
      const now = nowInstant(service);
      out.ascii('{"isComposition":false,');
      const { element } = found;
      const isThere = element.kind === 'tag' && (await writeCurrent(service, out, element, now));
      if (!isThere) out.ascii(`"value":null,"quality":"GoodNoData","timestamp":"${formatInstant(now)}"`);
      out.ascii('}');
    };
  });
}

interface TagElement {
  readonly dataset: string;
  readonly tag: string;
}

/** The newest point that is not in the future; false when there is none. */
async function writeCurrent(service: Service, out: OutputBytes, of: TagElement, now: Instant): Promise<boolean> {
  const cursor = openCursor(service, of, { kind: 'at', end: { ms: now.ms, ticks: 9999 } });
  try {
    const chunk = await cursor.next();
    if (chunk === undefined || chunk.start === chunk.end) return false;
    writeVqt(out, chunk, chunk.end - 1);
    return true;
  } finally {
    cursor.close();
  }
}

async function sendHistory(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  depthAt(body);
  const [a, b] = [timeAt(body, 'startTime'), timeAt(body, 'endTime')];
  const [start, end] = compareInstants(a, b) <= 0 ? [a, b] : [b, a];
  const objects = new Objects(service, call.caller);
  await sendBulk(call, idsAt(body, 'elementIds'), async (id, _index, breathe) => {
    const found = await objects.find(id);
    if (found === undefined) return NOT_FOUND;
    const { element } = found;
    return async (out) => {
      out.ascii('{"isComposition":false,"values":[');
      if (element.kind === 'tag')
        await writeRange(call, openCursor(service, element, { kind: 'range', start, end }), out, breathe);
      out.ascii(']}');
    };
  });
}

async function writeRange(call: RouteContext, cursor: TagCursor, out: OutputBytes, breathe: Breathe): Promise<void> {
  let isFirst = true;
  try {
    for (let chunk: PointChunk | undefined = await cursor.next(); chunk; chunk = await cursor.next()) {
      for (let i = chunk.start; i < chunk.end; i++) {
        out.ascii(isFirst ? '{' : ',{');
        isFirst = false;
        writeVqt(out, chunk, i);
        out.ascii('}');
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return;
      }
    }
  } finally {
    cursor.close();
  }
}

function openCursor({ engine }: Service, { dataset, tag }: TagElement, range: ReadRange): TagCursor {
  const request = { carryIn: false, skipMissing: false, limit: undefined, after: [] };
  return engine.read(dataset, { ...request, tags: [tag], range }).open(0);
}
