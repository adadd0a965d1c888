// Bodies of i3X, with everything in them checked and bounded.

import type { Instant } from '../../../../engine/index.ts';
import { readJsonBody } from '../../../api/validation/json-body.ts';
import { isJsonObject, type JsonObject } from '../../../api/validation/json-schema.ts';
import type { NumberForm } from '../../../api/validation/json-values.ts';
import { parseInstant, TIME_FORM } from '../../../codec/scalars/timestamp.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import { ProblemError } from '../../../problem.ts';
import type { Service } from '../../../routes/service/service.ts';

const MAX_BODY_BYTES = 16 * 2 ** 20;
const MAX_LISTED = 100_000;
const MAX_NAME_LENGTH = 256;

export async function readObject(
  service: Service,
  { request }: RouteContext,
  numbers?: NumberForm,
): Promise<JsonObject> {
  const body = await readJsonBody(request, Math.min(service.maxBodyBytes, MAX_BODY_BYTES), numbers);
  if (isJsonObject(body)) return body;
  throw new ProblemError(400, 'The body is not an object.');
}

export function listAt(body: JsonObject, name: string, most = MAX_LISTED): readonly unknown[] {
  const list = body[name];
  if (!Array.isArray(list)) throw new ProblemError(400, `'${name}' is missing or is no list.`);
  if (list.length > most) throw new ProblemError(413, `'${name}' has ${list.length} entries; ${most} are allowed.`);
  return list;
}

export function idsAt(body: JsonObject, name: string): readonly string[] {
  const list = listAt(body, name);
  if (list.every((id) => typeof id === 'string')) return list;
  throw new ProblemError(400, `'${name}' has something else than texts.`);
}

export function timeAt(body: JsonObject, name: string): Instant {
  const text = body[name];
  const time = typeof text === 'string' ? parseInstant(text) : undefined;
  if (time !== undefined) return time;
  throw new ProblemError(400, `'${name}' is missing or wrong; want ${TIME_FORM}.`);
}

/** 1 when absent. No object has components, so that any depth gives the same. */
export function depthAt(body: JsonObject): number {
  const depth = body.maxDepth ?? 1;
  if (typeof depth === 'number' && Number.isInteger(depth) && depth >= 0) return depth;
  throw new ProblemError(400, "'maxDepth' is wrong; want a whole number from 0 up.");
}

export function nameAt(body: JsonObject, name: string): string {
  const text = body[name];
  if (typeof text === 'string' && text !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw new ProblemError(400, `'${name}' is missing or wrong; want a text of 1 to ${MAX_NAME_LENGTH} characters.`);
}
