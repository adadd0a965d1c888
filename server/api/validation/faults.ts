// Faults that ajv found, as JSON pointers with messages that say what is there and what is allowed.

import type { ErrorObject } from 'ajv';
import { tagNameFault } from '../../../client/tag-name.ts';
import { type ProblemFault, shortened } from '../../problem.ts';
import { nearestNameHint } from '../../settings/nearest-name.ts';

const TEXT_SHOWN = 60;
/** Characters of a key in a pointer: as many as a tag name has bytes. */
const KEY_SHOWN = 1024;

/** The faults of one value; `prefix` is the JSON pointer to that value in the body. */
export function toFaults(errors: readonly ErrorObject[], prefix: string): ProblemFault[] {
  return errors.filter((error) => error.keyword !== 'propertyNames').map((error) => toFault(error, prefix));
}

/** What a value is, short enough for a message: `text 'abc'`, `null`, `an array`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  return `text '${shortened(value, TEXT_SHOWN)}'`;
}

/** A key or index as one step of a JSON pointer. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function toFault(error: ErrorObject, prefix: string): ProblemFault {
  const path = `${prefix}${error.instancePath}`;
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(error, path);
    case 'required':
      return { path, message: `'${String(params.missingProperty)}' is missing.` };
    case 'enum':
      return { path, message: got(error, `one of ${listOf(params.allowedValues)}`) };
    case 'minimum':
    case 'maximum':
      return { path, message: got(error, rangeOf(error.parentSchema)) };
    case 'type':
      return { path, message: got(error, listOf(params.type, ' or ')) };
    case 'format':
      return formatFault(error, path);
    default:
      return { path, message: got(error, error.message ?? error.keyword) };
  }
}

function unknownKey(error: ErrorObject, path: string): ProblemFault {
  const key = String(error.params.additionalProperty);
  const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
  const hint = nearestNameHint(key, known);
  return {
    path: `${path}${pointerStep(shortened(key, KEY_SHOWN))}`,
    message: `Unknown key; allowed are ${known.join(', ')}.${hint}`,
  };
}

function formatFault(error: ErrorObject, path: string): ProblemFault {
  if (error.params.format === 'tag-name') {
    const why = tagNameFault(String(error.data)) ?? 'not a tag name';
    return { path, message: `${why[0]?.toUpperCase()}${why.slice(1)}.` };
  }
  const key = error.propertyName ?? '';
  return {
    path: `${path}${pointerStep(shortened(key, KEY_SHOWN))}`,
    message: `Got the key '${key.slice(0, TEXT_SHOWN)}'; want a whole number of int32.`,
  };
}

function got(error: ErrorObject, wanted: string): string {
  return `Got ${describeValue(error.data)}; want ${wanted}.`;
}

function rangeOf(schema: Readonly<Record<string, unknown>> | undefined): string {
  return `${String(schema?.minimum)} to ${String(schema?.maximum)}`;
}

function listOf(names: unknown, separator = ', '): string {
  return Array.isArray(names) ? names.join(separator) : String(names);
}
