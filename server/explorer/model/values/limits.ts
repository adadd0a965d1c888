// The limits of a tag, which are fields of its definition: low-low, low, high and high-high. Pure.

import type { TagDefinition } from '../tags/tag.ts';
import { parseNumber } from './typed-number.ts';
import { valueKind } from './value-kind.ts';

export type LimitKind = 'low-low' | 'low' | 'high' | 'high-high';

export interface TagLimit {
  readonly kind: LimitKind;
  readonly value: number;
}

/** Downwards from outside, as they lie on an axis from its foot. */
export const LIMIT_KINDS: readonly LimitKind[] = ['low-low', 'low', 'high', 'high-high'];

/** The names of the fields, and how a limit is signed where there is little room. */
export const LIMIT_FIELDS: Readonly<Record<LimitKind, string>> = {
  'low-low': 'LowLow',
  low: 'Low',
  high: 'High',
  'high-high': 'HighHigh',
};
export const LIMIT_SIGNS: Readonly<Record<LimitKind, string>> = {
  'low-low': 'LL',
  low: 'L',
  high: 'H',
  'high-high': 'HH',
};

/** Other spellings, without case, spaces and dashes, and without `limit` at the end. */
const SPELLINGS: ReadonlyMap<string, LimitKind> = new Map([
  ['lowlow', 'low-low'],
  ['lolo', 'low-low'],
  ['low', 'low'],
  ['lo', 'low'],
  ['high', 'high'],
  ['hi', 'high'],
  ['highhigh', 'high-high'],
  ['hihi', 'high-high'],
]);

/** The results of intervals that are in the unit of the tag, and on its scale. */
const SAME_SCALE = /^(average|minimum|maximum) /;

export function limitKindOf(field: string): LimitKind | undefined {
  return SPELLINGS.get(
    field
      .toLowerCase()
      .replace(/[\s_-]/g, '')
      .replace(/limit$/, ''),
  );
}

/** In the order of their kinds; none for what is no number, and for a line of counts or ranges. */
export function tagLimits(tag: TagDefinition): TagLimit[] {
  const kind = valueKind(tag);
  if (kind !== 'line' && kind !== 'step') return [];
  if (tag.aggregate !== undefined && !SAME_SCALE.test(tag.aggregate)) return [];
  const found = Object.entries(tag.fl ?? {}).flatMap(([field, text]) => {
    const limit = limitKindOf(field);
    const value = parseNumber(text);
    return limit === undefined || value === undefined ? [] : [{ kind: limit, value }];
  });
  return LIMIT_KINDS.flatMap((one) => found.find((limit) => limit.kind === one) ?? []);
}

export function isBeyond(value: number, limit: TagLimit): boolean {
  return isLower(limit.kind) ? value < limit.value : value > limit.value;
}

/** The outermost limit that a value lies beyond; undefined when it lies between them. */
export function limitBeyond(limits: readonly TagLimit[], value: number): TagLimit | undefined {
  const beyond = limits.filter((limit) => isBeyond(value, limit));
  return beyond.find(({ kind }) => isOuter(kind)) ?? beyond[0];
}

function isLower(kind: LimitKind): boolean {
  return kind === 'low' || kind === 'low-low';
}

export function isOuter(kind: LimitKind): boolean {
  return kind === 'low-low' || kind === 'high-high';
}

/** What a value lies beyond, in words: `above H 80`, `below LL 5`. */
export function beyondText({ kind, value }: TagLimit): string {
  return `${isLower(kind) ? 'below' : 'above'} ${LIMIT_SIGNS[kind]} ${value}`;
}

/** The limits that an axis shows: those that are as near to the points as these reach, for others would flatten the line. */
export function nearLimits(limits: readonly TagLimit[], min: number, max: number): TagLimit[] {
  const reach = max > min ? max - min : Math.abs(max) * 0.1;
  return limits.filter(({ value }) => value >= min - reach && value <= max + reach);
}
