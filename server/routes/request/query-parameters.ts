// The query of a request by the names that the routes know; the reference product does not look at the case of these.

import { parseQuery } from '../../http/routing/query.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import type { Service } from '../service/service.ts';
import { AGGREGATE_PARAMETER_NAMES } from './aggregate-parameters.ts';
import { CSV_PARAMETER_NAMES } from './csv-parameters.ts';
import type { QueryParameters } from './read-parameters.ts';
import { TIME_PARAMETER_NAMES } from './time-range.ts';

/** Names of all operations' parameters. A test holds them against the OpenAPI description, both ways. */
export const QUERY_PARAMETER_NAMES: readonly string[] = [
  'tagname',
  'tags',
  ...TIME_PARAMETER_NAMES,
  'limit',
  'after',
  'boundary',
  'missing',
  'exact',
  'format',
  'as',
  ...CSV_PARAMETER_NAMES,
  'timeFormat',
  'points',
  'expr',
  'exprName',
  ...AGGREGATE_PARAMETER_NAMES,
  'contains',
  'since',
  'kind',
  'reason',
  'preview',
  'before',
  'wait',
];

const NAME_BY_LOWER_CASE = new Map(QUERY_PARAMETER_NAMES.map((name) => [name.toLowerCase(), name]));

/** Throws a `ProblemError` (400) for what is not percent-encoded UTF-8. */
export function queryOf({ style }: Service, { request }: RouteContext): QueryParameters {
  return style.names === 'any-case' ? parseQuery(request.query, knownName) : parseQuery(request.query);
}

function knownName(name: string): string {
  return NAME_BY_LOWER_CASE.get(name.toLowerCase()) ?? name;
}
