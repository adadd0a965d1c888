// What a query can be: a selection of series, a function over a stretch of each, and operations on what that gives, one
// after the other. No operation takes two selections, so a query has one or is a number.

import type { Pattern } from '../../../patterns/pattern.ts';

export const OVER_FUNCTIONS = [
  'last_over_time',
  'avg_over_time',
  'min_over_time',
  'max_over_time',
  'count_over_time',
  'rate',
  'delta',
] as const;
export type OverFunction = (typeof OVER_FUNCTIONS)[number];

export const AGGREGATORS = ['sum', 'avg', 'min', 'max', 'count'] as const;
export type Aggregator = (typeof AGGREGATORS)[number];

export const ARITHMETIC = ['+', '-', '*', '/', '%', '^'] as const;
export type ArithmeticSign = (typeof ARITHMETIC)[number];

export interface Matcher {
  readonly label: string;
  readonly isNot: boolean;
  /** A text for `=` and `!=`, a pattern for `=~` and `!~`. */
  readonly wanted: string | Pattern;
}

export type Operation =
  /** A number is on one side, the value of each series on the other. */
  | { readonly kind: 'number'; readonly sign: ArithmeticSign; readonly number: number; readonly isLeft: boolean }
  | { readonly kind: 'aggregate'; readonly aggregator: Aggregator; readonly by: readonly string[] };

export interface SeriesQuery {
  readonly kind: 'series';
  readonly matchers: readonly Matcher[];
  /** Undefined: the value in force. */
  readonly over: { readonly fn: OverFunction; readonly windowMs: number } | undefined;
  /** In the order in which they are done. */
  readonly operations: readonly Operation[];
}

export type Query = SeriesQuery | { readonly kind: 'number'; readonly value: number };

export function calculate(sign: ArithmeticSign, a: number, b: number): number {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    case '^':
      // What Go has besides: 1 to any power, and -1 to an infinite one.
      return a === 1 || (a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY) ? 1 : a ** b;
  }
}

/** Whether the value fits; the value of a label that a series does not have is an empty text. */
export function fits({ wanted, isNot }: Matcher, value: string): boolean {
  const isWanted = typeof wanted === 'string' ? wanted === value : wanted.matches(value);
  return isWanted !== isNot;
}
