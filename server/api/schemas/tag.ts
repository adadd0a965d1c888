// JSON Schemas of tags, and the way from a checked body to the engine's change.

import { parseValueType, type TagChange, type TagRename, VALUE_TYPE_NAMES } from '../../../engine/index.ts';
import { charsOfTag } from '../../codec/write-json/tag-json.ts';
import { ProblemError } from '../../problem.ts';
import { MAX_ENTRIES, MAX_MEMBERS, MAX_TAG_CHARS } from '../validation/body-limits.ts';
import type { JsonObject, JsonSchema } from '../validation/json-schema.ts';

const DAY_MS = 86_400_000;

const textMap = { type: 'object', additionalProperties: { type: 'string' } };

/** Bound on what clients send: what is stored from before may have more. */
const capped = { maxProperties: MAX_MEMBERS };

const sharedProperties = {
  d: { type: 'string', description: 'Description.' },
  f: { type: 'string', description: 'Format of the value, such as a number-format pattern.' },
  u: {
    ...textMap,
    propertyNames: { format: 'int32-text' },
    description: 'Unit of measure, or the texts of an enumeration, by int32 key.',
  },
  fl: { ...textMap, description: 'Metadata of the tag.' },
};

/** What clients send. A field that is null counts as absent. */
export const tagBodySchema: JsonSchema = {
  type: 'object',
  required: ['n'],
  additionalProperties: false,
  properties: {
    n: { type: 'string', format: 'tag-name', description: 'Name of the tag.' },
    ...sharedProperties,
    u: { ...sharedProperties.u, ...capped },
    fl: { ...sharedProperties.fl, ...capped },
    t: { enum: [...VALUE_TYPE_NAMES, 'System.Integer'], description: 'Data type; System.Integer is System.Int32.' },
  },
};

export const tagAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['n'],
  additionalProperties: false,
  properties: {
    n: { type: 'string', minLength: 1, description: 'Name of the tag.' },
    ...sharedProperties,
    t: { enum: VALUE_TYPE_NAMES, description: 'Data type; absent until the first value.' },
    former: {
      type: 'array',
      description: 'Names that the tag had before, the last one at the end; absent when it was never renamed.',
      items: {
        type: 'object',
        required: ['n', 'at', 'forward'],
        additionalProperties: false,
        properties: {
          n: { type: 'string', minLength: 1, description: 'The former name.' },
          at: { type: 'string', description: 'When the tag was renamed.' },
          until: {
            type: 'string',

            description: 'Until when it leads to the tag; absent: for good.',
          },
          forward: { type: 'boolean', description: 'Whether writes under it go to the tag; else they are refused.' },
        },
      },
    },
  },
};

export const tagRenameSchema: JsonSchema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', format: 'tag-name', description: 'The new name.' },
    forward: {
      type: 'boolean',
      description: 'Whether writes under the former name go to the tag; else they are refused.',
    },
    keep: {
      type: 'number',
      minimum: 0,
      maximum: 36_500,
      description: 'Days for which the former name leads to the tag; for good when absent.',
    },
  },
};

/** The engine's request for a body that was checked. */
export function toTagRename(from: string, { name, forward, keep }: JsonObject): TagRename {
  const keepMs = typeof keep === 'number' ? Math.round(keep * DAY_MS) : undefined;
  return { from, to: name as string, forwards: forward === true, keepMs };
}

export const tagListSchema: JsonSchema = {
  type: 'object',
  required: ['User', 'System'],
  additionalProperties: false,
  properties: {
    User: { type: 'array', items: { $ref: '#/components/schemas/TagAnswer' } },
    System: { type: 'array', items: { $ref: '#/components/schemas/TagAnswer' } },
  },
};

export const tagNameListSchema: JsonSchema = { type: 'array', items: { type: 'string' }, maxItems: MAX_ENTRIES };

/** What POST on the tags of a dataset takes: tags to create or change, or names to delete; never both. */
export const tagPostSchema: JsonSchema = {
  oneOf: [
    { type: 'array', items: { $ref: '#/components/schemas/Tag' }, maxItems: MAX_ENTRIES },
    { $ref: '#/components/schemas/TagNames' },
  ],
};

/** Change from a body that `tagBodySchema` has passed; `path` is where it stands. Throws a 413 for too much text. */
export function toTagChange(body: JsonObject, path = ''): TagChange {
  const { n, d, f, u, fl, t } = body;
  const type = typeof t === 'string' ? parseValueType(t) : undefined;
  const change = {
    name: n as string,
    ...(d === undefined ? {} : { description: d as string }),
    ...(f === undefined ? {} : { format: f as string }),
    ...(u === undefined ? {} : { units: toUnits(u as JsonObject) }),
    ...(fl === undefined ? {} : { fields: new Map(Object.entries(fl as Record<string, string>)) }),
    ...(type === undefined ? {} : { type }),
  };
  if (charsOfTag(change) > MAX_TAG_CHARS) throw tooLong(path);
  return change;
}

function tooLong(path: string): Error {
  const message = `Got a tag with more than ${MAX_TAG_CHARS} characters of texts, more than a tag can have.`;
  const where = path === '' ? 'The body' : `The body at ${path}`;
  return new ProblemError(413, `${where}: ${message}`, { errors: [{ path, message }] });
}

function toUnits(units: JsonObject): Map<number, string> {
  return new Map(Object.entries(units).map(([key, text]) => [Number(key), text as string]));
}
