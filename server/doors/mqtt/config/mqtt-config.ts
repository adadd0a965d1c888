// The configuration of MQTT: read from its file, checked as a whole, and its secrets fetched. All faults are told at once,
// each with its place.

import { dirname, resolve } from 'node:path';
import { toFaults } from '../../../api/validation/faults.ts';
import { createAjv } from '../../../api/validation/validate.ts';
import type { ProblemFault } from '../../../problem.ts';
import { UsageError } from '../../../settings/read-settings.ts';
import type { TopicMapping } from '../mapping/topic-mapping.ts';
import { MQTT_CONFIG_SCHEMA, type MqttFile, type SecretEntry, type SourceEntry } from './config-schema.ts';
import { readTopic } from './topic-entries.ts';

export interface SourceConfig {
  readonly name: string;
  readonly url: string;
  readonly clientId: string;
  readonly version: 4 | 5;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** PEM. */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly keepAliveSeconds: number;
  readonly sessionSeconds: number;
  /** Messages that the broker may send before the first of them is acknowledged. */
  readonly inFlight: number;
  readonly maxMessageBytes: number;
  readonly hasHeartbeat: boolean;
  /** The id by which it is a primary host of Sparkplug; it is none when undefined. */
  readonly sparkplugHost: string | undefined;
  /** How long a message of Sparkplug that has overtaken others waits for them; 0 is not at all. */
  readonly sparkplugReorderMs: number;
  readonly topics: readonly TopicMapping[];
}

export interface MqttConfig {
  readonly sources: readonly SourceConfig[];
  /** The dataset that the figures of the sources go to; none when undefined. */
  readonly diagnostics: string | undefined;
}

/** Places that the configuration comes from. */
export interface ConfigPlaces {
  readonly readFile: (path: string) => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const SHOWN_FAULTS = 20;
const DEFAULTS = {
  keepAliveSeconds: 30,
  sessionSeconds: 7 * 86_400,
  inFlight: 4096,
  maxMessageBytes: 1_048_576,
  sparkplugReorderMs: 5000,
};

/** Throws a `UsageError` with every fault and its place. */
export function readMqttConfig(path: string, places: ConfigPlaces): MqttConfig {
  const content = parseFile(path, places);
  const validate = createAjv().compile<MqttFile>(MQTT_CONFIG_SCHEMA);
  if (!validate(content)) throw refuse(path, toFaults(validate.errors ?? [], ''));
  const faults: ProblemFault[] = [];
  const beside = { ...places, readFile: (file: string) => places.readFile(resolve(dirname(path), file)) };
  const sources = content.sources.map((entry, i) => new SourceReader(entry, `/sources/${i}`, beside, faults).read());
  for (const member of ['name', 'clientId'] as const) addTwins(sources, member, faults);
  if (faults.length > 0) throw refuse(path, faults);
  return { sources, diagnostics: content.diagnostics };
}

function parseFile(path: string, { readFile }: ConfigPlaces): unknown {
  try {
    return JSON.parse(readFile(path).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The MQTT configuration ${path} cannot be read: ${(error as Error).message}`);
  }
}

function refuse(path: string, faults: readonly ProblemFault[]): UsageError {
  const lines = faults.slice(0, SHOWN_FAULTS).map(({ path: place, message }) => `\n  ${place || '/'}: ${message}`);
  const more = faults.length > SHOWN_FAULTS ? `\n  and ${faults.length - SHOWN_FAULTS} more` : '';
  return new UsageError(`The MQTT configuration ${path} is wrong:${lines.join('')}${more}`);
}

/** Two sources of one name could not be told apart; two clients of one id throw each other out of the broker. */
function addTwins(sources: readonly SourceConfig[], member: 'name' | 'clientId', faults: ProblemFault[]): void {
  const seen = new Set<string>();
  for (const [index, source] of sources.entries()) {
    const key = member === 'name' ? source.name : `${source.url} ${source.clientId}`;
    if (seen.has(key))
      faults.push({ path: `/sources/${index}/${member}`, message: `Got '${source[member]}' for two sources.` });
    seen.add(key);
  }
}

class SourceReader {
  readonly #entry: SourceEntry;
  readonly #path: string;
  readonly #places: ConfigPlaces;
  readonly #faults: ProblemFault[];

  constructor(entry: SourceEntry, path: string, places: ConfigPlaces, faults: ProblemFault[]) {
    this.#entry = entry;
    this.#path = path;
    this.#places = places;
    this.#faults = faults;
  }

  read(): SourceConfig {
    const entry = this.#entry;
    this.#checkTogether();
    return {
      ...DEFAULTS,
      ...entry,
      url: this.#url(),
      clientId: entry.clientId ?? `varve-${entry.name}`,
      version: entry.version ?? 5,
      user: entry.user,
      password: this.#secret(entry.password),
      ca: this.#file('ca'),
      certificate: this.#file('certificate'),
      key: this.#file('key'),
      hasHeartbeat: entry.heartbeat ?? true,
      sparkplugHost: entry.sparkplugHost,
      topics: this.#topics(),
    };
  }

  #topics(): TopicMapping[] {
    return this.#entry.topics.flatMap((topic, index) => {
      const add = (path: string, message: string): void => void this.#faults.push({ path, message });
      return readTopic(topic, `${this.#path}/topics/${index}`, add) ?? [];
    });
  }

  #add(member: string, message: string): void {
    this.#faults.push({ path: `${this.#path}/${member}`, message });
  }

