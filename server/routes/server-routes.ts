// The operations on the server itself: whether it is up.

import type { Route } from '../http/router.ts';
import { sendJson } from './answers.ts';
import type { Service } from './service.ts';

export function serverRoutes({ engine }: Service): Route[] {
  return [
    { method: 'GET', pattern: '/health', handle: ({ response }) => sendJson(response, 200, { status: 'alive' }) },
    {
      method: 'GET',
      pattern: '/ready',
      handle: ({ response }) =>
        sendJson(response, 200, { status: 'ready', progress: `serving ${engine.datasets().length} datasets` }),
    },
  ];
}
