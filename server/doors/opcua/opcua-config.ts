// The configuration of the server of OPC UA: read from its file, checked as a whole.

import { dirname, resolve } from 'node:path';
import { toFaults } from '../../api/validation/faults.ts';
import type { JsonSchema } from '../../api/validation/json-schema.ts';
import { createAjv } from '../../api/validation/validate.ts';
import { UsageError } from '../../settings/read-settings.ts';

export const SECURITY_POLICIES = ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] as const;
export type SecurityPolicyName = (typeof SECURITY_POLICIES)[number];

const DEFAULT_PORT = 4840;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_TAGS = 100_000;
const MOST_TAGS = 1_000_000;

export interface OpcUaServerConfig {
  readonly host: string;
  /** 0 is any that is free. */
  readonly port: number;
  readonly securityPolicies: readonly SecurityPolicyName[];
  /** Whether who gives no user may read everything that is shown. */
  readonly anonymous: boolean;
  readonly certificateFolder: string;
  /** Patterns of names, with `*`. */
  readonly datasets: readonly string[];
  /** Tags beyond so many are left out. */
  readonly mostTags: number;
}

interface ConfigFile {
  readonly host?: string;
  readonly port?: number;
  readonly securityPolicies?: readonly SecurityPolicyName[];
  readonly anonymous?: boolean;
  readonly certificates?: string;
  readonly datasets?: readonly string[];
  readonly mostTags?: number;
}

const TEXT = { type: 'string', minLength: 1 };
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    host: TEXT,
    port: { type: 'integer', minimum: 0, maximum: 65_535 },
    securityPolicies: { type: 'array', items: { enum: SECURITY_POLICIES }, minItems: 1, uniqueItems: true },
    anonymous: { type: 'boolean' },
    certificates: TEXT,
    datasets: { type: 'array', items: TEXT, minItems: 1, maxItems: 1000 },
    mostTags: { type: 'integer', minimum: 1, maximum: MOST_TAGS },
  },
  additionalProperties: false,
};

/** Throws a `UsageError` with every fault and its place. */
export function readOpcUaServerConfig(path: string, readFile: (path: string) => string): OpcUaServerConfig {
  const content = parseFile(path, readFile);
  const validate = createAjv().compile<ConfigFile>(SCHEMA);
  if (!validate(content)) {
    const lines = toFaults(validate.errors ?? [], '').map(
      ({ path: place, message }) => `\n  ${place || '/'}: ${message}`,
    );
    throw new UsageError(`The configuration ${path} is wrong:${lines.join('')}`);
  }
  return {
    host: content.host ?? DEFAULT_HOST,
    port: content.port ?? DEFAULT_PORT,
    securityPolicies: content.securityPolicies ?? SECURITY_POLICIES.filter((name) => name !== 'None'),
    anonymous: content.anonymous ?? false,
    certificateFolder: resolve(dirname(path), content.certificates ?? 'opcua-server-certificates'),
    datasets: content.datasets ?? ['*'],
    mostTags: content.mostTags ?? DEFAULT_TAGS,
  };
}

function parseFile(path: string, readFile: (path: string) => string): unknown {
  try {
    return JSON.parse(readFile(path).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read: ${(error as Error).message}`);
  }
}