  #url(): string {
    const { url } = this.#entry;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isFine = (parsed?.protocol === 'mqtt:' || parsed?.protocol === 'mqtts:') && parsed.hostname !== '';
    if (!isFine) this.#add('url', `Got '${withoutSecret(url)}'; want mqtt://host:1883 or mqtts://host:8883.`);
    else if (parsed.username !== '' || parsed.password !== '')
      this.#add('url', "It holds a user or a password; want them in 'user' and 'password'.");
    else if (parsed.search !== '' || parsed.hash !== '' || !['', '/'].includes(parsed.pathname))
      this.#add('url', `Got '${url}'; want nothing behind host and port.`);
    return url;
  }

  #checkTogether(): void {
    const { url, password, user, ca, certificate, key } = this.#entry;
    if (password !== undefined && user === undefined) this.#add('password', "It needs a 'user'.");
    if ((certificate === undefined) !== (key === undefined))
      this.#add(key === undefined ? 'certificate' : 'key', "'certificate' and 'key' go together.");
    if (!url.startsWith('mqtts:') && (ca ?? certificate ?? key) !== undefined)
      this.#add('url', `Got '${withoutSecret(url)}'; want mqtts:// with certificates.`);
  }

  #secret(entry: SecretEntry | undefined): string | undefined {
    if (entry === undefined || typeof entry === 'string') return entry;
    const { file, environment } = entry;
    if ((file === undefined) === (environment === undefined)) {
      this.#add('password', "Want a text, or an object with either 'file' or 'environment'.");
      return undefined;
    }
    if (file !== undefined) return this.#readFile('password/file', file)?.replace(/\r?\n$/, '');
    const text = this.#places.environment[environment ?? ''];
    if (text === undefined) this.#add('password/environment', `The environment variable ${environment} is not set.`);
    return text;
  }

  #file(member: 'ca' | 'certificate' | 'key'): string | undefined {
    const path = this.#entry[member];
    if (path === undefined) return undefined;
    const text = this.#readFile(member, path);
    if (text !== undefined && !text.includes('-----BEGIN')) this.#add(member, `The file ${path} is no PEM file.`);
    return text;
  }

  #readFile(member: string, path: string): string | undefined {
    try {
      return this.#places.readFile(path);
    } catch (error) {
      this.#add(member, `The file ${path} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }
}

function withoutSecret(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}
