// The door for Grafana's Prometheus source and whatever else reads Prometheus: docs/grafana.md has what is possible.

import type { Door } from '../door.ts';
import { labelRoutes } from './label-routes.ts';
import { metadataRoutes } from './metadata-routes.ts';
import { PROMETHEUS_PROBLEMS } from './prometheus-problems.ts';
import { queryRoutes } from './query-routes.ts';

export const PROMETHEUS_DOOR: Door = {
  name: 'prometheus',
  problemForm: PROMETHEUS_PROBLEMS,
  open: (service) => ({ routes: [...queryRoutes(service), ...labelRoutes(service), ...metadataRoutes()] }),
};
