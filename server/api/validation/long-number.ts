// Numbers of a JSON body that a double does not hold digit by digit, where the body's values are written on as JSON: those of
// 64-bit and decimal tags.

/** A double never loses so many. */
const SAFE_DIGITS = 15;

/** A number as it was written. */
export class LongNumber {
  readonly literal: string;

  private constructor(literal: string) {
    this.literal = literal;
  }

  /** A double where that has all digits of the literal. */
  static of(literal: string, nearest: number): number | LongNumber {
    const isBeyond = nearest === 0 || !Number.isFinite(nearest);
    if (literal.length <= SAFE_DIGITS && !isBeyond) return nearest;
    const digits = digitsOf(literal);
    if (isBeyond && digits !== '') return new LongNumber(literal);
    return digits.length <= SAFE_DIGITS || digits === digitsOf(String(nearest)) ? nearest : new LongNumber(literal);
  }

  /** A double where the literal is short, whatever its digits are. */
  static asWritten(literal: string, nearest: number): number | LongNumber {
    return literal.length <= SAFE_DIGITS ? nearest : new LongNumber(literal);
  }

  toJSON(): number {
    return Number(this.literal);
  }
}

/** Significant digits, without zeros at either end. */
function digitsOf(literal: string): string {
  const [mantissa = ''] = literal.toLowerCase().split('e');
  return mantissa.replace(/[-+.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

/** A value of JSON as its text, with long numbers as they were written; nested no deeper than bodies are. */
export function exactJson(value: unknown): string {
  if (value instanceof LongNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (Object.is(value, -0)) return '-0'; // JSON.stringify drops the sign
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${exactJson(member)}`).join(',')}}`;
}
