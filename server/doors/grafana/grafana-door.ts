// The door for Grafana's JSON data source (simPod): docs/grafana.md has what is possible.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { sendJson } from '../../routes/answer/answers.ts';
import type { Service } from '../../routes/service/service.ts';
import { VERSION } from '../../version.ts';
import type { Door } from '../door.ts';
import { sendFilterKeys, sendFilterValues, sendMetrics, sendPayloadOptions, sendVariable } from './list-routes.ts';
import { answerQuery } from './query-route.ts';

type Answer = (service: Service, call: RouteContext) => Promise<void>;

const POSTS: Readonly<Record<string, Answer>> = {
  metrics: sendMetrics,
  'metric-payload-options': sendPayloadOptions,
  query: answerQuery,
  variable: sendVariable,
  'tag-keys': sendFilterKeys,
  'tag-values': sendFilterValues,
};

export const GRAFANA_DOOR: Door = {
  name: 'grafana',
  open: (service) => ({
    routes: [
      {
        method: 'GET',
        pattern: '/grafana',
        handle: ({ response }) => sendJson(response, 200, { name: 'Varve', version: VERSION }),
      },
      ...Object.entries(POSTS).map(
        ([path, answer]): Route => ({
          method: 'POST',
          pattern: `/grafana/${path}`,
          handle: (call) => answer(service, call),
        }),
      ),
    ],
  }),
};
