// The door for clients of InfluxDB: writes of line protocol, in the ways of its versions 1 and 2, and what these clients ask
// before they write. It is no other way to read.

import type { Route } from '../../http/routing/router.ts';
import type { Service } from '../../routes/service/service.ts';
import { VERSION } from '../../version.ts';
import type { Door } from '../door.ts';
import { PROBLEMS_V1, PROBLEMS_V2, QUERY_PROBLEMS, VERSION_HEADERS } from './influx-answers.ts';
import { influxAuthorization } from './influx-token.ts';
import { answerQuery } from './query-statements.ts';
import { V1, V2, WriteLines } from './write-lines.ts';

export const LINE_PROTOCOL_DOOR: Door = {
  name: 'line-protocol',
  problemForm: [PROBLEMS_V1, PROBLEMS_V2, QUERY_PROBLEMS],
  open: (service) => ({ routes: routes(service) }),
};

function routes(service: Service): Route[] {
  const writing = new WriteLines(service);
  const authorizationOf = influxAuthorization;
  return [
    {
      method: 'GET',
      pattern: '/ping',
      handle: ({ response }) => response.send(204, [...VERSION_HEADERS, ['X-Varve-Version', VERSION]]),
    },
    { method: 'POST', pattern: '/write', authorizationOf, handle: (call) => writing.write(call, V1) },
    { method: 'POST', pattern: '/api/v2/write', authorizationOf, handle: (call) => writing.write(call, V2) },
    { method: 'GET', pattern: '/query', authorizationOf, handle: (call) => answerQuery(service, call) },
    { method: 'POST', pattern: '/query', authorizationOf, handle: (call) => answerQuery(service, call) },
  ];
}
