// Makes a point out of the three members t, v and q of a TVQ object, wherever the object came from.

import { GOOD_QUALITY, payloadOf, SERVER_TIME, ValueType } from '../../../engine/index.ts';
import { shortened } from '../../problem.ts';
import { isMiddle, nearestSingle } from '../scalars/single-rounding.ts';
import { TIME_FORM, TimeReader } from '../scalars/timestamp.ts';
import { Token, TokenKind, type TokenSource } from '../scalars/token.ts';
import { isExactType, kindFault, type TruthTags, typeOfFirst, ValueFit, type ValueKind } from '../scalars/value-fit.ts';
import type { BatchBuilder } from './batch-builder.ts';

const KIND_NAMES: Readonly<Record<TokenKind, ValueKind>> = {
  [TokenKind.Absent]: 'an object',
  [TokenKind.Null]: 'an object',
  [TokenKind.False]: 'false',
  [TokenKind.True]: 'true',
  [TokenKind.Number]: 'a number',
  [TokenKind.Text]: 'text',
  [TokenKind.Array]: 'an array',
  [TokenKind.Object]: 'an object',
  [TokenKind.Instant]: 'a time stamp',
  [TokenKind.Bytes]: 'bytes',
};

/** What a value is called in messages. */
export function kindName(kind: TokenKind): string {
  return kind === TokenKind.Null ? 'null' : KIND_NAMES[kind];
}

/** Characters of an unknown key, which may have megabytes, that are kept for the message that refuses it. */
export const SHOWN_KEY_CHARS = 200;

const MIN_INT32 = -2_147_483_648;
const MAX_INT32 = 2_147_483_647;

/** The names of members of points: `T` is `t` as well, or not. */
export type MemberNames = 'exact' | 'any-case';

/** By what the points of a body go. */
export interface PointRules {
  /** When points without a time have arrived: all of them, or one after the other in their order. */
  readonly arrivalMs: number | readonly number[];
  readonly maxTextBytes: number;
  /** Which tags take true and false; Boolean ones when absent. */
  readonly truths?: TruthTags;
  /** Exact when absent. */
  readonly memberNames?: MemberNames;
}

/** What is wrong with a token as a quality; undefined when it is one, or stands for the good one. */
export function qualityFault({ kind, number }: Token): string | undefined {
  if (kind === TokenKind.Absent || kind === TokenKind.Null) return undefined;
  const isNumber = kind === TokenKind.Number;
  if (isNumber && Number.isInteger(number) && number >= MIN_INT32 && number <= MAX_INT32) return undefined;
  return `got ${isNumber ? 'another number' : kindName(kind)}; want a whole number of 32 bits`;
}

function gotTime(kind: TokenKind): string {
  if (kind === TokenKind.Number) return 'a number outside these years';
  return kind === TokenKind.Text ? 'another text' : kindName(kind);
}

export class PointAssembler {
  readonly time = new Token();
  readonly value = new Token();
  readonly quality = new Token();
  readonly times = new TimeReader();
  readonly #builder: BatchBuilder;
  readonly #source: TokenSource;
  readonly #fit = new ValueFit();
  /** Takes the values of unknown members. */
  readonly #spare = new Token();
  #unknownKeys: Set<string> | undefined;
  #arrivalMs: number | readonly number[] = 0;
  /** Points without a time so far. */
  #arrived = 0;
  #maxTextBytes = 0;
  #truths: TruthTags = 'boolean';
  #memberNames: MemberNames = 'exact';

  constructor(builder: BatchBuilder, source: TokenSource) {
    this.#builder = builder;
    this.#source = source;
  }

  beginBody({ arrivalMs, maxTextBytes, truths = 'boolean', memberNames = 'exact' }: PointRules): void {
    this.#arrivalMs = arrivalMs;
    this.#maxTextBytes = maxTextBytes;
    this.#truths = truths;
    this.#memberNames = memberNames;
  }

  /** What a key stands for: a member of a point, or itself. */
  nameOf(key: string): string {
    return this.#memberNames === 'any-case' && key.length === 1 ? key.toLowerCase() : key;
  }

  /** Begins to read the body, or to read it once more. */
  beginPass(): void {
    this.#arrived = 0;
  }

  /** Begins a TVQ object, or the point of an entry of columns. */
  begin(index: number): void {
    this.time.kind = TokenKind.Absent;
    this.value.kind = TokenKind.Absent;
    this.quality.kind = TokenKind.Absent;
    this.#unknownKeys = undefined;
    this.#builder.beginPoint(index);
  }

  /** The token that the value of a member goes to. A repeated key overwrites: the last one wins. */
  member(key: string): Token {
    switch (this.nameOf(key)) {
      case 't':
        return this.time;
      case 'v':
        return this.value;
      case 'q':
        return this.quality;
      default:
        this.#unknownKeys ??= new Set();
        this.#unknownKeys.add(shortened(key, SHOWN_KEY_CHARS));
        return this.#spare;
    }
  }

