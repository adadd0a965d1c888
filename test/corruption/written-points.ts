// The points of one tag as columns, by the place of each in the life of the tag: what every reader is held against.

import { type PointColumns, payloadOf, type ValueType } from '../../engine/index.ts';
import type { Point } from '../model/points.ts';

/** Finds the place of a point by its time. */
type PlaceOf = (timeMs: number) => number;

export class WrittenPoints {
  readonly name: string;
  readonly type: ValueType;
  readonly count: number;
  readonly #placeOf: PlaceOf;
  readonly #timesMs: Float64Array;
  readonly #ticks: Uint16Array;
  readonly #nulls: Uint8Array;
  readonly #qualities: Int32Array;
  /** Two words a point: the bits of a number or a whole number of 64 bits. */
  readonly #words: Uint32Array;
  readonly #texts: readonly string[] | undefined;

  constructor(name: string, type: ValueType, points: readonly Point[], placeOf: PlaceOf) {
    this.name = name;
    this.type = type;
    this.count = points.length;
    this.#placeOf = placeOf;
    this.#timesMs = Float64Array.from(points, (point) => point.ms);
    this.#ticks = Uint16Array.from(points, (point) => point.ticks);
    this.#nulls = Uint8Array.from(points, (point) => (point.value === null ? 1 : 0));
    this.#qualities = Int32Array.from(points, (point) => point.quality);
    const payload = payloadOf(type);
    this.#texts = payload === 'text' ? points.map((point) => String(point.value)) : undefined;
    const bits =
      payload === 'bigint'
        ? BigInt64Array.from(points, (point) => (point.value ?? 0n) as bigint)
        : Float64Array.from(points, (point) => (payload === 'number' ? (point.value as number) : 0));
    this.#words = new Uint32Array(bits.buffer);
  }

  /**
   * Holds points `start` to `end` of some columns against what was written: each must be one of it, behind the one
   * before, and none before `place`. Returns the place behind the last; throws at the first that differs.
   */
  follow(type: ValueType, points: PointColumns, start: number, end: number, place: number): number {
    if (type !== this.type) throw new Error(`${this.name}: reads type ${type}; want ${this.type}`);
    const { timesMs, ticks, nulls, qualities, numbers, texts } = points;
    const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
    const ownWords = this.#words;
    const ownTexts = this.#texts;
    let next = place;
    for (let i = start; i < end; i++) {
      const at = this.#placeOf(timesMs[i] as number);
      const isSame =
        at >= next &&
        at < this.count &&
        timesMs[i] === this.#timesMs[at] &&
        ticks[i] === this.#ticks[at] &&
        qualities[i] === this.#qualities[at] &&
        nulls[i] === this.#nulls[at] &&
        (nulls[i] !== 0 ||
          (ownTexts === undefined
            ? isNumber(words, i, ownWords, at)
            : texts.at(numbers[i] as number) === ownTexts[at]));
      if (!isSame) throw new Error(`${this.name}: reads a wrong point: ${describe(points, i)}`);
      next = at + 1;
    }
    return next;
  }
}

/** Bit for bit: NaN is NaN, and -0 is not 0. */
function isNumber(words: Uint32Array, i: number, ownWords: Uint32Array, at: number): boolean {
  return words[2 * i] === ownWords[2 * at] && words[2 * i + 1] === ownWords[2 * at + 1];
}

function describe({ timesMs, ticks, nulls, numbers, bigints, texts, qualities }: PointColumns, i: number): string {
  const value = nulls[i] !== 0 ? 'null' : [numbers[i], bigints[i], texts.at(numbers[i] as number)].join(' or ');
  return `${timesMs[i]}+${ticks[i]} ${value} q${qualities[i]}`;
}
