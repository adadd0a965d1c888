// The operations that tell about the metrics and the server, and those for what Varve does not have.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { VERSION } from '../../version.ts';
import { METRICS } from './evaluation/series.ts';
import { parametersOf } from './form-parameters.ts';
import { sendData } from './series-writer.ts';

/** The oldest version of Prometheus whose label requests take selectors: Grafana goes by it. `features` would mean another product. */
const API_VERSION = '2.24.0';

const BUILD = {
  version: API_VERSION,
  revision: '',
  branch: `varve ${VERSION}`,
  buildUser: '',
  buildDate: '',
  goVersion: '',
};

const METADATA = Object.fromEntries(
  Object.entries(METRICS).map(([name, help]) => [name, [{ type: 'gauge', help, unit: '' }]]),
);

const ANSWERS: Readonly<Record<string, unknown>> = {
  metadata: METADATA,
  'status/buildinfo': BUILD,
  rules: { groups: [] },
  query_exemplars: [],
};

export function metadataRoutes(): Route[] {
  return (['GET', 'POST'] as const).flatMap((method) =>
    Object.entries(ANSWERS).map(([path, data]) => ({
      method,
      pattern: `/prometheus/api/v1/${path}`,
      async handle(call: RouteContext): Promise<void> {
        await parametersOf(call);
        sendData(call.response, data);
      },
    })),
  );
}
