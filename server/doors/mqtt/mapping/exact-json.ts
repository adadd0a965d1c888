// JSON payloads, read a few values at a time, so that a long one delays nobody. Long numbers keep all their digits.

import { BODY_LIMITS, type JsonLimits } from '../../../api/validation/body-limits.ts';
import { JsonValues } from '../../../api/validation/json-values.ts';
import { LongNumber } from '../../../api/validation/long-number.ts';
import { ProblemError } from '../../../problem.ts';
import { PayloadFault } from './faults.ts';
import type { Steps } from './steps.ts';

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Payloads have whatever their senders like, besides the values that are read; the length of a message is limited already. */
const LIMITS: JsonLimits = { ...BODY_LIMITS, depth: 64, members: 20_000, textBytes: Number.POSITIVE_INFINITY };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a payload. */
export function payloadText(payload: Uint8Array): string {
  try {
    return decoder.decode(payload);
  } catch {
    throw new PayloadFault('the payload is not UTF-8');
  }
}

/** The JSON value of a payload; in it, numbers that are long are `LongNumber`s. Throws a `PayloadFault`. */
export function* jsonValue(payload: Uint8Array): Steps<unknown> {
  try {
    const values = new JsonValues(payload, 'written', LIMITS);
    while (!values.step()) yield;
    return values.value;
  } catch (error) {
    throw error instanceof ProblemError ? new PayloadFault(ofPayload(error.message)) : error;
  }
}

/** What is said of bodies, of a payload. */
function ofPayload(message: string): string {
  return message.replace(/^The body/, 'the payload').replace('in one request', 'in one message');
}

/** Whether a value is an object or an array. */
export function hasParts(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof LongNumber);
}

/** The digits of a number as they were sent; undefined when the value is no number. */
export function numberLiteral(value: unknown): string | undefined {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return value instanceof LongNumber ? value.literal : undefined;
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
