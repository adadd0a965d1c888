// The operations on the server itself: whether it is up.

import type { DatasetInfo } from '../../engine/index.ts';
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
      async handle({ response, caller }) {
        await engine.lookAtTags();
        sendJson(response, 200, describeReady(engine.datasets(), caller));
      },
    },
  ];
}

/** Also 200 when some datasets are not in order: whoever ends a server that is not ready would end the others with them. */
function describeReady(datasets: readonly DatasetInfo[], caller: Caller): object {
  const waiting = datasets.filter(({ state }) => state !== undefined);
  if (waiting.length === 0) return { status: 'ready', progress: `serving ${datasets.length} datasets` };
  const visible = waiting.filter(({ name }) => caller.may('read', name));
  return {
    status: 'degraded',
    progress: `serving ${datasets.length - waiting.length} of ${datasets.length} datasets`,
    datasets: visible.map(({ name, state, reason }) => ({ n: name, state, reason })),
  };
}
