// Makes the payload of a value type out of one value of a body, or says why it does not fit.

import { formatValueType, integerBounds, MIN_TIME_MS, ValueType } from '../../../engine/index.ts';
import { formatDecimal, isDecimalDigits, isWholeDigits, MAX_DECIMAL_DIGITS, parseWhole } from './decimal-literal.ts';
import { readTimeText, TIME_FORM, TimeReader } from './timestamp.ts';

/** What a body can have as a value. */
export type ValueKind = 'a number' | 'true' | 'false' | 'text' | 'an array' | 'an object' | 'bytes' | 'a time stamp';

/** Which tags take true and false: Boolean ones, or numeric ones as well, as 1 and 0. */
export type TruthTags = 'boolean' | 'boolean and numeric';

const TWO_TO_32 = 4_294_967_296;
/** Bytes that a code unit of a text takes at most in UTF-8. */
const MOST_BYTES_OF_UNIT = 3;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** What a type takes, for the message about a value of the wrong kind. */
function wantedKind(type: ValueType): string {
  switch (type) {
    case ValueType.Open:
      return 'a number, true, false, text or null';
    case ValueType.Boolean:
      return 'true, false, 0, 1 or null';
    case ValueType.String:
      return 'text or null';
    case ValueType.DateTime:
      return 'a time stamp as text or null';
    case ValueType.Int64:
    case ValueType.UInt64:
    case ValueType.Decimal:
      return 'a number, its digits as text, or null';
    default:
      return 'a number or null';
  }
}

/** The fault of a value whose kind the type does not take. */
export function kindFault(type: ValueType, got: ValueKind): string {
  const name = formatValueType(type);
  return `got ${got}; want ${wantedKind(type)}${name === undefined ? '' : ` (${name})`}`;
}

function rangeFault(type: ValueType): string {
  return `out of range for ${formatValueType(type)}`;
}

/** Whether values of the type must come from the digits of a number rather than from its nearest double. */
export function isExactType(type: ValueType): boolean {
  return type === ValueType.Int64 || type === ValueType.UInt64 || type === ValueType.Decimal;
}

function isNumericType(type: ValueType): boolean {
  return (
    type === ValueType.Double || type === ValueType.Single || isExactType(type) || integerBounds(type) !== undefined
  );
}

/** The type that a first value gives to a tag that has none. */
export function typeOfFirst(kind: ValueKind): ValueType {
  switch (kind) {
    case 'a number':
      return ValueType.Double;
    case 'true':
    case 'false':
      return ValueType.Boolean;
    case 'text':
      return ValueType.String;
    default:
      return ValueType.Open;
  }
}

/**
 * Fits values one at a time; the payload of the last one that fitted is in `number` (number payloads), `low` and
 * `high` (the two 32-bit halves of a bigint payload) or `text` (text payloads). Each method returns a fault, or undefined.
 */
export class ValueFit {
  number = Number.NaN;
  low = 0;
  high = 0;
  text = '';
  readonly #times = new TimeReader();

  /** A number for a type that is not exact. */
  fitNumber(type: ValueType, value: number): string | undefined {
    switch (type) {
      case ValueType.Double:
        this.number = value;
        return Number.isFinite(value) ? undefined : rangeFault(type);
      case ValueType.Single:
        this.number = Math.fround(value);
        return Number.isFinite(this.number) ? undefined : rangeFault(type);
      case ValueType.Boolean:
        this.number = value + 0; // -0 becomes 0
        return value === 0 || value === 1 ? undefined : kindFault(type, 'a number');
      default:
        return this.#fitInteger(type, value);
    }
  }

