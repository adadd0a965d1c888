// Numbers as their written digits, for the types whose every digit counts: Int64, UInt64 and Decimal.

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Significant digits and fraction digits of a System.Decimal that are all kept. */
export const MAX_DECIMAL_DIGITS = 28;
/** Beyond any exponent that a body of less than a gigabyte can make up for with digits. */
const MAX_EXPONENT = 1_000_000_000;

/** (-1)^negative * digits / 10^scale. */
export interface Digits {
  readonly isNegative: boolean;
  /** Without leading zeros; `0` for zero. */
  readonly digits: string;
  /** Fraction digits; negative when zeros are missing in front of the point. */
  readonly scale: number;
}

/** Takes a JSON number apart; undefined when the text is none. */
export function parseDigits(literal: string): Digits | undefined {
  const match = NUMBER.exec(literal);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+(?=[0-9])/, '');
  const limited = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponent)));
  return { isNegative: sign === '-', digits, scale: fraction.length - limited };
}

/** Whether a text is a number as JSON writes it. */
export function isNumberLiteral(text: string): boolean {
  return NUMBER.test(text);
}

/** Whether a text is a whole number by its digits alone: no point, no exponent. */
export function isWholeDigits(text: string): boolean {
  return /^-?(?:0|[1-9][0-9]*)$/.test(text);
}

/** Whether a text is a decimal number by its digits alone: no exponent. */
export function isDecimalDigits(text: string): boolean {
  return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text);
}

/** The whole number that a JSON number is, at most 20 digits; otherwise what keeps it from being one. */
export function parseWhole(literal: string): bigint | 'fraction' | 'range' {
  const parsed = parseDigits(literal);
  if (parsed === undefined) throw new Error('BUG: not a number literal');
  const { digits, scale } = parsed;
  if (digits === '0') return 0n;
  if (scale > 0 && !/^0*$/.test(digits.slice(-Math.min(scale, digits.length)))) return 'fraction';
  const wholeLength = digits.length - scale;
  if (wholeLength <= 0) return 'fraction';
  if (wholeLength > 20) return 'range';
  const value = BigInt(scale > 0 ? digits.slice(0, wholeLength) : digits + '0'.repeat(-scale));
  return parsed.isNegative ? -value : value;
}

/**
 * The plain digits of a Decimal: no exponent, trailing zeros of the fraction kept, zero without a sign.
 * Undefined when it has more than 28 significant digits or 28 fraction digits.
 */
export function formatDecimal(literal: string): string | undefined {
  const parsed = parseDigits(literal);
  if (parsed === undefined) throw new Error('BUG: not a number literal');
  const { digits, scale } = parsed;
  const isZero = digits === '0';
  if (isZero && scale <= 0) return '0';
  if (scale > MAX_DECIMAL_DIGITS) return undefined;
  if (Math.max(digits.length, digits.length - scale) > MAX_DECIMAL_DIGITS) return undefined;
  const sign = parsed.isNegative && !isZero ? '-' : '';
  if (scale <= 0) return sign + digits + '0'.repeat(-scale);
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
