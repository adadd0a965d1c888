// Number patterns as historians write them (`0.0`, `#,##0.00`, `000`, `0.0%`, `0.00E+00`): the custom patterns of .NET.

interface Pattern {
  readonly before: string;
  readonly after: string;
  readonly integerDigits: number;
  readonly leastDecimals: number;
  readonly mostDecimals: number;
  readonly isGrouped: boolean;
  readonly isPercent: boolean;
  readonly exponentDigits: number;
  readonly isExponentSigned: boolean;
}

const PARSED = new Map<string, Pattern>();
const MOST_PATTERNS = 500;
const MOST_DECIMALS = 15;
const PLAIN_DIGITS = 7;
/** Decimals of a number that has more digits before its point. */
const LEAST_DECIMALS = 2;

/** The number by the pattern; in as few digits as tell it to a reader when there is none. */
export function formatNumber(value: number, pattern: string | undefined): string {
  if (!Number.isFinite(value)) return String(value);
  if (pattern === undefined || pattern.trim() === '') return formatPlain(value);
  const custom = customOf(pattern);
  const section = chooseSection(value, custom);
  if (/[0#]/.test(maskLiterals(section.text))) return applyPattern(section.value, parsePattern(section.text));
  // A section may be a mere text; a whole pattern that shows no number is a mistake, which must not hide the value.
  return custom.includes(';') ? unquote(section.text) : formatPlain(value);
}

/** The standard patterns with a custom one for each: `F2`, `N0`, `P1`, `E3`, `D4`. */
function customOf(pattern: string): string {
  const [, letter = '', digits = ''] = /^\s*([FNPED])(\d{0,2})\s*$/i.exec(pattern) ?? [];
  const decimals = (fallback: number): string => {
    const count = Math.min(MOST_DECIMALS, digits === '' ? fallback : Number(digits));
    return count === 0 ? '' : `.${'0'.repeat(count)}`;
  };
  const custom: Record<string, () => string> = {
    F: () => `0${decimals(2)}`,
    N: () => `#,##0${decimals(2)}`,
    P: () => `#,##0${decimals(2)} %`,
    E: () => `0${decimals(6)}E+000`,
    D: () => '0'.repeat(Math.max(1, Number(digits))),
  };
  return custom[letter.toUpperCase()]?.() ?? pattern;
}

/** The integer part always has all of its digits: a counter that shows others misleads. */
function formatPlain(value: number): string {
  if (Number.isInteger(value)) return String(value === 0 ? 0 : value);
  const integerDigits = String(Math.trunc(Math.abs(value))).length;
  return String(Number(value.toPrecision(Math.max(PLAIN_DIGITS, integerDigits + LEAST_DECIMALS))));
}

/** `positive;negative;zero`: the section of the sign, which then shows no sign of its own. */
function chooseSection(value: number, pattern: string): { text: string; value: number } {
  const sections = splitSections(pattern);
  const [positive = '', negative, zero] = sections;
  if (value === 0 && zero !== undefined) return { text: zero, value };
  if (value < 0 && negative !== undefined && negative !== '') return { text: negative, value: -value };
  return { text: positive, value };
}

function splitSections(pattern: string): string[] {
  return pattern.includes(';') ? (pattern.match(/(?:'[^']*'|"[^"]*"|\\.|[^;])+|(?<=;)(?=;|$)/g) ?? ['']) : [pattern];
}

function parsePattern(text: string): Pattern {
  const known = PARSED.get(text);
  if (known !== undefined) return known;
  if (PARSED.size >= MOST_PATTERNS) PARSED.clear();
  const parsed = readPattern(text);
  PARSED.set(text, parsed);
  return parsed;
}

function readPattern(text: string): Pattern {
  const core = /[0#](?:[0#,.]*[0#])?(?:[eE]([+-]?)(0+))?/.exec(maskLiterals(text));
  const digits = core?.[0] ?? '';
  const start = core?.index ?? text.length;
  const [mantissa = ''] = digits.split(/[eE]/);
  const [whole = '', decimals = ''] = mantissa.split('.');
  const rest = text.slice(start + digits.length);
  const isPercent = maskLiterals(text).includes('%');
  return {
    before: unquote(text.slice(0, start)),
    after: unquote(rest),
    integerDigits: count(whole, '0'),
    leastDecimals: decimals.lastIndexOf('0') + 1,
    mostDecimals: Math.min(MOST_DECIMALS, decimals.replaceAll(',', '').length),
    isGrouped: /[0#],[0#]/.test(whole),
    isPercent,
    exponentDigits: core?.[2]?.length ?? 0,
    isExponentSigned: core?.[1] === '+',
  };
}

/** Quoted and escaped characters, replaced by as many that mean nothing. */
function maskLiterals(text: string): string {
  return text.replace(/'[^']*'|"[^"]*"|\\./g, (literal) => '\u0001'.repeat(literal.length));
}

function unquote(text: string): string {
  return text.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function applyPattern(value: number, pattern: Pattern): string {
  const scaled = pattern.isPercent ? value * 100 : value;
  const magnitude = Math.abs(scaled);
  const text = pattern.exponentDigits > 0 ? exponential(magnitude, pattern) : fixed(magnitude, pattern);
  const sign = scaled < 0 && /[1-9]/.test(text) ? '-' : '';
  return `${sign}${pattern.before}${text}${pattern.after}`;
}

function fixed(magnitude: number, { integerDigits, leastDecimals, mostDecimals, isGrouped }: Pattern): string {
  const [whole = '0', decimals = ''] = magnitude.toFixed(mostDecimals).split('.');
  const bare = whole === '0' && integerDigits === 0 ? '' : whole.padStart(integerDigits, '0');
  const grouped = isGrouped ? bare.replace(/\B(?=(\d{3})+$)/g, ',') : bare;
  const kept = trimZeros(decimals, leastDecimals);
  if (grouped === '' && kept === '') return '0';
  return kept === '' ? grouped : `${grouped}.${kept}`;
}

function trimZeros(decimals: string, least: number): string {
  let length = decimals.length;
  while (length > least && decimals[length - 1] === '0') length--;
  return decimals.slice(0, length);
}

function exponential(magnitude: number, pattern: Pattern): string {
  const [mantissa = '0', exponent = '0'] = magnitude.toExponential(pattern.mostDecimals).split('e');
  const size = Number(exponent);
  const [whole = '0', decimals = ''] = mantissa.split('.');
  const kept = trimZeros(decimals, pattern.leastDecimals);
  let sign = '';
  if (size < 0) sign = '-';
  else if (pattern.isExponentSigned) sign = '+';
  return `${whole}${kept === '' ? '' : `.${kept}`}E${sign}${String(Math.abs(size)).padStart(pattern.exponentDigits, '0')}`;
}
