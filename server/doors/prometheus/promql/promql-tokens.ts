// A query as tokens: names, numbers, durations, texts and signs.

import { badQuery } from './bad-query.ts';
import { DURATION } from './steps.ts';

export type TokenKind = 'name' | 'number' | 'duration' | 'text' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Text of the token; a quoted one without its quotes and escapes. */
  readonly text: string;
  /** Position at which it begins, from 1 on. */
  readonly at: number;
}

const BLANKS = /\s+|#[^\n]*/y;
const DURATION_TOKEN = new RegExp(`${DURATION}(?![\\w.])`, 'y');
const NUMBER = /(?:0[xX][\da-fA-F]{1,16}|(?:\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?)(?![\w.])/y;
const NAME = /[A-Za-z_:][\w:]*/y;
const SIGN = /=~|!=|!~|==|>=|<=|[=(){}[\],+\-*/%^<>@:]/y;
const QUOTES = new Set(['"', "'", '`']);
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
/** A character by its number. */
const CODE = /x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}/y;

/** Throws a 400 for what is no token. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const blank = matchAt(BLANKS, query, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const { token, end } = tokenAt(query, at);
    tokens.push(token);
    at = end;
  }
  tokens.push({ kind: 'end', text: 'the end', at: query.length + 1 });
  return tokens;
}

function tokenAt(query: string, at: number): { token: Token; end: number } {
  if (QUOTES.has(query[at] as string)) return textAt(query, at);
  for (const [kind, form] of FORMS) {
    const text = matchAt(form, query, at);
    if (text !== undefined) return { token: { kind, text, at: at + 1 }, end: at + text.length };
  }
  throw badQuery(`The query cannot be read from character ${at + 1} on, '${query.slice(at, at + 20)}'.`);
}

const FORMS = [
  ['duration', DURATION_TOKEN],
  ['number', NUMBER],
  ['name', NAME],
  ['sign', SIGN],
] as const;

function matchAt(form: RegExp, query: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(query)?.[0];
}

function textAt(query: string, start: number): { token: Token; end: number } {
  const quote = query[start] as string;
  let text = '';
  for (let at = start + 1; at < query.length; at++) {
    const char = query[at] as string;
    if (char === quote) return { token: { kind: 'text', text, at: start + 1 }, end: at + 1 };
    if (char === '\n' && quote !== '`') break;
    if (char !== '\\' || quote === '`') {
      text += char;
      continue;
    }
    const escaped = escapedAt(query, at + 1, quote);
    text += escaped.char;
    at += escaped.length;
  }
  throw badQuery(`The text that begins at character ${start + 1} has no end in its line.`);
}

/** What stands behind a backslash. */
function escapedAt(query: string, at: number, quote: string): { char: string; length: number } {
  const char = query[at] ?? '';
  const plain = char === quote ? quote : ESCAPES[char];
  if (plain !== undefined) return { char: plain, length: 1 };
  const code = matchAt(CODE, query, at);
  const number = code === undefined ? Number.NaN : codePointOf(code);
  if (code !== undefined && !Number.isNaN(number)) return { char: String.fromCodePoint(number), length: code.length };
  throw badQuery(`'\\${char}' in a text is not known (character ${at}).`);
}

/** NaN for what is no character: single bytes above 127, too, which Prometheus puts together. */
function codePointOf(code: string): number {
  const isOctal = /^\d/.test(code);
  const number = Number.parseInt(isOctal ? code : code.slice(1), isOctal ? 8 : 16);
  const most = isOctal || code.startsWith('x') ? 0x7f : 0x10ffff;
  return number > most || (number >= 0xd800 && number < 0xe000) ? Number.NaN : number;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Reads numbers as Go does: digits behind a zero are octal, if they all can be. NaN for a hexadecimal number above 63 bits. */
export function parseNumber(text: string): number {
  const isHexadecimal = /^0x/i.test(text);
  if (!isHexadecimal && !/^0[0-7]+$/.test(text)) return Number(text);
  const whole = BigInt(isHexadecimal ? text : `0o${text}`);
  if (whole <= MAX_INT64) return Number(whole);
  return isHexadecimal ? Number.NaN : Number(text);
}