  #fitInteger(type: ValueType, value: number): string | undefined {
    const bounds = integerBounds(type);
    if (bounds === undefined) return kindFault(type, 'a number');
    if (!Number.isFinite(value)) return rangeFault(type);
    if (!Number.isInteger(value)) return fractionFault(type);
    if (value < bounds[0] || value > bounds[1]) return `${rangeFault(type)} (${bounds[0]} to ${bounds[1]})`;
    this.number = value + 0; // -0 becomes 0
    return undefined;
  }

  /** A number for Int64 or UInt64 whose double is exactly what was written, of magnitude up to 2^53. */
  fitSafeNumber(type: ValueType, value: number): string | undefined {
    if (!Number.isInteger(value)) return fractionFault(type);
    if (value < 0 && type === ValueType.UInt64) return rangeFault(type);
    const high = Math.floor(value / TWO_TO_32);
    this.high = high | 0;
    this.low = (value - high * TWO_TO_32) | 0;
    return undefined;
  }

  /** A number for an exact type by its digits as JSON writes them. */
  fitLiteral(type: ValueType, literal: string): string | undefined {
    if (type === ValueType.Decimal) return this.#fitDecimal(literal);
    const whole = parseWhole(literal);
    if (whole === 'fraction') return fractionFault(type);
    if (whole === 'range' || !isInRange64(type, whole)) return rangeFault(type);
    this.low = Number(BigInt.asIntN(32, whole));
    this.high = Number(BigInt.asIntN(32, whole >> 32n));
    return undefined;
  }

  #fitDecimal(literal: string): string | undefined {
    const digits = formatDecimal(literal);
    if (digits === undefined)
      return `more digits than ${formatValueType(ValueType.Decimal)} keeps (${MAX_DECIMAL_DIGITS})`;
    this.text = digits;
    return undefined;
  }

  /** 1 or 0, for true or false. */
  fitBoolean(type: ValueType, value: 0 | 1): string | undefined {
    if (type !== ValueType.Boolean) return kindFault(type, value === 1 ? 'true' : 'false');
    this.number = value;
    return undefined;
  }

  /** 1 or 0, for true or false; a numeric type takes it as the number. */
  fitTruth(type: ValueType, value: 0 | 1): string | undefined {
    if (!isNumericType(type)) return this.fitBoolean(type, value);
    if (type === ValueType.Decimal) return this.fitLiteral(type, String(value));
    return isExactType(type) ? this.fitSafeNumber(type, value) : this.fitNumber(type, value);
  }

  fitText(type: ValueType, text: string, maxTextBytes: number): string | undefined {
    if (type === ValueType.String) return this.#fitString(text, maxTextBytes);
    if (type === ValueType.DateTime) {
      if (!readTimeText(text, this.#times)) return `got another text; want ${TIME_FORM}`;
      this.fitInstant(this.#times.ms, this.#times.ticks);
      return undefined;
    }
    if (isExactType(type) && isTextOfDigits(type, text)) return this.fitLiteral(type, text);
    return kindFault(type, 'text');
  }

  #fitString(text: string, maxTextBytes: number): string | undefined {
    if (text.length * MOST_BYTES_OF_UNIT > maxTextBytes) {
      const sizeBytes = Buffer.byteLength(text);
      if (sizeBytes > maxTextBytes) return `got a text of ${sizeBytes} bytes; want at most ${maxTextBytes}`;
    }
    if (!text.isWellFormed()) return 'a text must not hold lone surrogates';
    this.text = text;
    return undefined;
  }

  /** A DateTime: 100 ns ticks since 0001-01-01, worked out in two halves because they pass 2^53. */
  fitInstant(ms: number, ticks: number): void {
    const sinceYear1Ms = ms - MIN_TIME_MS;
    const upper = Math.floor(sinceYear1Ms / 1_048_576);
    const lower = sinceYear1Ms - upper * 1_048_576;
    const upperTicks = upper * 10_000; // in units of 2^20 ticks
    const upperHigh = Math.floor(upperTicks / 4096);
    const low = (upperTicks - upperHigh * 4096) * 1_048_576 + lower * 10_000 + ticks;
    const carry = Math.floor(low / TWO_TO_32);
    this.high = (upperHigh + carry) | 0;
    this.low = (low - carry * TWO_TO_32) | 0;
  }
}

/** What an exact type takes as text: digits, and nothing that stands for other digits. */
function isTextOfDigits(type: ValueType, text: string): boolean {
  return type === ValueType.Decimal ? isDecimalDigits(text) : isWholeDigits(text);
}

function fractionFault(type: ValueType): string {
  return `got a fraction; want a whole number (${formatValueType(type)})`;
}

function isInRange64(type: ValueType, value: bigint): boolean {
  if (type === ValueType.UInt64) return value >= 0n && value <= MAX_UINT64;
  return value >= MIN_INT64 && value <= MAX_INT64;
}
