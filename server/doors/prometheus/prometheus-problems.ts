// Errors in the form of Prometheus.

import type { ProblemForm } from '../../http/contract/http-server.ts';

/** The key of a problem that Prometheus has a type of its own for. */
export const TIMED_OUT = 'timeout';
export const PROMETHEUS_PREFIX = '/prometheus';

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'bad_data',
  422: 'execution',
  500: 'internal',
  503: 'unavailable',
};

export const PROMETHEUS_PROBLEMS: ProblemForm = {
  prefix: PROMETHEUS_PREFIX,
  render({ status, message, headers, key }) {
    const errorType = key === TIMED_OUT ? key : (TYPE_BY_STATUS[status] ?? (status >= 500 ? 'internal' : 'bad_data'));
    const body = { status: 'error', errorType, error: message };
    return { status, headers: [['Content-Type', 'application/json'], ...headers], body: JSON.stringify(body) };
  },
};
