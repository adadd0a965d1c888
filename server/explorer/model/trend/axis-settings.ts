// What a user sets for the axis of a tag: its ends instead of those of the points, and lines for limits.

export interface AxisSettings {
  /** Undefined: as the points have it. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly limits: readonly number[];
}

export const AUTOMATIC: AxisSettings = { min: undefined, max: undefined, limits: [] };

const MOST_LIMITS = 8;

export function isAutomatic({ min, max, limits }: AxisSettings): boolean {
  return min === undefined && max === undefined && limits.length === 0;
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
