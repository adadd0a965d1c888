// The shape of a collector's configuration as a JSON schema. What its texts mean is checked by the reader beside this file.

import type { JsonSchema } from '../../api/validation/json-schema.ts';

export const SECURITY_POLICIES = ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] as const;
export const SECURITY_MODES = ['None', 'Sign', 'SignAndEncrypt'] as const;

const TEXT = { type: 'string', minLength: 1 };
const MOST_ENDPOINTS = 8;
const MOST_SELECTIONS = 1000;
const MOST_IDS = 100_000;
const MOST_PARTS = 1000;

function closed(properties: Record<string, unknown>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A text, or where it is to be found. */
const SECRET = {
  type: ['string', 'object'],
  properties: { file: TEXT, environment: TEXT },
  additionalProperties: false,
};

const DEADBAND = closed(
  {
    absolute: { type: 'number', minimum: 0 },
    percent: { type: 'number', minimum: 0, maximum: 100 },
    shortestMs: { type: 'integer', minimum: 0, maximum: 86_400_000 },
    longestMs: { type: 'integer', minimum: 1, maximum: 31_536_000_000 },
  },
  [],
);

const SELECTION = closed(
  {
    ids: { type: 'array', items: TEXT, minItems: 1, maxItems: MOST_IDS },
    paths: { type: 'array', items: TEXT, minItems: 1, maxItems: MOST_SELECTIONS },
    name: TEXT,
    samplingMs: { type: 'integer', minimum: 0, maximum: 86_400_000 },
    queueSize: { type: 'integer', minimum: 2, maximum: 100_000 },
    deadband: DEADBAND,
    parts: { type: 'array', items: TEXT, minItems: 1, maxItems: MOST_PARTS },
  },
  [],
);

export const COLLECT_CONFIG_SCHEMA = closed(
  {
    target: closed({ url: TEXT, token: SECRET, dataset: TEXT }, ['dataset']),
    endpoints: { type: 'array', items: TEXT, minItems: 1, maxItems: MOST_ENDPOINTS },
    securityPolicy: { enum: SECURITY_POLICIES },
    securityMode: { enum: SECURITY_MODES },
    user: TEXT,
    password: SECRET,
    certificates: TEXT,
    buffer: closed({ folder: TEXT, megabytes: { type: 'integer', minimum: 1, maximum: 1_048_576 } }, []),
    diagnostics: TEXT,
    publishingMs: { type: 'integer', minimum: 50, maximum: 60_000 },
    nodes: { type: 'array', items: SELECTION, minItems: 1, maxItems: MOST_SELECTIONS },
  },
  ['target', 'endpoints', 'nodes'],
);

export type SecretEntry = string | { readonly file?: string; readonly environment?: string };

/** The file as it stands, once it has this shape. */
export interface CollectFile {
  readonly target: { readonly url?: string; readonly token?: SecretEntry; readonly dataset: string };
  readonly endpoints: readonly string[];
  readonly securityPolicy?: (typeof SECURITY_POLICIES)[number];
  readonly securityMode?: (typeof SECURITY_MODES)[number];
  readonly user?: string;
  readonly password?: SecretEntry;
  readonly certificates?: string;
  readonly buffer?: { readonly folder?: string; readonly megabytes?: number };
  readonly diagnostics?: string;
  readonly publishingMs?: number;
  readonly nodes: readonly SelectionEntry[];
}

export interface SelectionEntry {
  readonly ids?: readonly string[];
  readonly paths?: readonly string[];
  readonly name?: string;
  readonly samplingMs?: number;
  readonly queueSize?: number;
  readonly parts?: readonly string[];
  readonly deadband?: {
    readonly absolute?: number;
    readonly percent?: number;
    readonly shortestMs?: number;
    readonly longestMs?: number;
  };
}
