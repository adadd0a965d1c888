// A slow twin of the parser of JSON bodies: everything by JSON.parse, BigInt and regular expressions, nothing shared with it.

import { type TagLookup, ValueType } from '../../../engine/index.ts';
import type { WriteBodyShape } from '../../../server/codec/body/body-parser.ts';

export interface ReferencePoint {
  readonly ticks: bigint;
  readonly value: unknown;
  readonly quality: number;
}

export interface ReferenceRun {
  readonly type: ValueType;
  readonly points: readonly ReferencePoint[];
  readonly rejected: number;
  readonly stamped: number;
}

export interface ReferenceBody {
  readonly runs: ReadonlyMap<string, ReferenceRun>;
  readonly faultPaths: readonly string[];
  readonly rejected: number;
}

export interface ReferenceOptions {
  readonly shape: WriteBodyShape;
  readonly lookup: TagLookup;
  readonly arrivalMs: number;
  readonly maxTextBytes: number;
  /** Whether numeric tags take true and false, as 1 and 0. */
  readonly truths?: 'boolean' | 'boolean and numeric';
}

/** A number by what was written. */
class Literal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * JSON as Maps, arrays, texts, Literals, booleans and null. Every text gets an `s` in front and every number becomes a
 * text with an `n`, so that JSON.parse keeps digits, and keys stay in order and apart from object members.
 */
function parseLosslessly(text: string): unknown {
  JSON.parse(text); // for its judgement
  const marked = text.replace(/"((?:[^"\\]|\\.)*)"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/gs, (token, inner) =>
    inner === undefined ? `"n${token}"` : `"s${inner}"`,
  );
  return unmark(JSON.parse(marked));
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('n') ? new Literal(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map(unmark);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([key, member]) => [key.slice(1), unmark(member)]));
}

const TICKS_PER_DAY = 864_000_000_000n;

/** Ticks of 100 ns since 1970, or undefined. */
export function referenceTime(text: string): bigint | undefined {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (Number(year) === 0 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const digits = zone.replace(':', '').padEnd(5, '0');
  const offset = /^z/i.test(zone) ? 0 : Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  if (offset !== 0 && (Number(digits.slice(1, 3)) > 23 || Number(digits.slice(3, 5)) > 59)) return undefined;
  const minutes = BigInt(Number(hour) * 60 + Number(minute) - (zone.startsWith('-') ? -offset : offset));
  const minuteTicks = BigInt(date.getTime()) * 10_000n + minutes * 600_000_000n;
  const nextTicks = minuteTicks + 600_000_000n;
  if (second === '60' && nextTicks % TICKS_PER_DAY !== 0n) return undefined; // leap seconds end a day of UTC
  const secondTicks = BigInt(second) * 10_000_000n + BigInt(fraction.slice(0, 7).padEnd(7, '0'));
  const ticks = second === '60' ? nextTicks : minuteTicks + secondTicks;
  return ticks >= YEAR_1_TICKS && ticks < YEAR_10000_TICKS ? ticks : undefined;
}

const YEAR_1_TICKS = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 10_000n;
const YEAR_10000_TICKS = BigInt(Date.parse('9999-12-31T00:00:00Z')) * 10_000n + TICKS_PER_DAY;

type Fit = { readonly value: unknown } | undefined;

const INTEGER_BITS = new Map<ValueType, readonly [bigint, bigint]>([
  [ValueType.SByte, [-(2n ** 7n), 2n ** 7n - 1n]],
  [ValueType.Byte, [0n, 2n ** 8n - 1n]],
  [ValueType.Int16, [-(2n ** 15n), 2n ** 15n - 1n]],
  [ValueType.UInt16, [0n, 2n ** 16n - 1n]],
  [ValueType.Int32, [-(2n ** 31n), 2n ** 31n - 1n]],
  [ValueType.UInt32, [0n, 2n ** 32n - 1n]],
  [ValueType.Int64, [-(2n ** 63n), 2n ** 63n - 1n]],
  [ValueType.UInt64, [0n, 2n ** 64n - 1n]],
]);

function fitExact(type: ValueType, literal: string): Fit {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  let scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > 2000)
    return BigInt(whole + fraction) === 0n && scale < 0 ? { value: type === ValueType.Decimal ? '0' : 0n } : undefined;
  let digits = BigInt(whole + fraction);
  if (scale < 0) {
    digits *= 10n ** BigInt(-scale);
    scale = 0;
  }
  const sign = mantissa.startsWith('-') && digits !== 0n ? '-' : '';
  if (type === ValueType.Decimal) {
    if (scale > 28 || String(digits).length > 28) return undefined;
    const text = String(digits).padStart(scale + 1, '0');
    return {
      value: sign + (scale === 0 ? text : `${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`),
    };
  }
  const unit = 10n ** BigInt(scale);
  if (digits % unit !== 0n) return undefined;
  const value = BigInt(`${sign}${digits / unit}`);
  const [low, high] = INTEGER_BITS.get(type) as readonly [bigint, bigint];
  return value >= low && value <= high ? { value } : undefined;
}

