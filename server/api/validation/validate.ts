// Checks bodies against the schemas. Each item of a list is checked by itself, so that a long list of faults costs
// little memory, and the main thread can breathe in between.

import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import { tagNameFault } from '../../../client/tag-name.ts';
import { ProblemError, type ProblemFault } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import { describeValue, pointerStep, toFaults } from './faults.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from './json-schema.ts';

export const MAX_FAULTS = 100;

/** Values with more entries than this are checked up to their first fault: gathering a hundred thousand takes seconds. */
const MOST_CHECKED_ENTRIES = 2000;

const INT32_TEXT = /^(?:0|-?[1-9]\d{0,9})$/;

/**
 * The one place where ajv is set up; also for the test of the OpenAPI examples. Schemas are ours: only tests have them
 * checked, since that takes longer than anything else at a start, and again at the first body with very many entries.
 */
export function createAjv(
  extent: 'all faults' | 'first fault' = 'all faults',
  { checksSchemas = false }: { readonly checksSchemas?: boolean } = {},
): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: extent === 'all faults',
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    meta: checksSchemas,
    validateSchema: checksSchemas,
  });
  ajv.addFormat('int32-text', (text) => INT32_TEXT.test(text) && Number(text) === (Number(text) | 0));
  ajv.addFormat('tag-name', (text) => tagNameFault(text) === undefined);
  return ajv;
}

/** Compiles each schema once. */
class Validators {
  readonly extent: 'all faults' | 'first fault';
  #ajv: Ajv2020 | undefined;
  readonly #compiled = new WeakMap<JsonSchema, ValidateFunction>();

  constructor(extent: 'all faults' | 'first fault') {
    this.extent = extent;
  }

  of(schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    this.#ajv ??= createAjv(this.extent);
    const validator = this.#ajv.compile(schema as AnySchema);
    this.#compiled.set(schema, validator);
    return validator;
  }
}

const thorough = new Validators('all faults');
const quick = new Validators('first fault');

/**
 * Throws a 400 with every fault of `value`, which must be an object; of one with very many entries, the first. Null
 * counts as absent for keys of the schema.
 */
export function requireObject(schema: JsonSchema, value: unknown): JsonObject {
  const faults = findFaults(schema, value, '');
  if (faults.length > 0) throw bodyProblem(faults);
  return value as JsonObject;
}

/** The same for each item of a list; yields to other requests in between. Throws with the first 100 faults. */
export async function requireObjects(schema: JsonSchema, items: readonly unknown[]): Promise<JsonObject[]> {
  const faults: ProblemFault[] = [];
  const pacer = createPacer();
  for (const [index, item] of items.entries()) {
    faults.push(...findFaults(schema, item, pointerStep(index)));
    if (faults.length >= MAX_FAULTS) break;
    if (pacer.isDue()) await pacer.yield();
  }
  if (faults.length > 0) throw bodyProblem(faults);
  return items as JsonObject[];
}

/** Throws a 400 unless `value` is a list. */
export function requireArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw bodyProblem([{ path: '', message: `Got ${describeValue(value)}; want an array.` }]);
}

/** Throws a 400 unless the name in a body, its `n`, is the one in the path. */
export function requireSameName(inBody: string, inPath: string): void {
  if (inBody === inPath) return;
  const message = `Got ${describeValue(inBody)}; want the name in the path, ${describeValue(inPath)}.`;
  throw bodyProblem([{ path: '/n', message }]);
}

/** Throws a 413 for a list of more entries than are taken at once. */
export function requireAtMost(limit: number, list: readonly unknown[], what: string): void {
  if (list.length <= limit) return;
  const message = `Got ${list.length} ${what}; want at most ${limit} in one request.`;
  throw new ProblemError(413, `The body: ${message}`, { errors: [{ path: '', message }] });
}

/** Throws a 400 unless `value` is a list of texts. */
export function requireTexts(value: unknown): string[] {
  const faults: ProblemFault[] = [];
  for (const [index, item] of requireArray(value).entries()) {
    if (typeof item === 'string') continue;
    faults.push({ path: pointerStep(index), message: `Got ${describeValue(item)}; want a name as text.` });
    if (faults.length >= MAX_FAULTS) break;
  }
  if (faults.length > 0) throw bodyProblem(faults);
  return value as string[];
}

/** A 400 about a body; its detail is the first fault. */
export function bodyProblem(faults: readonly ProblemFault[], count = faults.length): ProblemError {
  const [first] = faults;
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  const where = first === undefined || first.path === '' ? 'The body' : `The body at ${first.path}`;
  return new ProblemError(400, `${where}: ${first?.message ?? 'not as it should be.'}${more}`, {
    key: 'Error.BadBody',
    errors: faults.slice(0, MAX_FAULTS),
  });
}

function findFaults(schema: JsonSchema, value: unknown, path: string): ProblemFault[] {
  if (isJsonObject(value)) dropNulls(schema, value);
  const validator = (hasManyEntries(value) ? quick : thorough).of(schema);
  return validator(value) ? [] : toFaults((validator.errors ?? []).slice(0, MAX_FAULTS), path);
}

/** Only for keys that the schema knows: an unknown key stays a fault, whatever its value. */
function dropNulls(schema: JsonSchema, body: JsonObject): void {
  for (const key of Object.keys((schema.properties as object | undefined) ?? {})) {
    if (Object.hasOwn(body, key) && body[key] === null) delete body[key];
  }
}

/** Makes the validator of a schema, tens of milliseconds of work that the first request would wait for. */
export function prepareSchema(schema: JsonSchema): void {
  thorough.of(schema);
}

function entryCount(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** Entries of the value and of what is directly in it. */
function hasManyEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let count = 0;
  for (const key in value) {
    const entry = (value as JsonObject)[key];
    count += 1 + entryCount(entry);
    if (count > MOST_CHECKED_ENTRIES) return true;
  }
  return false;
}
