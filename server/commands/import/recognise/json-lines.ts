// JSON lines: an object in each line, as cells of text with the kind that JSON gives them. Pure, so that a browser can use it.

import { CsvFault, type CsvRecord } from './csv-records.ts';

export interface JsonCell {
  /** A number has its digits, as they are in the file where a double would lose some. */
  readonly text: string;
  readonly kind: 'number' | 'boolean' | 'text' | 'nothing';
}

const NOTHING: JsonCell = { text: '', kind: 'nothing' };
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** More digits than a double is sure to keep. */
const LONG_NUMBER = /\d[\d.]{15}/;
/** In front of the digits of a number that was made a text for `JSON.parse`; a control character, which no JSON text has unescaped. */
const MARK = '\u0000';
const ESCAPED_MARK = '\\u0000';

export function isJsonLine(text: string): boolean {
  return /^\s*\{/.test(text);
}

/** Throws a `CsvFault`. */
export function parseJsonLine({ line, text }: CsvRecord): [key: string, cell: JsonCell][] {
  const isLong = LONG_NUMBER.test(text) && !text.includes(ESCAPED_MARK);
  const value = parse(isLong ? text.replace(TOKEN, keepDigits) : text, line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CsvFault(line, `got ${text.slice(0, 60)}; want an object of JSON in each line`);
  return Object.entries(value).map(([key, one]) => [key, cellOf(key, one, line)]);
}

function keepDigits(token: string): string {
  return token.startsWith('"') || token.length < 16 ? token : `"${ESCAPED_MARK}${token}"`;
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CsvFault(line, `the line is no JSON (${(error as Error).message}); want an object in each line`);
  }
}

function cellOf(key: string, value: unknown, line: number): JsonCell {
  switch (typeof value) {
    case 'string':
      return value.startsWith(MARK) && /^-?\d/.test(value.slice(1))
        ? { text: value.slice(1), kind: 'number' }
        : { text: value, kind: 'text' };
    case 'number':
      return { text: Object.is(value, -0) ? '-0' : numberText(value, key, line), kind: 'number' };
    case 'boolean':
      return { text: String(value), kind: 'boolean' };
    default:
      if (value === null) return NOTHING;
      throw new CsvFault(
        line,
        `the value of ${JSON.stringify(key)} is ${Array.isArray(value) ? 'an array' : 'an object'}; want a number, a text, true, false or null`,
      );
  }
}

function numberText(value: number, key: string, line: number): string {
  if (Number.isFinite(value)) return String(value);
  throw new CsvFault(line, `the value of ${JSON.stringify(key)} is above 1.8e308; want a smaller number`);
}
