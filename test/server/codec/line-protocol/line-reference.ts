// Line protocol read in the plainest way, with texts and expressions and one line at a time: what the parser is held against.

import { tagNameFault } from '../../../../client/tag-name.ts';
import { formatValueType, ValueType } from '../../../../engine/index.ts';

export interface ReferenceRun {
  type: ValueType;
  readonly points: { readonly ticks: bigint; readonly value: unknown }[];
  stamped: number;
}

export interface ReferenceResult {
  readonly runs: Map<string, ReferenceRun>;
  readonly badNumbers: number[];
}

type Value =
  | { readonly kind: 'float' | 'integer' | 'unsigned'; readonly literal: string }
  | { readonly kind: 'truth'; readonly truth: boolean }
  | { readonly kind: 'text'; readonly text: string };

interface Line {
  readonly fields: readonly (readonly [name: string, value: Value])[];
  /** Undefined for the time of receipt. */
  readonly ticks: bigint | undefined;
}

const KEY_CHARACTER = String.raw`\\[,= ]|\\(?![,= ])`;
const STRING = String.raw`"(?:\\[\s\S]|[^"\\])*"(?=[, \n\r]|$)`;
const LINE = new RegExp(
  String.raw`(?:${KEY_CHARACTER}|[^ \n\\])*(?: (?:${KEY_CHARACTER}|=${STRING}|(?!=${STRING})[^\n\\])*)?`,
  'y',
);
const SERIES = new RegExp(String.raw`((?:${KEY_CHARACTER}|[^ \n\\])*) +`, 'y');
const FIELD = new RegExp(String.raw`((?:${KEY_CHARACTER}|[^,= \n\\])+)=(?:(${STRING})|([^", \n\r][^, \n\r]*))`, 'y');
const END = /^ *(?:(-?[0-9]{1,19}) *)?\r?$/;

const TICKS: Readonly<Record<string, (time: bigint) => bigint>> = {
  ns: (time) => floorDivide(time, 100n),
  us: (time) => time * 10n,
  ms: (time) => time * 10_000n,
  s: (time) => time * 10_000_000n,
  m: (time) => time * 600_000_000n,
  h: (time) => time * 36_000_000_000n,
};
const LEAST_TICKS = -62_135_596_800_000n * 10_000n;
const MOST_TICKS = 253_402_300_799_999n * 10_000n + 9_999n;

function floorDivide(a: bigint, b: bigint): bigint {
  return a / b - (a % b < 0n ? 1n : 0n);
}

export function readReference(body: string, precision: string, arrivalMs: number): ReferenceResult {
  const runs = new Map<string, ReferenceRun>();
  const badNumbers: number[] = [];
  let number = 0;
  for (let at = 0; at < body.length; ) {
    at += /^[ \t\r]*/.exec(body.slice(at))?.[0].length ?? 0;
    if (at >= body.length) break;
    number++;
    const isComment = body[at] === '#';
    LINE.lastIndex = at;
    const text = isComment ? body.slice(at).split('\n', 1)[0] : LINE.exec(body)?.[0];
    at += (text ?? '').length + 1;
    if (isComment || text === '' || text === undefined) continue;
    const line = readLine(text, precision);
    if (line === undefined || !addLine(runs, line, BigInt(arrivalMs) * 10_000n)) badNumbers.push(number);
  }
  return { runs, badNumbers };
}

function readLine(text: string, precision: string): Line | undefined {
  SERIES.lastIndex = 0;
  const series = SERIES.exec(text);
  const prefix = series === null ? undefined : namePrefix(series[1] as string);
  if (prefix === undefined) return undefined;
  const fields: [string, Value][] = [];
  FIELD.lastIndex = SERIES.lastIndex;
  let rest = '';
  for (;;) {
    const field = FIELD.exec(text);
    if (field === null) return undefined;
    const value = field[2] === undefined ? readWord(field[3] as string) : textValue(field[2]);
    if (value === undefined) return undefined;
    fields.push([`${prefix}.${withBackslashes(unescapeKey(field[1] as string), /[.]/)}`, value]);
    rest = text.slice(FIELD.lastIndex);
    if (!rest.startsWith(',')) break;
    FIELD.lastIndex++;
  }
  const end = END.exec(rest);
  if (end === null) return undefined;
  if (end[1] === undefined) return { fields, ticks: undefined };
  const ticks = TICKS[precision]?.(BigInt(end[1])) ?? 0n;
  return ticks < LEAST_TICKS || ticks > MOST_TICKS ? undefined : { fields, ticks };
}

