// Payloads that are one value: a number, a truth, or a text.

import { JSON_NUMBER, payloadText } from './exact-json.ts';
import { PayloadFault } from './faults.ts';
import { isNoValue, type NoValueWords } from './no-value.ts';

export const PLAIN_TYPES = ['auto', 'number', 'boolean', 'text'] as const;
export type PlainType = (typeof PLAIN_TYPES)[number];

const TRUTHS = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['on', 'true'],
  ['false', 'false'],
  ['0', 'false'],
  ['off', 'false'],
]);

/** The value of a payload, as JSON; undefined for a word that says that there is none. */
export function plainValue(payload: Uint8Array, type: PlainType, noValue: NoValueWords): string | undefined {
  const text = payloadText(payload);
  if (isNoValue(text, noValue)) return undefined;
  if (type === 'text') return JSON.stringify(text);
  const word = text.trim();
  if (word === '') throw new PayloadFault('the payload is empty');
  if (type === 'boolean') return TRUTHS.get(word.toLowerCase()) ?? refuse(word, 'true or false, 1 or 0, on or off');
  const number = /^[+.]/.test(word) ? undefined : word;
  if (number !== undefined && JSON_NUMBER.test(number)) return number;
  if (type === 'number') return refuse(word, 'a number');
  return word === 'true' || word === 'false' || word === 'null' ? word : JSON.stringify(text);
}

function refuse(word: string, wanted: string): never {
  throw new PayloadFault(`got '${word.slice(0, 40)}'; want ${wanted}`);
}
