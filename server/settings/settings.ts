// Every setting of the server in one table, which serves the parser, `--help` and docs/operations.md.
// A value comes from the defaults, then the file, then the environment, then the flags; the later wins.

import { DOOR_NAMES } from './door-names.ts';
import { DEFAULT_LINE_TEMPLATE, lineTemplate } from './line-template.ts';
import {
  byteSize,
  listOfAddresses,
  listOfOrigins,
  listOfTexts,
  oneOf,
  onOff,
  type SettingKind,
  siteName,
  someOf,
  span,
  textOf,
  wholeNumber,
} from './setting-kinds.ts';

export interface Setting<T> {
  readonly kind: SettingKind<T>;
  /** Default as a text of its kind; undefined when the setting has no value by default. */
  readonly defaultText: string | undefined;
  readonly summary: string;
}

function setting<T>(kind: SettingKind<T>, defaultText: string, summary: string): Setting<T> {
  return { kind, defaultText, summary };
}

function optional<T>(kind: SettingKind<T>, summary: string): Setting<T | undefined> {
  return { kind, defaultText: undefined, summary };
}

const INT32_MAX = 2_147_483_647;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** By flag name: `max-body` is `--max-body`, `VARVE_MAX_BODY` and the key `max-body` of the file. */
export const SETTINGS = {
  data: setting(textOf('<folder>'), './data', 'Data folder; made when missing.'),
  host: setting(textOf('<address>'), '127.0.0.1', 'Address to listen on; 0.0.0.0 opens the server to the network.'),
  port: setting(wholeNumber('<port>', 0, 65_535), '4511', 'Port to listen on; 0 picks a free one.'),
  durability: setting(
    oneOf('group', 'interval', 'os'),
    'group',
    'When a write is answered: after a sync shared with its neighbours, after the kernel write with a sync every second, or without syncs.',
  ),
  http: setting(
    oneOf('auto', 'uws', 'node'),
    'auto',
    'HTTP front end: auto is uws where its build answers whatever HTTP asks of it, node elsewhere and with --proxy (see docs/operations.md).',
  ),
  proxy: setting(
    listOfAddresses,
    '',
    'Address of a reverse proxy in front of the server: what it says of its clients (X-Forwarded-For) is believed; may be repeated.',
  ),
  compat: optional(oneOf('timebase'), 'Answer as the reference product does (see docs/api.md).'),
  config: optional(textOf('<file>'), 'JSON file with settings by these names.'),
  'allow-host': setting(
    listOfTexts('<name>'),
    '',
    'Further host name that requests may be for, e.g. of a reverse proxy; may be repeated.',
  ),
  'allow-origin': setting(
    listOfOrigins,
    '',
    'Origin of a web page that may send any request and read the answers (CORS), e.g. of a dashboard; may be repeated.',
  ),
  'close-door': setting(
    someOf('<name>', DOOR_NAMES),
    '',
    `Door that stays closed, of ${DOOR_NAMES.join(', ')}; may be repeated.`,
  ),
  'prometheus-stale': optional(
    span(1_000),
    'For how long a value is in force to queries of the door prometheus; until the next one without this flag.',
  ),
  'line-template': setting(
    lineTemplate,
    DEFAULT_LINE_TEMPLATE,
    'Name of the tag that a field of a line goes to, in line protocol (see docs/line-protocol.md).',
  ),
  'door-late': setting(
    oneOf('accept', 'ignore'),
    'accept',
    'What becomes of points earlier than the newest of their tag in datasets that line protocol and MQTT make (see docs/late-points.md).',
  ),
  mqtt: optional(
    textOf('<file>'),
    'JSON file with brokers and topics of MQTT whose messages are stored (see docs/mqtt.md).',
  ),
  opcua: optional(
    textOf('<file>'),
    'JSON file with servers and variables of OPC UA whose values are stored, in this process (see docs/opcua.md).',
  ),
  'opcua-server': optional(
    textOf('<file>'),
    'JSON file of a server of OPC UA, by which datasets are read (see docs/opcua.md).',
  ),
  engine: optional(
    textOf('<address>'),
    'Answers from the copies at a centre instead of a data folder, for reading only: clickhouse://host,host/database (see docs/scale-out.md).',
  ),
  centre: optional(
    textOf('<address>'),
    'Where all datasets are copied to: clickhouse://host,host/database, varve://host, parquet:///folder or s3://bucket/prefix (see docs/scale-out.md).',
  ),
  'centre-password': optional(
    textOf('<password>'),
    'Password for the centre, or the token of another Varve; better given as VARVE_CENTRE_PASSWORD than as a flag.',
  ),
  'centre-dataset': setting(
    listOfTexts('<name>'),
    '',
    'Dataset that is copied to the centre; all are without this flag; may be repeated.',
  ),
  'centre-restored': setting(
    listOfTexts('<name>'),
    '',
    'Dataset that was restored from a backup: its copy at the centre begins anew; for one start; may be repeated.',
  ),
  'centre-purge-wait': setting(
    span(0),
    '7d',
    'How long purge waits for points that are not at the centre yet; then it goes on, and says so.',
  ),
  site: setting(siteName, '', 'Name of this site: its datasets are called <site>.<dataset> at the centre.'),
  'edge-address': optional(
    textOf('<url>'),
    'Where this server is written to, as readers of the centre are told; by default its host name and port.',
  ),
  tokens: optional(
    textOf('<file>'),
    'Token file, which turns access control on; without this flag it is .access/tokens.json in the data folder, where there is one.',
  ),
  'client-token-life': setting(
    span(1_000),
    '1h',
    'How long a token holds that a client fetches with its id and secret (see docs/security.md).',
  ),
  'tls-key': optional(textOf('<file>'), 'Private key (PEM) of --tls-cert; with both the server speaks HTTPS.'),
  'tls-cert': optional(textOf('<file>'), 'Certificate (PEM) of the server, with the intermediate ones behind it.'),
  'on-bad-point': optional(
    oneOf('reject-request', 'drop-point'),
    'A faulty point refuses its whole request, or is left out and counted; reject-request by default, drop-point with --compat timebase. A request may prefer otherwise.',
  ),
  demo: setting(
    onOff,
    'false',
    "Runs the demo plant into the dataset Demo, when the data folder is empty or has that dataset; npm start's default.",
  ),
  'max-ahead': optional(
    span(1_000),
    'Refuse points further ahead than this of the later of now and the newest point of the dataset.',
  ),
  'max-body': optional(
    byteSize(1024, 64 * MIB),
    'Largest request body, also after unpacking; 16MiB by default, 30MB with --compat timebase.',
  ),
  'purge-age': setting(
    wholeNumber('<days>', 0, INT32_MAX),
    '0',
    'Purge age of datasets that a write creates; 0 is no limit.',
  ),
  'purge-size': setting(
    wholeNumber('<GB>', 0, INT32_MAX),
    '0',
    'Purge size of datasets that a write creates; 0 is no limit.',
  ),
  'head-limit': setting(byteSize(1 * MIB, 64 * GIB), '256MiB', 'Memory for points that are not in files yet.'),
  'block-cache': setting(
    byteSize(0, 64 * GIB),
    '32MiB',
    'Memory for blocks of points that were read a short while ago; 0 keeps none.',
  ),
  'journal-limit': setting(byteSize(1 * MIB, 1024 * GIB), '512MiB', 'Journals kept for a recovery; bounds its length.'),
  'retired-journal-age': setting(
    span(0),
    '1h',
    'How long journals are kept that are no longer needed: somebody may be copying the folder.',
  ),
  'retired-journal-size': setting(
    byteSize(0, 1024 * GIB),
    '4GB',
    'Most bytes of journals kept that are no longer needed.',
  ),
  'disk-reserve': setting(byteSize(0, 1024 * GIB), '256MB', 'Writes are refused while less is free on the disk.'),
  'system-days': setting(wholeNumber('<days>', 1, 36_500), '30', 'Days that the history of the system tags is kept.'),
  'encoding-thread': setting(
    oneOf('auto', 'on', 'off'),
    'auto',
    'Encodes blocks on a thread of its own; auto does where there are four cores or more, two hyper-threads counting as one.',
  ),
  'log-level': setting(oneOf('error', 'warn', 'info', 'debug'), 'info', 'Least level of the lines on standard error.'),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Names that earlier versions took, and what is said about one that is still given. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  'warm-up': 'this setting has no effect any more, because a server no longer runs a made-up load; leave it out.',
};

export type Settings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** `max-body` -> `VARVE_MAX_BODY` */
export function environmentName(name: string): string {
  return `VARVE_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** `max-body` -> `--max-body <size>` */
export function flagForm(name: SettingName): string {
  const { placeholder } = SETTINGS[name].kind;
  return placeholder === '' ? `--${name}` : `--${name} ${placeholder}`;
}
