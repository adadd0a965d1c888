// The entries of a tag's `values`, and the numbers of a step: their grammar, and what each is allowed to hold for the
// tag's data type. Parsed once for each template; what depends on the instance stays a template.

import { type FaultList, nearestName } from './document/faults.ts';
import { checkTemplate, type Template, type TemplateContext } from './fields/placeholders.ts';
import type { TagType } from './tag-types.ts';

/** A number drawn between two bounds, both inclusive; fixed when they are equal. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** Decimals to which draws are rounded. */
  readonly decimals: number;
}

export type IntegrateUnit = 'second' | 'minute' | 'hour';

/** One entry of a tag template's `values`. Values and noise are in the tag's unit. */
export type EntryTemplate =
  | { readonly kind: 'step' }
  | { readonly kind: 'null' }
  | { readonly kind: 'previous' }
  | { readonly kind: 'literal'; readonly json: string; readonly value: number }
  | { readonly kind: 'random'; readonly range: NumberRange }
  | {
      readonly kind: 'flat' | 'ramp';
      readonly intervalMs: number;
      /** What `flat` stays at; where `ramp` goes. */
      readonly target: number;
      readonly noise: number;
      readonly decimals: number;
    }
  | {
      readonly kind: 'integrate';
      readonly source: Template;
      readonly unit: IntegrateUnit;
      readonly onEntry: 'continue' | 'reset';
      readonly decimals: number;
    }
  | { readonly kind: 'text'; readonly template: Template };

export const MIN_INTERVAL_S = 1;

/** Decimals of an integral: fine enough that the sum of its steps agrees with an integration of the source's points. */
const INTEGRAL_DECIMALS = 6;
const MAX_DECIMALS = 12;

const WORDS = ['step', 'null', 'previous'];
const FUNCTIONS = ['random', 'flat', 'ramp', 'integrate'];
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const CALL = /^([A-Za-z]\w*)\s*\(([\s\S]*)\)$/;

export const ENTRY_FORMS =
  'step, null, previous, a number, random(min, max), flat(interval, value, noise), ramp(interval, to, noise), ' +
  'integrate(tagname, second|minute|hour, true|false)';

export interface EntryContext extends TemplateContext {
  readonly type: TagType;
}

/** Parses one entry for a tag of that type; `undefined` after adding its faults. */
export function parseEntry(source: string, context: EntryContext): EntryTemplate | undefined {
  const text = source.trim();
  if (text === 'step') return fitsNumbers(text, context) ? { kind: 'step' } : undefined;
  if (text === 'null') return { kind: 'null' };
  if (text === 'previous') return { kind: 'previous' };
  const call = CALL.exec(text);
  if (call !== null && FUNCTIONS.includes(call[1] ?? '')) {
    return parseCall(call[1] ?? '', splitArguments(call[2] ?? ''), text, context);
  }
  if (context.type.kind === 'text' || context.type.kind === 'time') return parseText(source, context);
  if (NUMBER.test(text)) return parseLiteral(text, context);
  const name = call?.[1] ?? text;
  const hint = nearestName(name, [...WORDS, ...FUNCTIONS]);
  const allowed = text.includes('[') ? `${ENTRY_FORMS}; text only for System.String` : ENTRY_FORMS;
  context.faults.add(context.pointer, JSON.stringify(source), allowed, hint);
  return undefined;
}

function parseText(source: string, context: EntryContext): EntryTemplate | undefined {
  const template = checkTemplate(source, context, 'step date allowed');
  return template === undefined ? undefined : { kind: 'text', template };
}

function parseLiteral(text: string, context: EntryContext): EntryTemplate | undefined {
  const { type } = context;
  const number = Number(text);
  if (type.kind === 'boolean') {
    if (number !== 0 && number !== 1) return refuse(context, text, '1 or 0 for true or false');
    return { kind: 'literal', json: number === 1 ? 'true' : 'false', value: number };
  }
  const value = type.kind === 'integer' ? Math.round(number) : number;
  if (!Number.isFinite(number) || value < type.min || value > type.max) return refuse(context, text, boundsOf(type));
  return { kind: 'literal', json: literalJson(text, value, type), value };
}

