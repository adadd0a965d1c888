// A value as a reader wants it: by its tag's format, with its unit or its state's text.

import type { TagDefinition } from '../tags/tag.ts';
import { formatNumber } from './number-format.ts';
import { stateTexts, unitOf } from './value-kind.ts';

/** Value as points carry it; text for numbers whose digits a double cannot hold. */
export type PointValue = number | string | boolean | null;

export const GOOD_QUALITY = 192;
const UNCERTAIN_QUALITY = 64;

export function isGood(quality: number): boolean {
  return quality >= GOOD_QUALITY;
}

/** The value without its unit: `71.5`, `Filling`, `MLK-1`; a dash for null. */
export function formatBare(tag: TagDefinition, value: PointValue): string {
  if (value === null) return '–';
  const state = stateTextOf(tag, value);
  if (state !== undefined) return state;
  if (typeof value === 'number') return formatNumber(value, tag.f);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return hasExactDigits(tag) ? formatDigits(value, tag) : value;
}

/** The value with its unit before or behind it. */
export function formatValue(tag: TagDefinition, value: PointValue): string {
  const bare = formatBare(tag, value);
  const unit = unitOf(tag);
  if (value === null || unit === undefined || typeof value === 'boolean') return bare;
  return unit.place === 'before' ? `${unit.text} ${bare}` : `${bare} ${unit.text}`;
}

/** The text of a state; undefined for what is none. */
export function stateTextOf(tag: TagDefinition, value: PointValue): string | undefined {
  const texts = stateTexts(tag);
  if (texts === undefined || value === null) return undefined;
  const found = texts.get(Number(value));
  return found === undefined || Number.isNaN(Number(value)) ? undefined : found;
}

/** A number of such a tag is a text throughout, however few digits it has: it came as one, or became one here. */
export function exactValue(tag: TagDefinition, value: PointValue): PointValue {
  return typeof value === 'number' && hasExactDigits(tag) ? String(value) : value;
}

function hasExactDigits({ t }: TagDefinition): boolean {
  return t === 'System.Int64' || t === 'System.UInt64' || t === 'System.Decimal';
}

/** Exact digits stay exact unless the tag has a format. */
function formatDigits(digits: string, tag: TagDefinition): string {
  const isExact = Number.isSafeInteger(Number(digits)) || tag.t === 'System.Decimal';
  return tag.f !== undefined && tag.f !== '' && isExact ? formatNumber(Number(digits), tag.f) : digits;
}

/** What a quality means, in a few words. */
export function qualityText(quality: number): string {
  return quality === GOOD_QUALITY ? 'good' : `${qualityWord(quality)} (${quality})`;
}

export function qualityWord(quality: number): 'good' | 'uncertain' | 'bad' {
  if (isGood(quality)) return 'good';
  return quality >= UNCERTAIN_QUALITY ? 'uncertain' : 'bad';
}
