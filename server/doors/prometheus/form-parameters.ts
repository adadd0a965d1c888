// The parameters of a request: those of its query and those of its form, together. Grafana sends most by POST.

import { parseQuery } from '../../http/routing/query.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { badQuery } from './promql/bad-query.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** A query that names some hundred tags is a tenth of it. */
export const MAX_FORM_BYTES = 65_536;

export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Throws a 400, 413 or 415. */
export async function parametersOf({ request }: RouteContext): Promise<Parameters> {
  const inQuery = parseQuery(request.query);
  if (request.method !== 'POST') return inQuery;
  const bytes = await request.readBody(MAX_FORM_BYTES);
  if (bytes.length === 0) return inQuery;
  const [type = ''] = (request.header('content-type') ?? FORM_TYPE).split(';');
  if (type.trim().toLowerCase() !== FORM_TYPE) {
    throw new ProblemError(415, `The body is ${type.trim().slice(0, 100)}; want ${FORM_TYPE}.`);
  }
  const merged = new Map(inQuery);
  for (const [name, values] of parseQuery(Buffer.from(bytes).toString('latin1'))) {
    merged.set(name, [...(merged.get(name) ?? []), ...values]);
  }
  return merged;
}

/** The first counts, as in Prometheus. */
export function one(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.[0];
}

export function required(parameters: Parameters, name: string): string {
  const text = one(parameters, name);
  if (text === undefined || text === '') throw badQuery(`'${name}' is missing.`);
  return text;
}

/** 0 when it is absent: what is limited by it is not limited then. */
export function wholeNumber(parameters: Parameters, name: string): number {
  const text = one(parameters, name) ?? '0';
  if (!/^\d{1,10}$/.test(text)) throw badQuery(`'${name}' is '${text.slice(0, 100)}'; want a whole number.`);
  return Number(text);
}
