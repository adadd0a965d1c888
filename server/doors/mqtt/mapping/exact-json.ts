// JSON whose long numbers keep all their digits, which JSON.parse would round to doubles.

import { randomUUID } from 'node:crypto';
import { PayloadFault } from './faults.ts';

const MANY_DIGITS = /\d{16}|\d{5,}\.\d{5,}|\d\.\d{15}/;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SAFE_CHARACTERS = 15;
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

/** A JSON value; in it, numbers with many digits are `exactNumber`s. */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(MANY_DIGITS.test(text) ? text.replace(TEXT_OR_NUMBER, markNumber) : text);
  } catch (error) {
    throw new PayloadFault(`the payload is not JSON: ${(error as Error).message.replaceAll(MARK, '')}`);
  }
}

function markNumber(found: string): string {
  const isPlain = found.startsWith('"') || found.length <= SAFE_CHARACTERS || !JSON_NUMBER.test(found);
  return isPlain ? found : `"${MARK}${found}"`;
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
