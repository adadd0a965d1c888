// The straight line that two series go by, found by least squares. Pure.

import { correlationOf, meanOf } from './distribution.ts';

export interface Regression {
  readonly slope: number;
  readonly intercept: number;
  /** Share of the variance of the second series that the line explains, 0 to 1. */
  readonly r2: number;
}

/** Undefined where one of them does not vary, or there are less than two pairs. */
export function regressionOf(xs: readonly number[], ys: readonly number[]): Regression | undefined {
  const correlation = correlationOf(xs, ys);
  if (Number.isNaN(correlation)) return undefined;
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  let [both, squares] = [0, 0];
  for (const [i, x] of xs.entries()) {
    both += (x - meanX) * ((ys[i] as number) - meanY);
    squares += (x - meanX) ** 2;
  }
  const slope = both / squares;
  return { slope, intercept: meanY - slope * meanX, r2: correlation ** 2 };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The ends of the line inside of a plane; undefined where it passes beside it. */
export function lineInPlane(
  { slope, intercept }: Regression,
  { x, y }: { readonly x: Range; readonly y: Range },
): readonly [readonly [number, number], readonly [number, number]] | undefined {
  const heights = [y.from, y.to].map((height) => (height - intercept) / slope);
  const bounds = slope === 0 ? [x.from, x.to] : heights.sort((a, b) => a - b);
  const [from, to] = [Math.max(x.from, bounds[0] as number), Math.min(x.to, bounds[1] as number)];
  const at = (value: number): readonly [number, number] => [value, slope * value + intercept];
  return from < to ? [at(from), at(to)] : undefined;
}

/** Such as `Flow = 2.01 × Level - 3.5, r² 0.97`. */
export function regressionText({ slope, intercept, r2 }: Regression, across: string, up: string): string {
  const [factor, rest] = [slope, Math.abs(intercept)].map((value) => String(Number(value.toPrecision(4))));
  return `${up} = ${factor} × ${across} ${intercept < 0 ? '-' : '+'} ${rest}, r² ${r2.toFixed(2)}`;
}
