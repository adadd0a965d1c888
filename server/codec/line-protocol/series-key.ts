// The part of a line in front of its fields: the measurement and the tags.

import { isUtf8 } from 'node:buffer';
import type { LineTags } from './tag-naming.ts';

export interface SeriesKey {
  readonly measurement: string;
  /** Sorted by key: their order in the line does not matter. */
  readonly tags: LineTags;
}

/** Takes it apart; a text says what is wrong. */
export function parseSeriesKey(bytes: Buffer): SeriesKey | string {
  const text = utf8Of(bytes);
  if (text === undefined) return 'not UTF-8';
  const [measurement = '', ...parts] = splitAt(text, ',');
  if (measurement === '') return 'missing measurement';
  const tags: [string, string][] = [];
  for (const part of parts) {
    const [key = '', value, ...more] = splitAt(part, '=');
    if (key === '') return 'missing tag key';
    if (value === undefined || value === '') return 'missing tag value';
    if (more.length > 0) return 'an equals sign in a tag value without a backslash';
    tags.push([unescapeKey(key), unescapeKey(value)]);
  }
  tags.sort(([a], [b]) => compareTexts(a, b));
  if (tags.some(([key], index) => key === tags[index + 1]?.[0])) return 'a tag key twice';
  return { measurement: unescapeKey(measurement), tags };
}

/** The text of a field's key; undefined when it is not UTF-8. */
export function parseFieldKey(bytes: Buffer): string | undefined {
  const text = utf8Of(bytes);
  return text === undefined ? undefined : unescapeKey(text);
}

function utf8Of(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** A backslash in front of anything but a comma, an equals sign or a space is a character like any other. */
function unescapeKey(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}

/** Splits at the separators without a backslash in front. */
function splitAt(text: string, separator: ',' | '='): string[] {
  if (!text.includes('\\')) return text.split(separator);
  return text.split(separator === ',' ? /(?<!\\),/ : /(?<!\\)=/);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