function fitNumber(type: ValueType, literal: string): Fit {
  const number = Number(literal);
  switch (type) {
    case ValueType.Double:
      return Number.isFinite(number) ? { value: number } : undefined;
    case ValueType.Single:
      return fitSingle(literal);
    case ValueType.Boolean:
      return number === 0 || number === 1 ? { value: number === 1 } : undefined;
    case ValueType.Int64:
    case ValueType.UInt64:
    case ValueType.Decimal:
      return fitExact(type, literal);
    case ValueType.String:
    case ValueType.DateTime:
      return undefined;
    default: {
      const bounds = INTEGER_BITS.get(type);
      if (bounds === undefined || !Number.isInteger(number)) return undefined;
      return number >= Number(bounds[0]) && number <= Number(bounds[1]) ? { value: number + 0 } : undefined;
    }
  }
}

/** The nearest of the singles around the number, by whole numbers alone. */
function fitSingle(literal: string): Fit {
  const number = Number(literal);
  const isNegative = literal.startsWith('-');
  if (number === 0) return { value: isNegative ? -0 : 0 };
  const [mantissa = '', exponent = '0'] = literal.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  if (scale < -40) return undefined;
  // In units of 10^-scale * 2^-150, in which all singles and the middles between them are whole.
  const unit = 10n ** BigInt(Math.max(scale, 0));
  const wanted = BigInt(whole + fraction) * 10n ** BigInt(Math.max(-scale, 0)) * 2n ** 150n;
  const near = new Float32Array([Math.abs(number)]);
  const bits = new Uint32Array(near.buffer);
  const center = Math.min(bits[0] as number, 0x7f7f_ffff);
  let best = { distance: -1n, value: 0, bits: 0 };
  for (let candidate = Math.max(0, center - 2); candidate <= center + 2; candidate++) {
    bits[0] = candidate;
    // What would be the next single overflows.
    const value = candidate === 0x7f80_0000 ? 2 ** 128 : (near[0] as number);
    if (candidate > 0x7f80_0000) continue;
    const distance = wanted - BigInt(value * 2 ** 150) * unit;
    const magnitude = distance < 0n ? -distance : distance;
    const isBetter = best.distance < 0n || magnitude < best.distance;
    if (isBetter || (magnitude === best.distance && candidate % 2 === 0)) {
      best = { distance: magnitude, value, bits: candidate };
    }
  }
  if (best.value === 2 ** 128) return undefined;
  return { value: isNegative ? -best.value : best.value };
}

