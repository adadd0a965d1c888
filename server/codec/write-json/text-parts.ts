// How many points are written in one go where their values are texts, which are of any length.

import { type PointChunk, payloadOf } from '../../../engine/index.ts';

/** Characters of texts that are written in one go, about: some 2 ms. */
export const MOST_TEXT_CHARS = 262_144;

/** The end of the points, from `start` on, whose texts have so many characters together at most; `start` when the first has more. */
export function endOfFitting({ type, points, end }: PointChunk, start: number, mostChars: number): number {
  if (payloadOf(type) !== 'text') return end;
  const { texts, numbers, nulls } = points;
  let chars = 0;
  for (let i = start; i < end; i++) {
    if (nulls[i] === 0) chars += texts.at(numbers[i] as number).length;
    if (chars > mostChars) return i;
  }
  return end;
}

/** The end of the points, from `start` on, that are written in one go: one at least. */
export function endOfPart(chunk: PointChunk, start: number): number {
  return Math.max(start + 1, endOfFitting(chunk, start, MOST_TEXT_CHARS));
}
