// JSON whose long numbers keep all their digits, which JSON.parse would round to doubles.

import { randomUUID } from 'node:crypto';
import { PayloadFault } from './faults.ts';

/** Up to 15 digits a double keeps them all. */
const MANY_DIGITS = /\d[\d.]{15}/;
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FEWEST_CHARACTERS = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Begins the texts that stand for numbers; nobody can know it. */
const MARK = `\ue000${randomUUID()}`;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a payload. */
export function payloadText(payload: Uint8Array): string {
  try {
    return decoder.decode(payload);
  } catch {
    throw new PayloadFault('the payload is not UTF-8');
  }
}

/** A JSON value; in it, numbers with many digits are texts that `numberLiteral` knows. */
export function parseExactJson(text: string): unknown {
  try {
    // First as it is: marks could make JSON of what is none, such as a number for a name.
    const value = JSON.parse(text);
    return MANY_DIGITS.test(text) ? JSON.parse(markNumbers(text)) : value;
  } catch (error) {
    throw new PayloadFault(`the payload is not JSON: ${(error as Error).message}`);
  }
}

/** By hand, each character once: a pattern for texts takes time with the square of one that does not end. */
function markNumbers(json: string): string {
  let marked = '';
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
      continue;
    }
    const start = at++;
    if (!isOfNumber(code)) continue;
    while (isOfNumber(json.charCodeAt(at))) at++;
    if (at - start < FEWEST_CHARACTERS) continue;
    marked += `${json.slice(copied, start)}"${MARK}${json.slice(start, at)}"`;
    copied = at;
  }
  return marked + json.slice(copied);
}

/** Behind the quote that ends the text. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return json.length;
}

/** Digits, signs, the point and the exponent; of JSON outside of texts, `e` is also in words, which are short. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;
}

/** The digits of a number as they were sent; undefined when the value is no number. */
export function numberLiteral(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}

/** A value as the JSON of a point has it. */
export function valueText(value: unknown): string {
  const literal = numberLiteral(value);
  if (literal !== undefined) return literal;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined) throw new PayloadFault('there is no value');
  if (typeof value === 'number') throw new PayloadFault('the number is out of range');
  throw new PayloadFault(
    `got ${Array.isArray(value) ? 'an array' : 'an object'} as value; want a number, true, false, text or null`,
  );
}