function namePrefix(key: string): string | undefined {
  const [measurement = '', ...parts] = key.split(/(?<!\\),/);
  const tags = new Map<string, string>();
  for (const part of parts) {
    const sides = part.split(/(?<!\\)=/).map(unescapeKey);
    const [name = '', value = ''] = sides;
    if (sides.length !== 2 || name === '' || value === '' || tags.has(name)) return undefined;
    tags.set(name, value);
  }
  if (measurement === '') return undefined;
  const sorted = [...tags]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${withBackslashes(name, /[.,=]/)}=${withBackslashes(value, /[,=]/)}`);
  return [withBackslashes(unescapeKey(measurement), /=/), ...(sorted.length > 0 ? [sorted.join(',')] : [])].join('.');
}

/** A backslash in front of each sign, and two for each in front of a sign or at the end. */
function withBackslashes(text: string, sign: RegExp): string {
  return text.replace(new RegExp(String.raw`(\\*)(${sign.source}|$)`, 'g'), (_, backslashes: string, found: string) =>
    found === '' ? backslashes.repeat(2) : `${backslashes.repeat(2)}\\${found}`,
  );
}

function unescapeKey(text: string): string {
  return text.replace(/\\([,= ])/g, '$1');
}

function textValue(quoted: string): Value {
  return { kind: 'text', text: quoted.slice(1, -1).replace(/\\(["\\])/g, '$1') };
}

function readWord(word: string): Value | undefined {
  if (/^(?:t|T|true|True|TRUE)$/.test(word)) return { kind: 'truth', truth: true };
  if (/^(?:f|F|false|False|FALSE)$/.test(word)) return { kind: 'truth', truth: false };
  const literal = word.slice(0, -1);
  if (/^-?[0-9]+i$/.test(word))
    return BigInt.asIntN(64, BigInt(literal)) === BigInt(literal) ? { kind: 'integer', literal } : undefined;
  if (/^[0-9]+u$/.test(word))
    return BigInt.asUintN(64, BigInt(literal)) === BigInt(literal) ? { kind: 'unsigned', literal } : undefined;
  const isFloat = /^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(word);
  return isFloat && Number.isFinite(Number(word)) ? { kind: 'float', literal: word } : undefined;
}

/** False when the line is bad; then nothing of it is there. */
function addLine(runs: Map<string, ReferenceRun>, { fields, ticks }: Line, arrival: bigint): boolean {
  const types = new Map<string, ValueType>();
  const added: [string, unknown][] = [];
  for (const [name, value] of fields) {
    const type = types.get(name) ?? runs.get(name)?.type ?? firstType(value);
    const fitted = tagNameFault(name) === undefined ? fit(value, type) : undefined;
    if (fitted === undefined) return false;
    types.set(name, type);
    added.push([name, fitted]);
  }
  // The last of several fields of one name counts.
  for (const [name, value] of new Map(added)) {
    const run = runs.get(name) ?? { type: types.get(name) as ValueType, points: [], stamped: 0 };
    run.points.push({ ticks: ticks ?? arrival, value });
    if (ticks === undefined) run.stamped++;
    runs.set(name, run);
  }
  return true;
}

function firstType({ kind }: Value): ValueType {
  const types = { float: 'Double', integer: 'Int64', unsigned: 'UInt64', truth: 'Boolean', text: 'String' } as const;
  return ValueType[types[kind]];
}

function fit(value: Value, type: ValueType): unknown {
  switch (formatValueType(type)) {
    case 'System.String':
      return value.kind === 'text' ? value.text : undefined;
    case 'System.Boolean':
      if (value.kind === 'truth') return value.truth;
      return 'literal' in value && [0, 1].includes(Number(value.literal)) ? Number(value.literal) === 1 : undefined;
    case 'System.Double':
      if (value.kind === 'integer' || value.kind === 'unsigned') return Number(BigInt(value.literal));
      return value.kind === 'float' ? Number(value.literal) : undefined;
    default:
      return fitWhole(value, type);
  }
}

function fitWhole(value: Value, type: ValueType): bigint | undefined {
  let whole: bigint | undefined;
  if (value.kind === 'text') whole = /^-?(?:0|[1-9][0-9]*)$/.test(value.text) ? BigInt(value.text) : undefined;
  else if ('literal' in value) whole = wholeOf(value.literal);
  if (whole === undefined) return undefined;
  const wrapped = type === ValueType.Int64 ? BigInt.asIntN(64, whole) : BigInt.asUintN(64, whole);
  return wrapped === whole ? whole : undefined;
}

/** The whole number that a number in digits is, if it is one. */
function wholeOf(literal: string): bigint | undefined {
  const [, sign = '', front = '', fraction = '', exponent = '0'] =
    /^(-?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(literal) ?? [];
  const digits = BigInt(`${front}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  const scale = Number(exponent) - fraction.length;
  if (digits === 0n) return 0n;
  if (Math.abs(scale) > 400) return undefined;
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return digits % divisor === 0n ? digits / divisor : undefined;
}
