// Fits values of lines to the types of their tags, by the rules of every write, and keeps them as payloads.

import { payloadOf, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import { recentUtf8 } from '../body/recent-texts.ts';
import { formatDecimal } from '../scalars/decimal-literal.ts';
import { isMiddle, nearestSingle } from '../scalars/single-rounding.ts';
import { isExactType, type TruthTags, ValueFit } from '../scalars/value-fit.ts';
import { jsonLiteral, LineKind, type LineValue } from './line-value.ts';
import type { StagedChunk } from './staged-points.ts';

/** What a first value makes of a tag that is new. */
const FIRST_TYPES: Readonly<Record<LineKind, ValueType>> = {
  [LineKind.Float]: ValueType.Double,
  [LineKind.Integer]: ValueType.Int64,
  [LineKind.Unsigned]: ValueType.UInt64,
  [LineKind.True]: ValueType.Boolean,
  [LineKind.False]: ValueType.Boolean,
  [LineKind.Text]: ValueType.String,
};

export class ValueStore {
  readonly #fit = new ValueFit();
  readonly #texts = recentUtf8();
  #bytes: Buffer = Buffer.alloc(0);
  #truths: TruthTags = 'boolean';
  #maxTextBytes = 0;

  begin(bytes: Buffer, truths: TruthTags, maxTextBytes: number): void {
    this.#bytes = bytes;
    this.#truths = truths;
    this.#maxTextBytes = maxTextBytes;
  }

  typeOfFirst(value: LineValue): ValueType {
    return FIRST_TYPES[value.kind];
  }

  /** Keeps a value of this type at `index`; returns a fault, or undefined. */
  keep(value: LineValue, type: ValueType, chunk: StagedChunk, index: number): string | undefined {
    if (value.kind === LineKind.Float && type === ValueType.Double) {
      chunk.numbers[index] = value.number;
      return undefined;
    }
    const fault = this.#fitValue(value, type);
    if (fault !== undefined) return fault;
    const payload = payloadOf(type);
    if (payload === 'number') chunk.numbers[index] = this.#fit.number;
    else this.#keepWords(value, payload, chunk, index);
    return undefined;
  }

  #keepWords(value: LineValue, payload: 'bigint' | 'text', chunk: StagedChunk, index: number): void {
    const { low, high } = this.#fit;
    chunk.words[2 * index] = payload === 'text' ? value.start : low;
    chunk.words[2 * index + 1] = payload === 'text' ? value.end : high;
  }

  #fitValue(value: LineValue, type: ValueType): string | undefined {
    switch (value.kind) {
      case LineKind.True:
        return this.#fitTruth(type, 1);
      case LineKind.False:
        return this.#fitTruth(type, 0);
      case LineKind.Text:
        return this.#fitText(value, type);
      default:
        return this.#fitNumber(value, type);
    }
  }

  #fitTruth(type: ValueType, value: 0 | 1): string | undefined {
    return this.#truths === 'boolean' ? this.#fit.fitBoolean(type, value) : this.#fit.fitTruth(type, value);
  }

  /** A text for a tag of texts that is short enough however it is escaped need not be decoded yet. */
  #fitText({ start, end }: LineValue, type: ValueType): string | undefined {
    if (type === ValueType.String && end - start <= this.#maxTextBytes) return undefined;
    return this.#fit.fitText(type, this.#textAt(start, end), this.#maxTextBytes);
  }

  #fitNumber(value: LineValue, type: ValueType): string | undefined {
    if (type === ValueType.Single && isMiddle(value.number))
      return this.#fit.fitNumber(type, nearestSingle(value.number, this.#literalAt(value.start, value.end)));
    if (!isExactType(type)) return this.#fit.fitNumber(type, value.number);
    const isWhole = value.kind !== LineKind.Float;
    if (isWhole && value.isExact && type !== ValueType.Decimal) return this.#fit.fitSafeNumber(type, value.number);
    return this.#fit.fitLiteral(type, this.#literalAt(value.start, value.end));
  }

  #textAt(start: number, end: number): string {
    const text = this.#texts.at(this.#bytes, start, end);
    return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
  }

  #literalAt(start: number, end: number): string {
    return jsonLiteral(this.#bytes.toString('latin1', start, end));
  }

  /** Writes what was kept as the payload of the point that the builder is at. */
  restore(type: ValueType, { numbers, words }: StagedChunk, index: number, builder: BatchBuilder): void {
    const { count } = builder.points;
    const payload = payloadOf(type);
    if (payload === 'number') {
      builder.points.numbers[count] = numbers[index] as number;
      return;
    }
    const low = words[2 * index] as number;
    const high = words[2 * index + 1] as number;
    if (payload === 'text') {
      builder.points.numbers[count] = builder.points.texts.add(this.#restoreText(type, low, high));
      return;
    }
    builder.words[2 * count] = low;
    builder.words[2 * count + 1] = high;
  }

  #restoreText(type: ValueType, start: number, end: number): string {
    return type === ValueType.String
      ? this.#textAt(start, end)
      : (formatDecimal(this.#literalAt(start, end)) as string);
  }
}
