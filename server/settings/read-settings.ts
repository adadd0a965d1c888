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
  /** Takes a sentence about each setting of earlier versions that is still given: an update is not to keep a server from starting. */
  readonly onRemoved?: (sentence: string) => void;
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
  /** The text as it was written; undefined when the setting has no value. */
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
  const flags = readFlags(sources);
  const environment = readEnvironment(sources);
  const configPath = (flags.get('config') ?? environment.get('config'))?.text;
  const file: Texts = configPath === undefined ? new Map() : readSettingsFile(configPath, sources);
  return new Map([...file, ...environment, ...flags]);
}

/** Whether the name is that of a setting that is there no more, which is said. */
function isRemoved(name: string | undefined, origin: string, { onRemoved }: SettingSources): boolean {
  if (name === undefined || !Object.hasOwn(REMOVED_SETTINGS, name)) return false;
  onRemoved?.(`${origin}: ${REMOVED_SETTINGS[name]}`);
  return true;
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
function readFlags(sources: SettingSources): Texts {
  const { flags } = sources;
  const texts: Texts = new Map();
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i] ?? '';
    if (!flag.startsWith('--')) throw new UsageError(`Got '${flag}'; want a flag such as --port 4511.`);
    const [written = '', attached] = splitOnce(flag.slice(2), '=');
    if (isRemoved(written, `--${written}`, sources)) {
      if (attached === undefined) i++;
      continue;
    }
    const isSwitchedOff = written.startsWith('no-') && isSwitch(written.slice(3));
    const name = isSwitchedOff ? written.slice(3) : written;
    if (!isSettingName(name))
      throw new UsageError(
        `Unknown flag '--${written}'.${nearestNameHint(`--${written}`, SETTING_NAMES.map(flagName))}`,
      );
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

function readEnvironment(sources: SettingSources): Texts {
  const { environment } = sources;
  const names = new Map(SETTING_NAMES.map((name) => [environmentName(name), name]));
  const removed = new Map(Object.keys(REMOVED_SETTINGS).map((name) => [environmentName(name), name]));
  const texts: Texts = new Map();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('VARVE_') || variable === TOKEN_VARIABLE || text === undefined) continue;
    if (isRemoved(removed.get(variable), variable, sources)) continue;
    const name = names.get(variable);
    if (name === undefined) {
      throw new UsageError(`Unknown variable ${variable}.${nearestNameHint(variable, [...names.keys()])}`);
    }
    texts.set(name, { text, origin: variable });
  }
  return texts;
}

function readSettingsFile(path: string, sources: SettingSources): Texts {
  const texts: Texts = new Map();
  for (const [key, value] of Object.entries(parseSettingsFile(path, sources.readFile))) {
    if (isRemoved(key, `${path}: ${key}`, sources)) continue;
    if (!isSettingName(key) || key === 'config') {
      throw new UsageError(`${path}: unknown key '${key}'.${nearestNameHint(key, SETTING_NAMES)}`);
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

function flagName(name: string): string {
  return `--${name}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
