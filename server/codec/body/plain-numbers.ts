// Types whose values are numbers, and how the fast paths convert a number into a value of the type.

import { integerBounds, type PointColumns, ValueType } from '../../../engine/index.ts';
import { EXACT_DIGITS } from '../scalars/powers-of-ten.ts';
import { isMiddle } from '../scalars/single-rounding.ts';

/** The least and the greatest number of a type. */
export type WholeRange = readonly [number, number];

const WHOLE_RANGES: readonly (WholeRange | undefined)[] = Array.from({ length: 16 }, (_, code) =>
  integerBounds(code as ValueType),
);

/** Range of an integer type that doubles hold; undefined for other types. */
export function wholeRange(type: ValueType): WholeRange | undefined {
  return WHOLE_RANGES[type];
}

/** Whether points of the type may be plain (`PointRun.decimals`); `Open` may become such a type. */
export function isPlainType(type: ValueType): boolean {
  return takesDecimals(type) || wholeRange(type) !== undefined;
}

/** Whether plain points of the type may have decimals. */
export function takesDecimals(type: ValueType): boolean {
  return type === ValueType.Double || type === ValueType.Open;
}

const TWO_TO_32 = 4_294_967_296;

/** Types that `convertNumber` knows. `Open` is among them: a number makes it Double. */
export function takesNumbers(type: ValueType): boolean {
  return isPlainType(type) || type === ValueType.Single || type === ValueType.Int64 || type === ValueType.UInt64;
}

/**
 * Turns number `i`, a finite double that was written in `sizeBytes` bytes, into the payload of its type. `words` are the
 * 32-bit halves of `numbers`. False when it may not fit: the general path decides then.
 */
export function convertNumber(
  type: ValueType,
  numbers: Float64Array,
  words: Int32Array,
  i: number,
  sizeBytes: number,
): boolean {
  if (type === ValueType.Double || type === ValueType.Open) return true;
  const value = numbers[i] as number;
  if (type === ValueType.Single) {
    numbers[i] = Math.fround(value);
    return !isMiddle(value);
  }
  if (Math.floor(value) !== value) return false;
  if (type === ValueType.Int64 || type === ValueType.UInt64) {
    if (sizeBytes > EXACT_DIGITS || (type === ValueType.UInt64 && value < 0)) return false;
    const high = Math.floor(value / TWO_TO_32);
    words[i * 2] = (value - high * TWO_TO_32) | 0;
    words[i * 2 + 1] = high | 0;
    return true;
  }
  const bounds = wholeRange(type) as WholeRange;
  return value >= bounds[0] && value <= bounds[1];
}

/** Target of a number: columns, the 32-bit halves of their `numbers`, and the type of the run. */
export interface NumberTarget {
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly words: Int32Array;
}

/** The same for a number that comes as a double, without digits, and may be NaN or infinite; also stores it. */
export function convertValue({ type, points, words }: NumberTarget, i: number, value: number): boolean {
  const { numbers } = points;
  if (type === ValueType.Double || type === ValueType.Open) {
    numbers[i] = value;
    return value - value === 0; // neither NaN nor infinite
  }
  if (!Number.isFinite(Math.fround(value))) return false;
  if (type === ValueType.Single) {
    numbers[i] = Math.fround(value);
    return true;
  }
  numbers[i] = value + 0; // integers have no -0
  return Number.isSafeInteger(value) && convertNumber(type, numbers, words, i, 1);
}
