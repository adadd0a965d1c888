// The shape of the configuration of MQTT as a JSON schema. What its texts mean is checked by the reader beside this file.

import type { JsonSchema } from '../../../api/validation/json-schema.ts';
import { TIME_UNITS } from '../mapping/payload-time.ts';
import { PLAIN_TYPES } from '../mapping/plain-values.ts';

const TEXT = { type: 'string', minLength: 1 };
const MOST_SOURCES = 32;
const MOST_TOPICS = 256;
const INT32_MAX = 2_147_483_647;
/** What numbers of a quality are: one of the table of all doors, or of OPC UA alone. */
const QUALITY_CODES = ['any', 'opc-ua'] as const;

function closed(properties: Record<string, unknown>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function whole(minimum: number, maximum: number): JsonSchema {
  return { type: 'integer', minimum, maximum };
}

const PAYLOAD = closed(
  {
    format: { enum: ['plain', 'json', 'sparkplug'] },
    type: { enum: PLAIN_TYPES },
    value: { type: 'string' },
    values: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1, maxProperties: 1000 },
    each: { type: 'string' },
    items: { type: 'string' },
    name: { type: 'string' },
    time: { type: 'string' },
    timeUnit: { enum: TIME_UNITS },
    quality: { type: 'string' },
    qualities: { type: 'object', additionalProperties: whole(-INT32_MAX, INT32_MAX), maxProperties: 1000 },
    qualityCodes: { enum: QUALITY_CODES },
    noValue: { type: 'array', items: TEXT, maxItems: 100 },
  },
  ['format'],
);

const DEADBAND = closed(
  {
    absolute: { type: 'number', minimum: 0 },
    percent: { type: 'number', minimum: 0, maximum: 100 },
    range: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    shortestMs: whole(0, 86_400_000),
    longestMs: { type: 'integer', minimum: 1, maximum: 31_536_000_000 },
  },
  [],
);

const TOPIC = closed(
  {
    topic: TEXT,
    qos: { enum: [0, 1] },
    dataset: TEXT,
    tag: TEXT,
    payload: PAYLOAD,
    retained: { enum: ['store', 'ignore'] },
    deadband: DEADBAND,
  },
  ['topic', 'dataset'],
);

/** A text, or where it is to be found. */
const SECRET = {
  type: ['string', 'object'],
  properties: { file: TEXT, environment: TEXT },
  additionalProperties: false,
};

const SOURCE = closed(
  {
    name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    url: TEXT,
    clientId: TEXT,
    version: { enum: [4, 5] },
    user: TEXT,
    password: SECRET,
    ca: TEXT,
    certificate: TEXT,
    key: TEXT,
    keepAliveSeconds: whole(5, 3600),
    sessionSeconds: whole(60, 4_294_967_295),
    inFlight: whole(1, 65_535),
    maxMessageBytes: whole(64, 2_097_152),
    heartbeat: { type: 'boolean' },
    sparkplugHost: { type: 'string', pattern: '^[^/+#\\u0000-\\u001f]{1,200}$' },
    sparkplugReorderMs: whole(0, 60_000),
    topics: { type: 'array', items: TOPIC, minItems: 1, maxItems: MOST_TOPICS },
  },
  ['name', 'url', 'topics'],
);

export const MQTT_CONFIG_SCHEMA = closed(
  { sources: { type: 'array', items: SOURCE, minItems: 1, maxItems: MOST_SOURCES }, diagnostics: TEXT },
  ['sources'],
);

/** The file as it stands, once it has this shape. */
export interface MqttFile {
  readonly sources: readonly SourceEntry[];
  readonly diagnostics?: string;
}

export interface SourceEntry {
  readonly name: string;
  readonly url: string;
  readonly clientId?: string;
  readonly version?: 4 | 5;
  readonly user?: string;
  readonly password?: SecretEntry;
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly keepAliveSeconds?: number;
  readonly sessionSeconds?: number;
  readonly inFlight?: number;
  readonly maxMessageBytes?: number;
  readonly heartbeat?: boolean;
  readonly sparkplugHost?: string;
  readonly sparkplugReorderMs?: number;
  readonly topics: readonly TopicEntry[];
}

export type SecretEntry = string | { readonly file?: string; readonly environment?: string };

export interface TopicEntry {
  readonly topic: string;
  readonly qos?: 0 | 1;
  readonly dataset: string;
  readonly tag?: string;
  readonly payload?: PayloadEntry;
  readonly retained?: 'store' | 'ignore';
  readonly deadband?: DeadbandEntry;
}

export interface DeadbandEntry {
  readonly absolute?: number;
  readonly percent?: number;
  /** What the percent are of: the lowest and the highest value. */
  readonly range?: readonly [number, number];
  readonly shortestMs?: number;
  readonly longestMs?: number;
}

export interface PayloadEntry {
  readonly format: 'plain' | 'json' | 'sparkplug';
  readonly type?: (typeof PLAIN_TYPES)[number];
  readonly value?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly each?: string;
  readonly items?: string;
  readonly name?: string;
  readonly time?: string;
  readonly timeUnit?: (typeof TIME_UNITS)[number];
  readonly quality?: string;
  readonly qualities?: Readonly<Record<string, number>>;
  readonly qualityCodes?: (typeof QUALITY_CODES)[number];
  readonly noValue?: readonly string[];
}