/** The digits as written where a double would lose some of them. */
function literalJson(text: string, value: number, type: TagType): string {
  if (type.kind === 'integer' && /^[+-]?\d+$/.test(text)) return BigInt(text.replace('+', '')).toString();
  if (type.name === 'System.Decimal' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return text;
  return String(value === 0 ? 0 : value);
}

function parseCall(
  name: string,
  parts: readonly string[],
  text: string,
  context: EntryContext,
): EntryTemplate | undefined {
  if (!fitsNumbers(text, context)) return undefined;
  if (name === 'random') return parseRandomEntry(parts, text, context);
  if (context.type.kind === 'text') return refuse(context, text, 'text, or any entry but flat, ramp and integrate');
  if (name === 'integrate') return parseIntegrate(parts, text, context);
  return parseCurve(name === 'flat' ? 'flat' : 'ramp', parts, text, context);
}

function parseRandomEntry(parts: readonly string[], text: string, context: EntryContext): EntryTemplate | undefined {
  const range = readRange(parts);
  if (range === undefined) return refuse(context, text, 'random(min, max) with two numbers, min not above max');
  if (!isInside(range.low, range.high, context.type)) return refuse(context, text, boundsOf(context.type));
  return { kind: 'random', range };
}

function parseCurve(
  kind: 'flat' | 'ramp',
  parts: readonly string[],
  text: string,
  context: EntryContext,
): EntryTemplate | undefined {
  const second = kind === 'flat' ? 'value' : 'to';
  const numbers = parts.map(readNumber);
  const [interval, target, noise = 0] = numbers;
  if (parts.length < 2 || parts.length > 3 || numbers.includes(undefined) || interval === undefined) {
    return refuse(context, text, `${kind}(interval, ${second}) or ${kind}(interval, ${second}, noise), all numbers`);
  }
  if (target === undefined) return undefined;
  if (interval < MIN_INTERVAL_S) refuse(context, text, 'an interval of at least 1 second');
  if (noise < 0) refuse(context, text, 'a noise of 0 or more');
  else if (!isInside(target - noise, target + noise, context.type)) refuse(context, text, boundsOf(context.type));
  const decimals = isWhole(context.type) ? 0 : decimalsFor([parts[1] ?? '', parts[2] ?? '0']);
  return { kind, intervalMs: interval * 1000, target, noise, decimals };
}

function parseIntegrate(parts: readonly string[], text: string, context: EntryContext): EntryTemplate | undefined {
  const [name = '', unit = '', reset = 'false'] = parts;
  const form = 'integrate(tagname, unit) or integrate(tagname, unit, reset)';
  if (context.type.kind === 'boolean') return refuse(context, text, 'any entry but integrate for System.Boolean');
  if (parts.length < 2 || parts.length > 3 || name === '') return refuse(context, text, form);
  if (!isUnit(unit)) refuse(context, unit, 'second, minute or hour', nearestName(unit, ['second', 'minute', 'hour']));
  if (reset !== 'true' && reset !== 'false') refuse(context, reset, 'true or false');
  const source = checkTemplate(name, context, 'no step date');
  if (source === undefined) return undefined;
  const decimals = isWhole(context.type) ? 0 : INTEGRAL_DECIMALS;
  // Also with a faulty unit: the tag's name is checked too, and all faults are told at once.
  return {
    kind: 'integrate',
    source,
    unit: isUnit(unit) ? unit : 'second',
    onEntry: reset === 'true' ? 'reset' : 'continue',
    decimals,
  };
}

/** A step's value: a whole number of int32, or random(min, max) of two such. */
export function parseStepValue(text: string, pointer: string, faults: FaultList): NumberRange | undefined {
  const range = readRangeOrNumber(text);
  const whole = range !== undefined && range.decimals === 0 && range.low >= -(2 ** 31) && range.high < 2 ** 31;
  if (whole) return range;
  faults.add(pointer, JSON.stringify(text), 'a whole number of int32, or random(min, max) of two, min not above max');
  return undefined;
}

/** A step's duration in minutes: a number, or random(min, max) of two. */
export function parseDuration(text: string, pointer: string, faults: FaultList): NumberRange | undefined {
  const range = readRangeOrNumber(text);
  if (range !== undefined && range.low >= 0) return range;
  faults.add(pointer, JSON.stringify(text), 'minutes from 0, or random(min, max) of two numbers, min not above max');
  return undefined;
}

function readRangeOrNumber(source: string): NumberRange | undefined {
  const text = source.trim();
  const call = CALL.exec(text);
  if (call !== null) return call[1] === 'random' ? readRange(splitArguments(call[2] ?? '')) : undefined;
  const value = readNumber(text);
  return value === undefined ? undefined : { low: value, high: value, decimals: isWrittenWhole(text) ? 0 : 1 };
}

function readRange(parts: readonly string[]): NumberRange | undefined {
  const [lowText = '', highText = ''] = parts;
  const low = readNumber(lowText);
  const high = readNumber(highText);
  if (parts.length !== 2 || low === undefined || high === undefined || low > high) return undefined;
  const decimals = isWrittenWhole(lowText) && isWrittenWhole(highText) ? 0 : decimalsFor(parts, high - low);
  return { low, high, decimals };
}

/**
 * Decimals for drawn values: those of the numbers as written, and enough to divide the smallest of them into a hundred;
 * two at least. For example, flat(1.5, 50, 2) has two and random(0.01, 0.02) has four.
 */
function decimalsFor(texts: readonly string[], span = Infinity): number {
  const written = Math.max(...texts.map(writtenDecimals));
  const sizes = [...texts.map((text) => Math.abs(Number(text))), span].filter((size) => size > 0);
  const needed = 2 - Math.floor(Math.log10(Math.min(...sizes)));
  return Math.min(MAX_DECIMALS, Math.max(2, written, Number.isFinite(needed) ? needed : 2));
}

function writtenDecimals(text: string): number {
  const match = /^[+-]?\d*\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  return match === null ? 0 : Math.max(0, (match[1] ?? '').length - Number(match[2] ?? 0));
}

/** Arguments between commas; a comma inside brackets belongs to the placeholder. */
function splitArguments(inside: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of inside) {
    if (character === '[') depth++;
    if (character === ']') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text.trim())) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function isWrittenWhole(text: string): boolean {
  return /^[+-]?\d+$/.test(text.trim());
}

function isUnit(text: string): text is IntegrateUnit {
  return text === 'second' || text === 'minute' || text === 'hour';
}

function isWhole(type: TagType): boolean {
  return type.kind === 'integer' || type.kind === 'boolean';
}

/** Whether a whole step value in that range is a value of the type. */
export function stepFits(range: NumberRange, type: TagType): boolean {
  return type.kind !== 'integer' || (range.low >= type.min && range.high <= type.max);
}

function isInside(low: number, high: number, type: TagType): boolean {
  if (!isWhole(type)) return low >= type.min && high <= type.max;
  return Math.round(low) >= type.min && Math.round(high) <= type.max;
}

export function boundsOf(type: TagType): string {
  return `values of ${type.name}, ${type.min} to ${type.max}`;
}

/** Entries that make numbers have no place in a tag of time stamps. */
function fitsNumbers(text: string, context: EntryContext): boolean {
  if (context.type.kind !== 'time') return true;
  refuse(context, text, 'null, previous, or a time stamp as text for System.DateTime');
  return false;
}

function refuse(context: EntryContext, found: string, allowed: string, nearest?: string): undefined {
  context.faults.add(context.pointer, JSON.stringify(found), allowed, nearest);
  return undefined;
}
