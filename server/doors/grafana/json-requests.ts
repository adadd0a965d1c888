// What the JSON data source of simPod asks: bodies taken apart, with everything in them checked and bounded.

import { type Instant, MAX_AGGREGATE_RESULTS } from '../../../engine/index.ts';
import { readJsonBody } from '../../api/validation/json-body.ts';
import { isJsonObject, type JsonObject } from '../../api/validation/json-schema.ts';
import { bodyProblem } from '../../api/validation/validate.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { parseTime } from '../../routes/request/time-range.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_TARGETS = 100;
const MAX_NAMES = 1000;

export interface TargetRequest {
  readonly dataset: string;
  /** Tags as they were sent, often as patterns. */
  readonly tags: readonly string[];
  readonly show: string;
  readonly refId: string;
}

export interface QueryRequest {
  readonly start: Instant;
  readonly end: Instant;
  readonly intervalMs: number;
  readonly maxDataPoints: number;
  readonly targets: readonly TargetRequest[];
  /** Names of tags that filters leave. */
  readonly filters: readonly Filter[];
}

export interface Filter {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
}

/** Throws a 400 for what is no object. */
export async function readRequest({ request }: RouteContext): Promise<JsonObject> {
  const body = await readJsonBody(request, MAX_BODY_BYTES);
  if (isJsonObject(body)) return body;
  throw fault('', 'want an object');
}

export function toQueryRequest(body: JsonObject): QueryRequest {
  const range = objectAt(body, 'range', '');
  return {
    start: parseTime('range.from', textAt(range, 'from', '/range') ?? ''),
    end: parseTime('range.to', textAt(range, 'to', '/range') ?? ''),
    intervalMs: numberAt(body, 'intervalMs', 1, 1e13) ?? 60_000,
    maxDataPoints: numberAt(body, 'maxDataPoints', 1, MAX_AGGREGATE_RESULTS) ?? 1000,
    targets: objectsAt(body, 'targets', MAX_TARGETS).map((target, i) => toTarget(target, `/targets/${i}`)),
    filters: [...objectsAt(body, 'adhocFilters', MAX_NAMES), ...objectsAt(body, 'filters', MAX_NAMES)].map(toFilter),
  };
}

function toTarget(target: JsonObject, path: string): TargetRequest {
  const payload = payloadOf(target, path);
  return {
    dataset: textAt(target, 'target', path) ?? '',
    tags: textsAt(payload, 'tags', `${path}/payload`),
    show: textAt(payload, 'show', `${path}/payload`) ?? 'points',
    refId: textAt(target, 'refId', path) ?? '',
  };
}

function toFilter(filter: JsonObject, i: number): Filter {
  const path = `/adhocFilters/${i}`;
  const [key, operator, value] = ['key', 'operator', 'value'].map((name) => textAt(filter, name, path));
  return { key: key ?? '', operator: operator ?? '=', value: value ?? '' };
}

/** The member `payload`; the data source sends none, or an empty text, where nothing was filled in. */
export function payloadOf(body: JsonObject, path = ''): JsonObject {
  const { payload } = body;
  if (payload === undefined || payload === null || payload === '') return {};
  return objectAt(body, 'payload', path);
}

export function textAt(body: JsonObject, name: string, path = ''): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw fault(`${path}/${name}`, 'want a text');
}

/** One text, or a list of them; empty ones are left out. */
export function textsAt(body: JsonObject, name: string, path = ''): string[] {
  const value = body[name] ?? [];
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > MAX_NAMES) throw fault(`${path}/${name}`, `want ${MAX_NAMES} names at most`);
  if (!texts.every((text) => typeof text === 'string')) throw fault(`${path}/${name}`, 'want a list of texts');
  return texts.filter((text) => text !== '');
}

function objectAt(body: JsonObject, name: string, path: string): JsonObject {
  const value = body[name];
  if (isJsonObject(value)) return value;
  throw fault(`${path}/${name}`, 'want an object');
}

function objectsAt(body: JsonObject, name: string, most: number): JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw fault(`/${name}`, 'want a list of objects');
  if (value.length > most) throw fault(`/${name}`, `want ${most} at most`);
  return value;
}

function numberAt(body: JsonObject, name: string, least: number, most: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= least) return Math.min(Math.floor(value), most);
  throw fault(`/${name}`, `want a number from ${least} up`);
}

export function fault(path: string, message: string): Error {
  return bodyProblem([{ path, message: `${message}.` }]);
}
