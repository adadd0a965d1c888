// .NET custom format patterns, the part that a simulator configuration needs: digits (`0`, `#`, `.`, `,`, `%`, exponents,
// sections, quoted literals) for numbers, and dates (`yyyy MM dd HH mm ss fff` and their kin) in UTC.

interface PatternPart {
  readonly kind: 'literal' | 'digit' | 'point' | 'comma' | 'percent' | 'exponent';
  readonly text: string;
}

/**
 * A field's value by a pattern. Only a text that is a number is formatted; any other comes back as it is, as .NET does
 * with a string.
 */
export function formatByPattern(value: string, pattern: string): string {
  const trimmed = value.trim();
  if (pattern === '' || trimmed === '' || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return value;
  return formatNumber(Number(trimmed), pattern);
}

export function formatNumber(value: number, pattern: string): string {
  const sections = splitSections(pattern);
  if (value < 0 && sections.length > 1 && sections[1] !== '') return formatSection(-value, sections[1] ?? '');
  if (value === 0 && sections.length > 2) return formatSection(0, sections[2] ?? '');
  const body = formatSection(Math.abs(value), sections[0] ?? '');
  return value < 0 ? `-${body}` : body;
}

function formatSection(value: number, section: string): string {
  const parts = splitPattern(section);
  const digits = parts.filter((part) => part.kind === 'digit' || part.kind === 'point');
  const pointAt = digits.findIndex((part) => part.kind === 'point');
  const whole = (pointAt < 0 ? digits : digits.slice(0, pointAt)).map((part) => part.text);
  const fraction = pointAt < 0 ? [] : digits.slice(pointAt + 1).filter((part) => part.kind === 'digit');
  const exponent = parts.find((part) => part.kind === 'exponent');
  const power = exponent === undefined || value === 0 ? 0 : Math.floor(Math.log10(value)) - whole.length + 1;
  const scaled = parts.some((part) => part.kind === 'percent') ? value * 100 : value / 10 ** power;
  const [wholeText = '0', fractionText = ''] = plainDecimal(scaled, fraction.length).split('.');
  const grouped = parts.some((part) => part.kind === 'comma');
  const shown = {
    whole: padWhole(wholeText, whole, grouped),
    fraction: trimFraction(fractionText, fraction),
    exponent: exponent === undefined ? '' : showExponent(exponent.text, power),
  };
  return assemble(parts, shown);
}

/** Digits of a positive number with that many decimals (at most 15), without an exponent. */
function plainDecimal(value: number, wanted: number): string {
  const decimals = Math.min(wanted, 15);
  if (value >= 1e21) return BigInt(value).toString();
  // Rounds on the decimal text, so that 1.005 with two decimals is 1.01 as .NET gives it.
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + decimals}`));
  if (shifted >= 1e21) return value.toFixed(decimals);
  const text = String(shifted).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

function padWhole(digits: string, placeholders: readonly string[], grouped: boolean): string {
  const firstZero = placeholders.indexOf('0');
  const least = firstZero < 0 ? 0 : placeholders.length - firstZero;
  const padded = (digits === '0' && least === 0 ? '' : digits).padStart(least, '0');
  return grouped ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded;
}

function trimFraction(digits: string, placeholders: readonly PatternPart[]): string {
  const least = placeholders.findLastIndex((part) => part.text === '0') + 1;
  let length = Math.min(digits.length, placeholders.length);
  while (length > least && digits[length - 1] === '0') length--;
  return digits.slice(0, length);
}

function showExponent(text: string, power: number): string {
  const zeros = text.length - text.search('0');
  const plus = text.includes('+') ? '+' : '';
  const sign = power < 0 ? '-' : plus;
  return `${text[0] ?? 'E'}${sign}${String(Math.abs(power)).padStart(zeros, '0')}`;
}

/** Puts the digits where the first placeholder stands, and the literals around them; literals between digits stay between. */
function assemble(parts: readonly PatternPart[], shown: { whole: string; fraction: string; exponent: string }): string {
  const pointAt = parts.findIndex((part) => part.kind === 'point');
  const wholeDigits = parts.filter((p, i) => p.kind === 'digit' && (pointAt < 0 || i < pointAt)).length;
  let result = '';
  let wholeSeen = 0;
  let wholeUsed = 0;
  let fractionUsed = 0;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal' || part.kind === 'percent') result += part.text;
    if (part.kind === 'exponent') result += shown.exponent;
    if (part.kind === 'point') {
      if (wholeDigits === 0 && shown.whole !== '') result += shown.whole;
      if (shown.fraction !== '') result += '.';
    }
    if (part.kind === 'digit' && (pointAt < 0 || index < pointAt)) {
      wholeSeen++;
      const until = digitsThrough(shown.whole, wholeDigits - wholeSeen);
      result += shown.whole.slice(wholeUsed, until);
      wholeUsed = Math.max(wholeUsed, until);
    } else if (part.kind === 'digit') {
      result += shown.fraction[fractionUsed] ?? '';
      fractionUsed++;
    }
  }
  return result;
}

/** How far into the (perhaps grouped) digits one comes when `remaining` digits are left for later placeholders. */
function digitsThrough(whole: string, remaining: number): number {
  let index = whole.length;
  for (let left = remaining; left > 0 && index > 0; ) {
    index--;
    if (whole[index] !== ',') left--;
  }
  return index;
}

function splitSections(pattern: string): string[] {
  const sections = [''];
  for (const token of tokenize(pattern)) {
    if (token === ';') sections.push('');
    else sections[sections.length - 1] += token;
  }
  return sections;
}

/** Tokens of a pattern: an escaped character, a quoted literal, an exponent, or one character. */
function tokenize(pattern: string): string[] {
  return pattern.match(/\\[\s\S]|'[^']*'|"[^"]*"|[eE][+-]?0+|[\s\S]/g) ?? [];
}

function splitPattern(section: string): PatternPart[] {
  const parts: PatternPart[] = [];
  let digitSeen = false;
  let pointSeen = false;
  for (const token of tokenize(section)) {
    if (/^[eE][+-]?0+$/.test(token) && !digitSeen) {
      // Letters before any digit are a prefix (`LINE000`), not an exponent.
      parts.push({ kind: 'literal', text: token.replaceAll('0', '') });
      for (const zero of token.replace(/^[eE][+-]?/, '')) parts.push({ kind: 'digit', text: zero });
      digitSeen = true;
    } else if (token === '.' && pointSeen) {
    } else {
      const part = toPart(token);
      digitSeen ||= part.kind === 'digit';
      pointSeen ||= part.kind === 'point';
      parts.push(part);
    }
  }
  return parts;
}

function toPart(token: string): PatternPart {
  if (token === '0' || token === '#') return { kind: 'digit', text: token };
  if (token === '.') return { kind: 'point', text: token };
  if (token === ',') return { kind: 'comma', text: '' };
  if (token === '%') return { kind: 'percent', text: token };
  if (/^[eE][+-]?0+$/.test(token)) return { kind: 'exponent', text: token };
  return { kind: 'literal', text: unquote(token) };
}

function unquote(token: string): string {
  if (token.startsWith('\\')) return token.slice(1);
  if (token.length > 1 && (token.startsWith("'") || token.startsWith('"'))) return token.slice(1, -1);
  return token;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const DATE_PARTS: ReadonlyMap<string, (date: Date) => string> = new Map([
  ['yyyy', (d: Date) => pad(d.getUTCFullYear(), 4)],
  ['yyy', (d: Date) => pad(d.getUTCFullYear(), 3)],
  ['yy', (d: Date) => pad(d.getUTCFullYear() % 100, 2)],
  ['y', (d: Date) => String(d.getUTCFullYear() % 100)],
  ['MMMM', (d: Date) => MONTHS[d.getUTCMonth()] ?? ''],
  ['MMM', (d: Date) => (MONTHS[d.getUTCMonth()] ?? '').slice(0, 3)],
  ['MM', (d: Date) => pad(d.getUTCMonth() + 1, 2)],
  ['M', (d: Date) => String(d.getUTCMonth() + 1)],
  ['dddd', (d: Date) => DAYS[d.getUTCDay()] ?? ''],
  ['ddd', (d: Date) => (DAYS[d.getUTCDay()] ?? '').slice(0, 3)],
  ['dd', (d: Date) => pad(d.getUTCDate(), 2)],
  ['d', (d: Date) => String(d.getUTCDate())],
  ['HH', (d: Date) => pad(d.getUTCHours(), 2)],
  ['H', (d: Date) => String(d.getUTCHours())],
  ['hh', (d: Date) => pad(d.getUTCHours() % 12 || 12, 2)],
  ['h', (d: Date) => String(d.getUTCHours() % 12 || 12)],
  ['mm', (d: Date) => pad(d.getUTCMinutes(), 2)],
  ['m', (d: Date) => String(d.getUTCMinutes())],
  ['ss', (d: Date) => pad(d.getUTCSeconds(), 2)],
  ['s', (d: Date) => String(d.getUTCSeconds())],
  ['tt', (d: Date) => (d.getUTCHours() < 12 ? 'AM' : 'PM')],
  ['t', (d: Date) => (d.getUTCHours() < 12 ? 'A' : 'P')],
]);

export const DEFAULT_DATE_PATTERN = 'yyyy-MM-ddTHH:mm:ssZ';

/** A moment (milliseconds since 1970, UTC) by a date pattern. */
export function formatDate(timeMs: number, pattern: string): string {
  const date = new Date(timeMs);
  const tokens = pattern.match(/\\[\s\S]|'[^']*'|"[^"]*"|([yMdHhmstf])\1*|[\s\S]/g) ?? [];
  return tokens.map((token) => datePart(date, token)).join('');
}

function datePart(date: Date, token: string): string {
  const part = DATE_PARTS.get(token);
  if (part !== undefined) return part(date);
  if (/^f+$/.test(token)) return pad(date.getUTCMilliseconds(), 3).padEnd(7, '0').slice(0, token.length);
  if (/^y{5,}$/.test(token)) return pad(date.getUTCFullYear(), token.length);
  return unquote(token);
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
