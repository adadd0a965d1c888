// How far points go whose texts together are so short that they can be taken at once.

import type { PointColumns, ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';

/** Characters of the texts of a block, unless one alone has more. */
export const MOST_BLOCK_CHARS = 2 ** 20;

/** The end of the points from `start` on, at most `end`, whose texts have so few characters together; at least one point. */
export function endOfTexts(points: PointColumns, [start, end]: readonly [number, number], mostChars: number): number {
  const { nulls, numbers, texts } = points;
  let chars = 0;
  for (let i = start; i < end; i++) {
    chars += nulls[i] ? 0 : texts.at(numbers[i] as number).length;
    if (chars > mostChars) return Math.max(start + 1, i);
  }
  return end;
}

/** Characters of the texts of points `[start, end)`. */
export function charsOfTexts({ nulls, numbers, texts }: PointColumns, start: number, end: number): number {
  let chars = 0;
  for (let i = start; i < end; i++) chars += nulls[i] ? 0 : texts.at(numbers[i] as number).length;
  return chars;
}

/** The end of a block that begins at `start` and ends at most at `end`. */
export function endOfBlockTexts(type: ValueType, points: PointColumns, start: number, end: number): number {
  return payloadOf(type) === 'text' ? endOfTexts(points, [start, end], MOST_BLOCK_CHARS) : end;
}
