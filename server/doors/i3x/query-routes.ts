// Current values and history.

import { compareInstants } from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { nowInstant, type Service } from '../../routes/service/service.ts';
import { NOT_FOUND, sendBulk } from './elements/answers.ts';
import { Objects } from './elements/objects.ts';
import { depthAt, idsAt, readObject, timeAt } from './elements/requests.ts';
import { openCursor, upTo, writeCurrent, writePoints } from './elements/values.ts';
import { writeVqt } from './elements/vqt.ts';

export function queryRoutes(service: Service, base: string): Route[] {
  return [
    { method: 'POST', pattern: `${base}/objects/value`, handle: (call) => sendValues(service, call) },
    { method: 'POST', pattern: `${base}/objects/history`, handle: (call) => sendHistory(service, call) },
  ];
}

async function sendValues(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  depthAt(body);
  const objects = new Objects(service, call);
  await sendBulk(call, idsAt(body, 'elementIds'), async (id) => {
    const found = await objects.find(id);
    if (found === undefined) return NOT_FOUND;
    return async (out) => {
      const now = nowInstant(service);
      out.ascii('{"isComposition":false,');
      const { element } = found;
      const isThere =
        element.kind === 'tag' && (await writeCurrent(out, openCursor(service, element, upTo(now)), writeVqt));
      if (!isThere) out.ascii(`"value":null,"quality":"GoodNoData","timestamp":"${formatInstant(now)}"`);
      out.ascii('}');
    };
  });
}

async function sendHistory(service: Service, call: RouteContext): Promise<void> {
  const body = await readObject(service, call);
  depthAt(body);
  const [a, b] = [timeAt(body, 'startTime'), timeAt(body, 'endTime')];
  const [start, end] = compareInstants(a, b) <= 0 ? [a, b] : [b, a];
  const objects = new Objects(service, call);
  await sendBulk(call, idsAt(body, 'elementIds'), async (id, _index, breathe) => {
    const found = await objects.find(id);
    if (found === undefined) return NOT_FOUND;
    const { element } = found;
    return async (out) => {
      out.ascii('{"isComposition":false,"values":[');
      if (element.kind === 'tag') {
        const cursor = openCursor(service, element, { kind: 'range', start, end });
        await writePoints({ call, out, breathe, form: writeVqt }, cursor);
      }
      out.ascii(']}');
    };
  });
}