function fitText(type: ValueType, text: string, maxTextBytes: number): Fit {
  if (type === ValueType.String) {
    const isWellFormed = encodeURIComponentWorks(text);
    return isWellFormed && new TextEncoder().encode(text).length <= maxTextBytes ? { value: text } : undefined;
  }
  if (type === ValueType.DateTime) {
    const ticks = referenceTime(text);
    return ticks === undefined ? undefined : { value: ticks - YEAR_1_TICKS };
  }
  if (type === ValueType.Decimal) return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? fitExact(type, text) : undefined;
  const isWide = type === ValueType.Int64 || type === ValueType.UInt64;
  return isWide && /^-?(0|[1-9]\d*)$/.test(text) ? fitExact(type, text) : undefined;
}

function encodeURIComponentWorks(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function fit(type: ValueType, value: unknown, { maxTextBytes, truths }: ReferenceOptions): Fit {
  const isNumeric = ![ValueType.Boolean, ValueType.String, ValueType.DateTime, ValueType.Open].some((t) => t === type);
  if (typeof value === 'boolean' && isNumeric && truths === 'boolean and numeric')
    return fitNumber(type, value ? '1' : '0');
  if (value instanceof Literal) return fitNumber(type, value.text);
  if (typeof value === 'string') return fitText(type, value, maxTextBytes);
  return typeof value === 'boolean' && type === ValueType.Boolean ? { value } : undefined;
}

function firstType(value: unknown): ValueType {
  if (value instanceof Literal) return ValueType.Double;
  if (typeof value === 'boolean') return ValueType.Boolean;
  return typeof value === 'string' ? ValueType.String : ValueType.Open;
}

function pointerStep(name: string): string {
  return `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function qualityOf(value: unknown): number | undefined {
  if (value === null) return 192;
  const number = value instanceof Literal ? Number(value.text) : Number.NaN;
  return (number | 0) === number + 0 ? number | 0 : undefined;
}

/** Text, or ticks since 1970. */
function ticksOf(time: unknown): bigint | undefined {
  if (typeof time === 'bigint') return time >= YEAR_1_TICKS && time < YEAR_10000_TICKS ? time : undefined;
  return referenceTime(typeof time === 'string' ? time : '');
}

/** The ticks of a number of ms, whose fraction counts as far as a double has it; 'no time' beyond all bounds. */
function timeOfMs(text: string): bigint | string {
  const ms = Number(text);
  if (!(Math.abs(ms) < 1e15)) return 'no time';
  return BigInt(Math.floor(ms)) * 10_000n + BigInt(Math.floor((ms - Math.floor(ms)) * 10_000));
}

class RunReader {
  readonly points: ReferencePoint[] = [];
  readonly faultPaths: string[] = [];
  rejected = 0;
  stamped = 0;
  type: ValueType;
  private readonly options: ReferenceOptions;

  constructor(type: ValueType, options: ReferenceOptions) {
    this.type = type;
    this.options = options;
  }

  read(value: unknown, pointer: string): void {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) this.element(element, `${pointer}/${index}`);
    } else if (value instanceof Map) {
      this.readColumns(value, pointer);
    } else {
      this.faultPaths.push(pointer);
      this.rejected++;
    }
  }

  private readColumns(columns: ReadonlyMap<string, unknown>, pointer: string): void {
    const times = columns.get('t');
    const values = columns.get('v');
    const qualities = columns.get('q') ?? null;
    const faults = [...columns.keys()].filter((key) => !['t', 'v', 'q'].includes(key)).map(pointerStep);
    const pointCount = Array.isArray(times) ? times.length : undefined;
    const isMisfit = (column: unknown): boolean =>
      !Array.isArray(column) || (pointCount !== undefined && column.length !== pointCount);
    if (pointCount === undefined) faults.push('/t');
    if (isMisfit(values)) faults.push('/v');
    if (Array.isArray(qualities) ? isMisfit(qualities) : qualityOf(qualities) === undefined) faults.push('/q');
    if (faults.length > 0) {
      this.faultPaths.push(...faults.map((path) => pointer + path));
      this.rejected += Math.max(1, pointCount ?? 0, Array.isArray(values) ? values.length : 0);
      return;
    }
    for (const [i, time] of (times as unknown[]).entries()) {
      const quality = Array.isArray(qualities) ? qualities[i] : qualities;
      const members = new Map([
        ['t', time],
        ['v', (values as unknown[])[i]],
        ['q', quality],
      ]);
      this.point(members, (key) => `${pointer}/${key}/${i}`);
    }
  }

  private element(value: unknown, pointer: string): void {
    if (value instanceof Map) {
      this.point(value, (key) => pointer + pointerStep(key));
      return;
    }
    this.faultPaths.push(pointer);
    this.rejected++;
  }

  private point(value: ReadonlyMap<string, unknown>, pointerOf: (key: string) => string): void {
    const faults: string[] = [];
    const given = value.get('t') ?? null;
    const time = given instanceof Literal ? timeOfMs(given.text) : given;
    const ticks = time === null ? BigInt(this.options.arrivalMs) * 10_000n : ticksOf(time);
    if (ticks === undefined) faults.push(pointerOf('t'));
    const quality = qualityOf(value.get('q') ?? null);
    if (quality === undefined) faults.push(pointerOf('q'));
    for (const key of value.keys()) if (!['t', 'v', 'q'].includes(key)) faults.push(pointerOf(key));
    const givenValue = value.get('v') ?? null;
    const type = this.type === ValueType.Open ? firstType(givenValue) : this.type;
    const fitted = givenValue === null ? { value: null } : fit(type, givenValue, this.options);
    if (fitted === undefined) faults.push(pointerOf('v'));
    this.faultPaths.push(...faults);
    if (faults.length > 0 || ticks === undefined || fitted === undefined || quality === undefined) {
      this.rejected++;
      return;
    }
    if (givenValue !== null) this.type = type;
    if (time === null) this.stamped++;
    this.points.push({ ticks, value: fitted.value, quality });
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function isBadName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.startsWith('$System.')) return true;
  if ([...name].some((character) => isControl(character.charCodeAt(0)))) return true;
  return !encodeURIComponentWorks(name) || new TextEncoder().encode(name).length > 1024;
}

function pointsLost(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (!(value instanceof Map)) return 1;
  const times = value.get('t');
  return value.size === 0 ? 0 : Math.max(1, Array.isArray(times) ? times.length : 0);
}

/** Reads a body leniently; 'unreadable' for what is not JSON in UTF-8, 'shape' for what is no body at all. */
export function referenceParse(bytes: Uint8Array, options: ReferenceOptions): ReferenceBody | 'unreadable' | 'shape' {
  let root: unknown;
  try {
    root = parseLosslessly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'unreadable';
  }
  const runs = new Map<string, ReferenceRun>();
  const faultPaths: string[] = [];
  let rejected = 0;
  const readRun = (name: string, value: unknown, pointer: string): void => {
    const reader = new RunReader(options.lookup.find(name)?.type ?? ValueType.Open, options);
    reader.read(value, pointer);
    faultPaths.push(...reader.faultPaths);
    rejected += reader.rejected;
    if (reader.points.length + reader.rejected > 0) runs.set(name, reader);
  };
  if (options.shape.kind === 'points') {
    if (root instanceof Map && root.size === 0) return { runs, faultPaths, rejected };
    const isColumns = root instanceof Map && Array.isArray(root.get('t')) && Array.isArray(root.get('v'));
    if (!Array.isArray(root) && !isColumns) return 'shape';
    readRun(options.shape.tag, root, '');
    return { runs, faultPaths, rejected };
  }
  if (Array.isArray(root) && root.length === 0) return { runs, faultPaths, rejected };
  if (!(root instanceof Map)) return 'shape';
  for (const [name, value] of root as Map<string, unknown>) {
    if (isBadName(name)) {
      faultPaths.push(pointerStep(name));
      rejected += pointsLost(value);
    } else {
      readRun(name, value, pointerStep(name));
    }
  }
  return { runs, faultPaths, rejected };
}
