// Gathers the settings from flags, environment and file. Throws a `UsageError` for the first fault it meets.

import { nearestNameHint } from './nearest-name.ts';
import { SettingFault } from './setting-kinds.ts';
import {
  environmentName,
  isSettingName,
  REMOVED_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from './settings.ts';

/** The token of commands that are clients of a server; all commands may have it in their environment. */
export const TOKEN_VARIABLE = 'VARVE_TOKEN';

/** The command line, the environment or the settings file is wrong; ends the process with code 2. */
export class UsageError extends Error {}

export interface SettingSources {
  /** The flags, without the command. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the settings file; throws when that is not possible. */
  readonly readFile: (path: string) => string;
}

/** Texts by setting, and where each came from, for messages. */
type Texts = Map<SettingName, { readonly text: string; readonly origin: string }>;

export function readSettings(sources: SettingSources): Settings {
  const texts = gatherTexts(sources);
  const entries = SETTING_NAMES.map((name) => [name, settingValue(name, texts)] as const);
  return Object.fromEntries(entries) as Settings;
}

export interface ExplainedSetting {
  readonly name: SettingName;
  /** As it was written; undefined when it has no value. */
  readonly text: string | undefined;
  /** The flag, variable or place in the file that it came from; `default` otherwise. */
  readonly origin: string;
}

/** Every setting with where it came from; checked like `readSettings`. */
export function explainSettings(sources: SettingSources): ExplainedSetting[] {
  const texts = gatherTexts(sources);
  return SETTING_NAMES.map((name) => {
    settingValue(name, texts);
    const given = texts.get(name);
    return { name, text: given?.text ?? (SETTINGS[name].defaultText || undefined), origin: given?.origin ?? 'default' };
  });
}

function gatherTexts(sources: SettingSources): Texts {
  const flags = readFlags(sources.flags);
  const environment = readEnvironment(sources.environment);
  const configPath = (flags.get('config') ?? environment.get('config'))?.text;
  const file: Texts = configPath === undefined ? new Map() : readSettingsFile(configPath, sources.readFile);
  return new Map([...file, ...environment, ...flags]);
}

function settingValue(name: SettingName, texts: Texts): unknown {
  const { kind, defaultText } = SETTINGS[name];
  const given = texts.get(name);
  const text = given?.text ?? defaultText;
  if (text === undefined) return undefined;
  try {
    return kind.parse(text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new UsageError(`${given?.origin ?? name}: got '${text}'; want ${error.message}.`);
  }
}

/** `--name value`, `--name=value`, and `--name` or `--no-name` for a switch. */
function readFlags(flags: readonly string[]): Texts {
  const texts: Texts = new Map();
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i] ?? '';
    if (!flag.startsWith('--')) throw new UsageError(`Got '${flag}'; want a flag such as --port 4511.`);
    const [written = '', attached] = splitOnce(flag.slice(2), '=');
    const isSwitchedOff = written.startsWith('no-') && isSwitch(written.slice(3));
    const name = isSwitchedOff ? written.slice(3) : written;
    if (!isSettingName(name)) throw new UsageError(`Unknown flag '--${written}'.${nameHint(`--${written}`, flagName)}`);
    if (isSwitch(name)) {
      addText(texts, name, attached ?? String(!isSwitchedOff), `--${written}`);
      continue;
    }
    const value = attached ?? flags[++i];
    if (value === undefined) throw new UsageError(`--${name} needs a value: ${SETTINGS[name].kind.placeholder}.`);
    addText(texts, name, value, `--${name}`);
  }
  return texts;
}

function readEnvironment(environment: SettingSources['environment']): Texts {
  const names = new Map(SETTING_NAMES.map((name) => [environmentName(name), name]));
  const texts: Texts = new Map();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('VARVE_') || variable === TOKEN_VARIABLE || text === undefined) continue;
    const name = names.get(variable);
    if (name === undefined) throw new UsageError(`Unknown variable ${variable}.${nameHint(variable, environmentName)}`);
    texts.set(name, { text, origin: variable });
  }
  return texts;
}

function readSettingsFile(path: string, readFile: SettingSources['readFile']): Texts {
  const texts: Texts = new Map();
  for (const [key, value] of Object.entries(parseSettingsFile(path, readFile))) {
    if (!isSettingName(key) || key === 'config') {
      throw new UsageError(`${path}: unknown key '${key}'.${nameHint(key, (name) => name)}`);
    }
    texts.set(key, { text: fileText(path, key, value), origin: `${path}: ${key}` });
  }
  return texts;
}

function parseSettingsFile(path: string, readFile: SettingSources['readFile']): object {
  let content: unknown;
  try {
    content = JSON.parse(readFile(path).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `The settings file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new UsageError(`The settings file ${path} holds no JSON object.`);
}

function fileText(path: string, key: SettingName, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  throw new UsageError(`${path}: ${key} is ${JSON.stringify(value)}; want a text, a number, true or false.`);
}

function addText(texts: Texts, name: SettingName, text: string, origin: string): void {
  const earlier = texts.get(name);
  if (earlier === undefined) {
    texts.set(name, { text, origin });
  } else if (SETTINGS[name].kind.isList) {
    texts.set(name, { text: `${earlier.text},${text}`, origin });
  } else {
    throw new UsageError(`${origin} is given twice.`);
  }
}

function isSwitch(name: string): boolean {
  return isSettingName(name) && SETTINGS[name].kind.placeholder === '';
}

/** What became of a setting, or what was meant; `form` writes a name as the caller has written it. */
function nameHint(written: string, form: (name: string) => string): string {
  const removed = Object.entries(REMOVED_SETTINGS).find(([name]) => form(name) === written);
  return removed === undefined ? nearestNameHint(written, SETTING_NAMES.map(form)) : ` ${removed[1]}`;
}

function flagName(name: string): string {
  return `--${name}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
