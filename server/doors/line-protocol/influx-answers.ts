// Answers and errors as clients of InfluxDB read them.

import { withHeaders } from '../../http/contract/header-list.ts';
import type { HeaderList, ProblemForm, RenderedProblem } from '../../http/contract/http-server.ts';
import type { ProblemError } from '../../problem.ts';
import { JSON_HEADER } from '../../routes/answer/answers.ts';

/** Clients look at the first number of the version, to tell which ways to write the server has. */
export const VERSION_HEADERS: HeaderList = [
  ['X-Influxdb-Version', '1.8.10'],
  ['X-Influxdb-Build', 'OSS'],
];

/** Codes of version 2, by status. */
const CODES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not found'],
  [405, 'method not allowed'],
  [409, 'conflict'],
  [413, 'request too large'],
  [415, 'unsupported media type'],
  [422, 'unprocessable entity'],
  [429, 'too many requests'],
  [503, 'unavailable'],
]);

export const PROBLEMS_V1: ProblemForm = { prefix: '/write', render: renderV1 };
export const QUERY_PROBLEMS: ProblemForm = { prefix: '/query', render: renderV1 };
export const PROBLEMS_V2: ProblemForm = { prefix: '/api/v2', render: renderV2 };

function renderV1({ status, message, headers }: ProblemError): RenderedProblem {
  return errorV1(status, message, headers);
}

function renderV2({ status, message, headers }: ProblemError): RenderedProblem {
  return errorV2(status, { message }, headers);
}

export function errorV1(status: number, error: string, headers: HeaderList = []): RenderedProblem {
  return { status, headers: withHeaders(headers, JSON_HEADER), body: JSON.stringify({ error }) };
}

export interface DetailsV2 {
  readonly message: string;
  /** That was bad first. */
  readonly line?: number;
}

export function errorV2(status: number, details: DetailsV2, headers: HeaderList = []): RenderedProblem {
  const code = CODES.get(status) ?? 'internal error';
  return { status, headers: withHeaders(headers, JSON_HEADER), body: JSON.stringify({ code, ...details }) };
}
