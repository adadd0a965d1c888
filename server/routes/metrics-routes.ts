// The operation for those who watch the server.

import type { Route } from '../http/routing/router.ts';
import { METRICS_TYPE, renderMetrics } from '../metrics/exposition.ts';
import { RequestFigures } from '../metrics/request-figures.ts';
import { visibleCopies } from './copy-routes.ts';
import type { Service } from './service/service.ts';
import { visibleCollectors, visibleSources } from './source-routes.ts';

export function metricsRoutes(service: Service): Route[] {
  const requests = service.requests ?? new RequestFigures();
  return [
    {
      method: 'GET',
      pattern: '/metrics',
      async handle({ response, caller }) {
        await service.engine.lookAtTags();
        const text = await renderMetrics({
          stats: service.engine.stats(),
          requests,
          liveClients: service.live?.subscriberCount ?? 0,
          sources: visibleSources(service, caller),
          collectors: visibleCollectors(service, caller),
          copies: visibleCopies(service, caller),
          isVisible: (dataset) => caller.may('read', dataset),
        });
        response.send(200, [['Content-Type', METRICS_TYPE]], text);
      },
    },
  ];
}
