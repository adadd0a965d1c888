// The words of commands that talk to a server: positional ones, flags with values, switches; address and token.

import { nearestNameHint } from '../../settings/nearest-name.ts';
import { UsageError } from '../../settings/read-settings.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4511';

/** The flags of a command, and how it is written. */
export interface WordForm {
  readonly form: string;
  readonly valueFlags: readonly string[];
  readonly switches: readonly string[];
}

export interface SortedWords {
  readonly positionals: readonly string[];
  /** Values of each flag that was given; none of a switch. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Throws a `UsageError` for a flag that the command does not have. */
export function sortWords(words: readonly string[], { form, valueFlags, switches }: WordForm): SortedWords {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const [, name, attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      positionals.push(word);
      continue;
    }
    if (switches.includes(name) && attached === undefined) {
      values.set(name, []);
      continue;
    }
    if (!valueFlags.includes(name)) {
      const known = [...valueFlags, ...switches].map((flag) => `--${flag}`);
      throw new UsageError(`Unknown flag '--${name}'.${nearestNameHint(`--${name}`, known)} Want ${form}.`);
    }
    const value = attached ?? words[++i];
    if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { positionals, values };
}

export function lastValue({ values }: SortedWords, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

export function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`--url: got '${text}'; want an address such as ${DEFAULT_URL}.`);
}

export function readToken(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // What a header cannot carry; the message does not repeat it.
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError('The token holds characters that no token has.');
  return text;
}
