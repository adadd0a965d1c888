// The door for Excel, Power BI and whatever else reads OData 4.0: docs/office.md. It is for reading only.

import { basicAuthorization } from '../../auth/basic-token.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import type { Door } from '../door.ts';
import { sendResource } from './answer.ts';
import { sendServiceDocument } from './documents.ts';
import { ODATA_PROBLEMS, PREFIX } from './protocol.ts';

const authorizationOf = (request: HttpRequest): string | undefined =>
  basicAuthorization(request.header('authorization'));

export const ODATA_DOOR: Door = {
  name: 'odata',
  problemForm: ODATA_PROBLEMS,
  open: (service) => ({
    routes: [
      { method: 'GET', pattern: PREFIX, authorizationOf, handle: (call) => sendServiceDocument(service, call) },
      {
        method: 'GET',
        pattern: `${PREFIX}/{resource...}`,
        authorizationOf,
        handle: (call) => sendResource(service, call),
      },
    ],
  }),
};
