// How values are distributed: classes of equal width, what lies in the middle, and how two series go together.

export interface ValueClass {
  readonly from: number;
  /** Belongs to the next class, but for the last one. */
  readonly to: number;
  readonly count: number;
}

/** About so many classes. */
const WANTED_CLASSES = 20;
/** Part of the values: what differs by less is the same, but for the last bits of doubles. */
const LEAST_PART = 1e-10;
/** Smaller values are zero here. */
const LEAST_SIZE = 1e-290;

/** Classes between round edges that hold all values; none for no values. */
export function classesOf(values: readonly number[]): ValueClass[] {
  const [min, max] = [smallest(values), largest(values)];
  if (values.length === 0) return [];
  const size = Math.max(Math.abs(min), Math.abs(max));
  const wanted = max === min ? size / 10 : (max - min) / WANTED_CLASSES;
  const step = roundStep(size < LEAST_SIZE ? 1 : Math.max(wanted, size * LEAST_PART));
  const first = Math.floor(min / step);
  const counts = new Array<number>(Math.max(1, Math.ceil(max / step) - first)).fill(0);
  for (const value of values) {
    const index = Math.min(counts.length - 1, Math.floor(value / step) - first);
    counts[index] = (counts[index] as number) + 1;
  }
  return counts.map((count, i) => ({ from: edge(first + i, step), to: edge(first + i + 1, step), count }));
}

/** The least of 1, 2 and 5 times a power of ten that is not below. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Without the last bits that multiplying leaves. */
function edge(index: number, step: number): number {
  return Number((index * step).toPrecision(12));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Pearson's coefficient, -1 to 1; NaN when one of them does not vary, or there are less than two pairs. */
export function correlationOf(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [fromA, fromB] = [(a[i] as number) - meanA, (b[i] as number) - meanB];
    both += fromA * fromB;
    squaresA += fromA * fromA;
    squaresB += fromB * fromB;
  }
  const varies = isVarying(squaresA, meanA, a.length) && isVarying(squaresB, meanB, b.length);
  return varies ? both / Math.sqrt(squaresA * squaresB) : Number.NaN;
}

/** By more than what is lost when numbers are rounded. */
function isVarying(squares: number, mean: number, count: number): boolean {
  return Math.sqrt(squares / count) > Math.abs(mean) * LEAST_PART;
}

export function smallest(values: readonly number[]): number {
  return values.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
}

export function largest(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
}
