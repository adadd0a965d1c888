// The operations on the server itself: whether it is up.

import type { Readiness } from '../../engine/index.ts';
import type { Caller } from '../auth/rules/caller.ts';
import type { Route } from '../http/routing/router.ts';
import { sendJson } from './answer/answers.ts';
import type { Service } from './service/service.ts';

export function serverRoutes({ engine }: Service): Route[] {
  return [
    { method: 'GET', pattern: '/health', handle: ({ response }) => sendJson(response, 200, { status: 'alive' }) },
    {
      method: 'GET',
      pattern: '/ready',
      handle: ({ response, caller }) => sendJson(response, 200, describeReady(engine.readiness(), caller)),
    },
  ];
}

/** Also 200 when some datasets are not in order: whoever ends a server that is not ready would end the others with them. */
function describeReady({ datasetCount, impaired }: Readiness, caller: Caller): object {
  if (impaired.length === 0) return { status: 'ready', progress: `serving ${datasetCount} datasets` };
  const visible = impaired.filter(({ name }) => caller.may('read', name));
  return {
    status: 'degraded',
    progress: `serving ${datasetCount - impaired.length} of ${datasetCount} datasets`,
    datasets: visible.map(({ name, state, reason }) => ({ n: name, state, reason })),
  };
}
