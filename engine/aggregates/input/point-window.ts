// Points as calculators take them: times from the start of the range, values as numbers, and what their qualities say.

import { numberAt } from '../../format/block/block-statistics.ts';
import type { PointChunk } from '../../reads.ts';
import { type Instant, type PointColumns, TICKS_PER_MS, ValueType } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import { Status, statusOf } from './aggregate-rules.ts';

/** From `start` to a time, in ms. Equal times have equal offsets, and times in order offsets in order. */
export function offsetMs(start: Instant, ms: number, ticks: number): number {
  return ms - start.ms + (ticks - start.ticks) / TICKS_PER_MS;
}

/** Numbers for texts; the same for the same. */
export interface TextCodes {
  codeOf(text: string): number;
}

export class PointWindow {
  count = 0;
  times = new Float64Array(0);
  values = new Float64Array(0);
  qualities = new Int32Array(0);
  statuses = new Uint8Array(0);

  /** Takes the points of a chunk. `texts`: of a tag of texts; of any other a text is a bad value. */
  fill({ type, points, start, end }: PointChunk, origin: Instant, texts: TextCodes | undefined): void {
    const count = end - start;
    if (this.times.length < count) this.#grow(count);
    const { timesMs, ticks, nulls } = points;
    this.count = count;
    this.qualities.set(points.qualities.subarray(start, end));
    const isNoNumber = type === ValueType.String && texts === undefined;
    for (let i = 0; i < count; i++) {
      const at = start + i;
      this.times[i] = offsetMs(origin, timesMs[at] as number, ticks[at] as number);
      this.statuses[i] = isNoNumber ? Status.Bad : statusOf(this.qualities[i] as number, nulls[at] !== 0);
    }
    this.#fillValues(points, type, start, texts);
  }

  /** Takes one good point. */
  setGood(time: number, value: number, quality: number): void {
    if (this.times.length === 0) this.#grow(1);
    this.count = 1;
    this.times[0] = time;
    this.values[0] = value;
    this.qualities[0] = quality;
    this.statuses[0] = Status.Good;
  }

  #fillValues(points: PointColumns, type: ValueType, start: number, texts: TextCodes | undefined): void {
    const { count, values } = this;
    if (texts !== undefined) {
      for (let i = 0; i < count; i++) values[i] = textCodeAt(points, start + i, type, texts);
    } else if (payloadOf(type) === 'number') {
      values.set(points.numbers.subarray(start, start + count));
    } else if (type === ValueType.DateTime) {
      for (let i = 0; i < count; i++) values[i] = Number(points.bigints[start + i] as bigint) / TICKS_PER_MS;
    } else if (type !== ValueType.String) {
      for (let i = 0; i < count; i++) values[i] = numberAt(points, start + i, type);
    }
  }

  #grow(count: number): void {
    this.times = new Float64Array(count);
    this.values = new Float64Array(count);
    this.qualities = new Int32Array(count);
    this.statuses = new Uint8Array(count);
  }
}

/** Code of a point's value as a text; numbers, from before the tag was of texts, count by their digits. */
function textCodeAt(points: PointColumns, index: number, type: ValueType, texts: TextCodes): number {
  if (points.nulls[index] !== 0) return 0;
  switch (payloadOf(type)) {
    case 'text':
      return texts.codeOf(points.texts.at(points.numbers[index] as number) as string);
    case 'bigint':
      return texts.codeOf(String(points.bigints[index]));
    case 'number':
      return texts.codeOf(String(points.numbers[index]));
  }
}
