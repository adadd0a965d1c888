// What a user sets for a tag: what its line is made of, the ends of its axis instead of those of the points, and lines for limits.

import type { AggregateChoice } from './aggregate-choice.ts';

export interface AxisSettings {
  /** Undefined: as the points have it. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly limits: readonly number[];
  /** Undefined: of its points. */
  readonly aggregate: AggregateChoice | undefined;
}

export const AUTOMATIC: AxisSettings = { min: undefined, max: undefined, limits: [], aggregate: undefined };

const MOST_LIMITS = 8;

export function isAutomatic({ min, max, limits, aggregate }: AxisSettings): boolean {
  return min === undefined && max === undefined && limits.length === 0 && aggregate === undefined;
}

/** `0..100`, `0..` or `..100`; undefined for what is none. */
export function parseScale(text: string): Pick<AxisSettings, 'min' | 'max'> | undefined {
  const [, from = '', to = ''] = /^([^.]*(?:\.[^.]+)?)\.\.(.*)$/.exec(text.trim()) ?? [];
  const [min, max] = [parseNumber(from), parseNumber(to)];
  if (min === undefined && max === undefined) return undefined;
  return min !== undefined && max !== undefined && min >= max ? undefined : { min, max };
}

export function formatScale({ min, max }: AxisSettings): string {
  return min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`;
}

/** Numbers between spaces or commas; what is no number is left out. */
export function parseLimits(text: string): number[] {
  const numbers = text.split(/[\s,;]+/).flatMap((part) => parseNumber(part) ?? []);
  return [...new Set(numbers)].sort((a, b) => a - b).slice(0, MOST_LIMITS);
}

/** Undefined for an empty text and for what is no number. */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
