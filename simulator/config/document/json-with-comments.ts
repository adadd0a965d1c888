// Reads JSON that may begin with a byte-order mark and hold `//` comments. Comments are blanked, not removed, so that the
// line and column of a syntax error are those of the file.

import { type Fault, showFound } from './faults.ts';

export type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: Fault };

export function parseJsonWithComments(text: string): JsonResult {
  const withoutMark = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  const plain = blankComments(withoutMark);
  try {
    return { ok: true, value: JSON.parse(plain) };
  } catch {
    return { ok: false, fault: syntaxFault(plain) };
  }
}

function blankComments(text: string): string {
  let result = '';
  let keptFrom = 0;
  let insideString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (insideString) {
      if (character === '\\') i++;
      else if (character === '"') insideString = false;
    } else if (character === '"') {
      insideString = true;
    } else if (character === '/' && text[i + 1] === '/') {
      const end = endOfLine(text, i);
      result += text.slice(keptFrom, i) + ' '.repeat(end - i);
      keptFrom = end;
      i = end - 1;
    }
  }
  return result + text.slice(keptFrom);
}

function endOfLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\n' || text[i] === '\r') return i;
  }
  return text.length;
}

function syntaxFault(text: string): Fault {
  const position = findSyntaxError(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const found = position < text.trimEnd().length ? showFound(text[position]) : 'the end of the file';
  return { pointer: '', found: `${found} at line ${line}, column ${column}`, allowed: 'JSON, also with // comments' };
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON texts may not hold them.
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Index at which the text stops being JSON: JSON.parse tells that only for some errors. */
function findSyntaxError(text: string): number {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const take = (character: string): boolean => {
    match(SPACE);
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const entry = (kind: 'member' | 'element'): boolean => {
    if (kind === 'element') return value();
    match(SPACE);
    return text[at] === '"' && match(SCALAR) !== undefined && take(':') && value();
  };
  const list = (kind: 'member' | 'element', end: string): boolean => {
    if (take(end)) return true;
    do {
      if (!entry(kind)) return false;
    } while (take(','));
    return take(end);
  };
  const value = (): boolean => {
    match(SPACE);
    if (take('{')) return list('member', '}');
    if (take('[')) return list('element', ']');
    return match(SCALAR) !== undefined;
  };
  if (value()) match(SPACE);
  return at;
}
