// The operations that tell about the metrics and the server, and those for what Varve does not have.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { VERSION } from '../../version.ts';
import { METRICS } from './evaluation/series.ts';
import { one, type Parameters, parametersOf, wholeNumber } from './form-parameters.ts';
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

const ANSWERS: Readonly<Record<string, (parameters: Parameters) => unknown>> = {
  metadata: metadataOf,
  'status/buildinfo': () => BUILD,
  rules: () => ({ groups: [] }),
  query_exemplars: () => [],
};

/** What there is to know of one metric, or of all; at most `limit` of them. */
function metadataOf(parameters: Parameters): unknown {
  const metric = one(parameters, 'metric') ?? '';
  const limit = wholeNumber(parameters, 'limit') || Number.POSITIVE_INFINITY;
  wholeNumber(parameters, 'limit_per_metric');
  const wanted = Object.entries(METRICS).filter(([name]) => metric === '' || name === metric);
  return Object.fromEntries(wanted.slice(0, limit).map(([name, help]) => [name, [{ type: 'gauge', help, unit: '' }]]));
}

export function metadataRoutes(): Route[] {
  return (['GET', 'POST'] as const).flatMap((method) =>
    Object.entries(ANSWERS).map(([path, dataFor]) => ({
      method,
      pattern: `/prometheus/api/v1/${path}`,
      async handle(call: RouteContext): Promise<void> {
        sendData(call.response, dataFor(await parametersOf(call)));
      },
    })),
  );
}