  /** Ends the object: judges its members and keeps the point, or its faults. */
  end(): void {
    const builder = this.#builder;
    const { points } = builder;
    const entry = points.count;
    const isStamped = this.time.kind === TokenKind.Absent || this.time.kind === TokenKind.Null;
    this.#readTime();
    points.timesMs[entry] = this.times.ms;
    points.ticks[entry] = this.times.ticks;
    points.qualities[entry] = this.#readQuality();
    if (this.#unknownKeys !== undefined) this.#faultUnknownKeys(this.#unknownKeys);
    this.#readValue(entry);
    if (isStamped && !builder.pointIsFaulty) builder.stamped++;
    builder.endPoint();
  }

  /** A value that is not an object, where a point should be. */
  refuse(index: number, kind: TokenKind): void {
    const builder = this.#builder;
    builder.beginPoint(index);
    builder.pointFault(undefined, `got ${kindName(kind)}; want an object with t, v and q`);
    builder.endPoint();
  }

  #readTime(): void {
    const { time, times } = this;
    if (time.kind === TokenKind.Absent || time.kind === TokenKind.Null) {
      const arrivalMs = this.#arrivalMs;
      times.ms = typeof arrivalMs === 'number' ? arrivalMs : (arrivalMs[this.#arrived++] as number);
      times.ticks = SERVER_TIME;
      return;
    }
    if (this.#source.time(time, times)) return;
    if (time.kind === TokenKind.Number && times.readMs(time.number)) return;
    this.#builder.pointFault('t', `got ${gotTime(time.kind)}; want ms since 1970, or ${TIME_FORM}`);
  }

  #readQuality(): number {
    const { quality } = this;
    if (quality.kind === TokenKind.Absent || quality.kind === TokenKind.Null) return GOOD_QUALITY;
    const fault = qualityFault(quality);
    if (fault === undefined) return quality.number;
    this.#builder.pointFault('q', fault);
    return GOOD_QUALITY;
  }

  #faultUnknownKeys(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#builder.pointFault(key, 'unknown key; a point has t, v and q');
  }

  /** Fits the value and writes its payload; a first value decides the run's type if its point is faultless. */
  #readValue(entry: number): void {
    const builder = this.#builder;
    const { value } = this;
    const { points } = builder;
    if (value.kind === TokenKind.Absent || value.kind === TokenKind.Null) {
      points.nulls[entry] = 1;
      points.numbers[entry] = 0;
      return;
    }
    const type = builder.type === ValueType.Open ? typeOfFirst(KIND_NAMES[value.kind]) : builder.type;
    const fault = this.#fitValue(type);
    if (fault !== undefined) builder.pointFault('v', fault);
    if (builder.pointIsFaulty) return;
    builder.type = type;
    points.nulls[entry] = 0;
    this.#storePayload(type, entry);
  }

  #fitValue(type: ValueType): string | undefined {
    const fit = this.#fit;
    const { value } = this;
    switch (value.kind) {
      case TokenKind.Number:
        return this.#fitNumber(type);
      case TokenKind.Text:
        return fit.fitText(type, this.#source.text(value), this.#maxTextBytes);
      case TokenKind.True:
        return this.#fitTruth(type, 1);
      case TokenKind.False:
        return this.#fitTruth(type, 0);
      case TokenKind.Instant:
        return this.#fitInstant(type);
      default:
        return kindFault(type, KIND_NAMES[value.kind]);
    }
  }

  #fitTruth(type: ValueType, value: 0 | 1): string | undefined {
    return this.#truths === 'boolean' ? this.#fit.fitBoolean(type, value) : this.#fit.fitTruth(type, value);
  }

  #fitNumber(type: ValueType): string | undefined {
    const fit = this.#fit;
    const { value } = this;
    if (type === ValueType.Single && !value.isExact && isMiddle(value.number))
      return fit.fitNumber(type, nearestSingle(value.number, this.#source.literal(value)));
    if (!isExactType(type)) return fit.fitNumber(type, value.number);
    if (!Number.isFinite(value.number)) return 'out of range, or not a number';
    if (value.isExact && type !== ValueType.Decimal) return fit.fitSafeNumber(type, value.number);
    return fit.fitLiteral(type, this.#source.literal(value));
  }

  #fitInstant(type: ValueType): string | undefined {
    if (type !== ValueType.DateTime || !this.#source.time(this.value, this.times))
      return kindFault(type, 'a time stamp');
    this.#fit.fitInstant(this.times.ms, this.times.ticks);
    return undefined;
  }

  #storePayload(type: ValueType, entry: number): void {
    const builder = this.#builder;
    const fit = this.#fit;
    const payload = payloadOf(type);
    if (payload === 'number') {
      builder.points.numbers[entry] = fit.number;
    } else if (payload === 'text') {
      builder.points.numbers[entry] = builder.points.texts.add(fit.text);
    } else {
      builder.words[entry * 2] = fit.low;
      builder.words[entry * 2 + 1] = fit.high;
    }
  }
}
