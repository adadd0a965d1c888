// A collector's configuration: read from its file, checked as a whole, and its secrets fetched. All faults are told at once, each
// with its place.

import { dirname, resolve } from 'node:path';
import { tagNameFault } from '../../../client/tag-name.ts';
import type { CollectConfig, DeadbandConfig, NodeSelection } from '../../../collect/config.ts';
import { MOST_PARTS, parseParts, type ValuePart } from '../../../collect/value-part.ts';
import { toFaults } from '../../api/validation/faults.ts';
import { createAjv } from '../../api/validation/validate.ts';
import type { ProblemFault } from '../../problem.ts';
import { TOKEN_VARIABLE, UsageError } from '../../settings/read-settings.ts';
import { COLLECT_CONFIG_SCHEMA, type CollectFile, type SecretEntry, type SelectionEntry } from './config-schema.ts';

/** Places that the configuration comes from. */
export interface ConfigPlaces {
  readonly readFile: (path: string) => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const SHOWN_FAULTS = 20;
const DEFAULT_URL = 'http://127.0.0.1:4511';
const DEFAULT_NAME = '{browsePath}';
const MEGABYTE = 1024 * 1024;
const DEFAULTS = { samplingMs: 1000, queueSize: 10, publishingMs: 500, bufferMegabytes: 1024 };
const DEFAULT_LONGEST_MS = 600_000;
const NODE_ID = /^(ns=\d{1,5};)?(i=\d{1,10}|s=.+|g=[\da-fA-F-]{36}|b=[\w+/=]+)$/s;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const PLACEHOLDERS = ['browsePath', 'nodeId', 'browseName', 'part'];

/** Throws a `UsageError` with every fault and its place. */
export function readCollectConfig(path: string, places: ConfigPlaces): CollectConfig {
  const content = parseFile(path, places);
  const validate = createAjv().compile<CollectFile>(COLLECT_CONFIG_SCHEMA);
  if (!validate(content)) throw refuse(path, toFaults(validate.errors ?? [], ''));
  const reader = new ConfigReader(content, dirname(path), places);
  const config = reader.read();
  if (reader.faults.length > 0) throw refuse(path, reader.faults);
  return config;
}

function parseFile(path: string, { readFile }: ConfigPlaces): unknown {
  try {
    return JSON.parse(readFile(path).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read: ${(error as Error).message}`);
  }
}

function refuse(path: string, faults: readonly ProblemFault[]): UsageError {
  const lines = faults.slice(0, SHOWN_FAULTS).map(({ path: place, message }) => `\n  ${place || '/'}: ${message}`);
  const more = faults.length > SHOWN_FAULTS ? `\n  and ${faults.length - SHOWN_FAULTS} more` : '';
  return new UsageError(`The configuration ${path} is wrong:${lines.join('')}${more}`);
}

class ConfigReader {
  readonly faults: ProblemFault[] = [];
  readonly #file: CollectFile;
  readonly #folder: string;
  readonly #places: ConfigPlaces;

  constructor(file: CollectFile, folder: string, places: ConfigPlaces) {
    this.#file = file;
    this.#folder = folder;
    this.#places = places;
  }

  read(): CollectConfig {
    const { target, endpoints, user, password, certificates, buffer, publishingMs, diagnostics, nodes } = this.#file;
    for (const [index, endpoint] of endpoints.entries()) this.#checkEndpoint(`/endpoints/${index}`, endpoint);
    if (password !== undefined && user === undefined) this.#add('/password', "It needs a 'user'.");
    const folder = resolve(this.#folder, buffer?.folder ?? 'collect-data');
    return {
      target: {
        url: this.#targetUrl(target.url ?? DEFAULT_URL),
        isUrlGiven: target.url !== undefined,
        token: this.#secret('/target/token', target.token) ?? this.#places.environment[TOKEN_VARIABLE],
        dataset: target.dataset,
      },
      endpoints,
      ...this.#security(),
      user,
      password: this.#secret('/password', password),
      certificateFolder: resolve(this.#folder, certificates ?? 'collect-certificates'),
      bufferFolder: folder,
      bufferLimitBytes: (buffer?.megabytes ?? DEFAULTS.bufferMegabytes) * MEGABYTE,
      figurePrefix: this.#figurePrefix(diagnostics),
      publishingMs: publishingMs ?? DEFAULTS.publishingMs,
      nodes: nodes.map((entry, index) => this.#selection(entry, `/nodes/${index}`)),
    };
  }

  #security(): Pick<CollectConfig, 'securityMode' | 'securityPolicy'> {
    const { securityPolicy = 'None', securityMode = securityPolicy === 'None' ? 'None' : 'SignAndEncrypt' } =
      this.#file;
    if ((securityPolicy === 'None') !== (securityMode === 'None'))
      this.#add(
        '/securityMode',
        `Got '${securityMode}' with the policy '${securityPolicy}'; want 'None' for both or for none.`,
      );
    return { securityPolicy, securityMode };
  }

  #selection(entry: SelectionEntry, place: string): NodeSelection {
    const { ids, paths, name, samplingMs, queueSize, deadband, parts } = entry;
    if (ids === undefined && paths === undefined) this.#add(place, "Want 'ids', 'paths', or both.");
    for (const [index, id] of (ids ?? []).entries())
      if (!NODE_ID.test(id))
        this.#add(`${place}/ids/${index}`, `Got '${id}'; want such as ns=2;s=Line1.Speed or ns=2;i=1001.`);
    for (const [, found = ''] of (name ?? '').matchAll(PLACEHOLDER))
      if (!PLACEHOLDERS.includes(found))
        this.#add(`${place}/name`, `Got '{${found}}'; want ${PLACEHOLDERS.map((known) => `{${known}}`).join(', ')}.`);
    return {
      ids: ids ?? [],
      paths: paths ?? [],
      name: name ?? DEFAULT_NAME,
      samplingMs: samplingMs ?? DEFAULTS.samplingMs,
      queueSize: queueSize ?? DEFAULTS.queueSize,
      deadband: this.#deadband(deadband, `${place}/deadband`),
      parts: this.#parts(parts ?? [], `${place}/parts`),
    };
  }

  #parts(texts: readonly string[], place: string): ValuePart[] {
    return texts.flatMap((text, index) => {
      const parts = parseParts(text);
      if (parts === undefined)
        this.#add(
          `${place}/${index}`,
          `Got '${text}'; want such as [3], [0:9], [1,2], .Speed or [2].Speed, of at most ${MOST_PARTS} elements.`,
        );
      return parts ?? [];
    });
  }

  #figurePrefix(prefix: string | undefined): string | undefined {
    const fault = prefix === undefined ? undefined : tagNameFault(`${prefix}.stored`);
    if (fault !== undefined) this.#add('/diagnostics', fault);
    return prefix;
  }

  #deadband(entry: SelectionEntry['deadband'], place: string): DeadbandConfig | undefined {
    if (entry === undefined) return undefined;
    const { absolute, percent, shortestMs = 0, longestMs = DEFAULT_LONGEST_MS } = entry;
    if ((absolute === undefined) === (percent === undefined)) this.#add(place, "Want either 'absolute' or 'percent'.");
    if (shortestMs >= longestMs)
      this.#add(`${place}/shortestMs`, `Got ${shortestMs}; want less than longestMs, ${longestMs}.`);
    const kind = absolute === undefined ? 'percent' : 'absolute';
    return { kind, value: absolute ?? percent ?? 0, shortestMs, longestMs };
  }

  #checkEndpoint(place: string, text: string): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.username || url?.password)
      this.#add(place, "It holds a user or a password; want them in 'user' and 'password'.");
    else if (url?.protocol !== 'opc.tcp:' || url.hostname === '')
      this.#add(place, `Got '${text}'; want opc.tcp://host:4840.`);
  }

  #targetUrl(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.username || url?.password) this.#add('/target/url', "It holds a password; want a 'token'.");
    else if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      this.#add('/target/url', `Got '${text}'; want ${DEFAULT_URL} or https://host.`);
    return url ?? new URL(DEFAULT_URL);
  }

  #secret(place: string, entry: SecretEntry | undefined): string | undefined {
    if (entry === undefined || typeof entry === 'string') return entry;
    const { file, environment } = entry;
    if ((file === undefined) === (environment === undefined)) {
      this.#add(place, "Want a text, or an object with either 'file' or 'environment'.");
      return undefined;
    }
    if (file !== undefined) return this.#readSecret(`${place}/file`, file);
    const text = this.#places.environment[environment ?? ''];
    if (text === undefined) this.#add(`${place}/environment`, `The environment variable ${environment} is not set.`);
    return text;
  }

  #readSecret(place: string, file: string): string | undefined {
    try {
      return this.#places.readFile(resolve(this.#folder, file)).replace(/\r?\n$/, '');
    } catch (error) {
      this.#add(place, `The file ${file} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  #add(path: string, message: string): void {
    this.faults.push({ path, message });
  }
}
