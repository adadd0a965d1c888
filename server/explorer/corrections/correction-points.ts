// The points that a correction brings. Pure.

type Value = boolean | number | string;

interface Corrected {
  readonly kind: 'delete' | 'replace' | 'insert';
  /** ISO 8601, as `end`. */
  readonly start: string;
  readonly end: string;
  readonly value: Value | undefined;
}

interface CorrectingPoint {
  readonly t: string;
  readonly v: Value | null;
}

/** One value for a range is a level: with a point at its start alone, lines would slope from there to the next one behind it. */
export function pointsOf({ kind, start, end, value }: Corrected): CorrectingPoint[] {
  if (kind === 'delete') return [];
  const times = kind === 'replace' && end !== start ? [start, end] : [start];
  return times.map((t) => ({ t, v: value ?? null }));
}
