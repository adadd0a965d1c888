// A query as tokens: names, numbers, durations, texts and signs.

import { badQuery } from './bad-query.ts';

export type TokenKind = 'name' | 'number' | 'duration' | 'text' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Of a text without its quotes and escapes. */
  readonly text: string;
  /** Where it begins, from 1 on. */
  readonly at: number;
}

const BLANKS = /\s+|#[^\n]*/y;
const DURATION = /(?:\d{1,15}(?:ms|[smhdwy]))+(?![\w.])/y;
const NUMBER = /(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?(?![\w.])/y;
const NAME = /[A-Za-z_:][\w:]*/y;
const SIGN = /=~|!=|!~|==|>=|<=|[=(){}[\],+\-*/%^<>@:]/y;
const QUOTES = new Set(['"', "'", '`']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', "'": "'" };

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
  ['duration', DURATION],
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
    if (char !== '\\' || quote === '`') text += char;
    else {
      const escaped = ESCAPES[query[++at] ?? ''];
      if (escaped === undefined) throw badQuery(`'\\${query[at] ?? ''}' in a text is not known (character ${at}).`);
      text += escaped;
    }
  }
  throw badQuery(`The text that begins at character ${start + 1} has no end.`);
}
