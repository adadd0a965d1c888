// What a user sets for a tag: what its line is made of, the ends of its axis instead of those of the points, and lines for limits.

import { parseNumber } from '../values/typed-number.ts';
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

/** The parts of a list of numbers: between spaces and semicolons, or commas that are no decimal sign: `80,5` is one number. */
export function splitNumbers(text: string): string[] {
  const parts = text.split(/[\s;]+/).flatMap((part) => (parseNumber(part) === undefined ? part.split(',') : part));
  return parts.filter((part) => part !== '');
}

/** What is no number is left out. */
export function parseLimits(text: string): number[] {
  const numbers = splitNumbers(text).flatMap((part) => parseNumber(part) ?? []);
  return [...new Set(numbers)].sort((a, b) => a - b).slice(0, MOST_LIMITS);
}
