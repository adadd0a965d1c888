// Values as files of other systems write them: numbers with a decimal comma, thousands signs and units, and words for no value.
// Without imports, so that a browser can use it.

export type Decimal = '.' | ',';

/** No value; nothing is said about why. */
const NO_VALUE_WORDS = ['nan', 'null', 'nil', 'none', 'n/a', 'na', '#n/a', '#nv', '\\n', '-', '--', '---'];
/** No value because something was wrong: null with a bad quality. */
const BAD_VALUE_WORDS = [
  ...['bad', 'no data', 'bad input', 'unavailable', 'unknown', 'i/o timeout', 'comm fail', 'not connect', 'scan off'],
  ...['pt created', 'calc failed', 'configure', 'shutdown', 'no result', 'over range', 'under range'],
];
const WORDS: ReadonlySet<string> = new Set([...NO_VALUE_WORDS, ...BAD_VALUE_WORDS]);
const BAD_WORDS: ReadonlySet<string> = new Set(BAD_VALUE_WORDS);
const PHYSICAL_UNITS = `
  °C °F K % bar mbar psi Pa hPa kPa MPa V mV kV A mA W kW MW
  Wh kWh MWh Hz rpm mm cm m km m³ m³/h l l/min l/h kg kg/h t t/h s ms min h m/s mm/s pH ppm
`
  .trim()
  .split(/\s+/);

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const COMMA = /^[+-]?(\d+,?\d*|,\d+)(e[+-]?\d+)?$/i;
const POINT_GROUPS = /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ \u00a0\u202f']\d{3})+)(?:\.\d+)?$/;
const COMMA_GROUPS = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:[ \u00a0\u202f']\d{3})+)(?:,\d+)?$/;
/** A thousand or a fraction of three digits: by itself it says nothing. */
const EITHER = /^[+-]?[1-9]\d{0,2}[,]\d{3}$/;

/** Whether other systems mean no value by it, good or bad. */
export function isValueWord(field: string): boolean {
  return WORDS.has(field.toLowerCase());
}

export function isBadValueWord(field: string): boolean {
  return BAD_WORDS.has(field.toLowerCase());
}

export function isThousandOrFraction(field: string): boolean {
  return EITHER.test(field);
}

/** The number of a field with a decimal point and no thousands signs; undefined for what is no number. */
export function plainNumber(field: string, decimal: Decimal): string | undefined {
  if (decimal === '.') {
    if (PLAIN.test(field)) return field;
    return POINT_GROUPS.test(field) ? field.replace(/[, \u00a0\u202f']/g, '') : undefined;
  }
  if (COMMA.test(field)) return field.replace(',', '.');
  return COMMA_GROUPS.test(field) ? field.replace(/[. \u00a0\u202f']/g, '').replace(',', '.') : undefined;
}

/** `isTold`: by some field. */
export type DecimalGuess =
  | { readonly decimal: Decimal; readonly isTold: boolean }
  | { readonly conflict: readonly string[] };

/** By the fields that can be numbers in one way only; those that can be both without one that tells are a conflict. */
export function guessDecimal(fields: Iterable<string>): DecimalGuess {
  let point: string | undefined;
  let comma: string | undefined;
  let either: string | undefined;
  for (const field of fields) {
    if (!/^[+-]?[\d.,]/.test(field) || !/[.,]/.test(field)) continue;
    if (EITHER.test(field)) either ??= field;
    else {
      const isPoint = plainNumber(field, '.') !== undefined;
      const isComma = plainNumber(field, ',') !== undefined;
      if (isPoint && !isComma) point ??= field;
      if (isComma && !isPoint) comma ??= field;
    }
  }
  if (point !== undefined && comma !== undefined) return { conflict: [point, comma] };
  if (comma !== undefined) return { decimal: ',', isTold: true };
  if (point !== undefined) return { decimal: '.', isTold: true };
  return either !== undefined ? { conflict: [either] } : { decimal: '.', isTold: false };
}

/** The physical unit that a number is written with, such as `12 °C`; undefined for none. */
export function unitOf(field: string): string | undefined {
  const [, unit] = /^[+-]?[\d.,]+\s+([^\d\s].*)$/.exec(field) ?? [];
  return unit !== undefined && PHYSICAL_UNITS.includes(unit) ? unit : undefined;
}
