// Every route of the server. A test holds them against the OpenAPI description, both ways.

import type { Route } from '../http/routing/router.ts';
import { annotationRoutes } from './annotations/annotation-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { changeRoutes } from './changes/change-routes.ts';
import { copyRoutes } from './copy-routes.ts';
import { datasetRoutes } from './dataset-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { explorerRoutes } from './explorer-routes.ts';
import { helpRoutes } from './help-routes.ts';
import { liveRoutes } from './live-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import { readRoutes } from './read/read-routes.ts';
import { statisticsRoutes } from './read/statistics-routes.ts';
import { serverRoutes } from './server-routes.ts';
import type { Service } from './service/service.ts';
import { sourceRoutes } from './source-routes.ts';
import { tagRoutes } from './tag-routes.ts';
import { viewRoutes } from './view-routes.ts';
import { correctionRoutes } from './write/correction-routes.ts';
import { statusRoutes } from './write/status-routes.ts';
import { writeRoutes } from './write/write-routes.ts';

export function createRoutes(service: Service): Route[] {
  return [
    ...datasetRoutes(service),
    ...tagRoutes(service),
    ...readRoutes(service),
    ...statisticsRoutes(service),
    ...liveRoutes(service),
    ...changeRoutes(service),
    ...metricsRoutes(service),
    ...sourceRoutes(service),
    ...copyRoutes(service),
    ...writeRoutes(service),
    ...correctionRoutes(service),
    ...statusRoutes(service),
    ...annotationRoutes(service),
    ...viewRoutes(service),
    ...authRoutes(service),
    ...helpRoutes(service),
    ...docsRoutes(),
    ...explorerRoutes(service),
    ...serverRoutes(service),
  ];
}
