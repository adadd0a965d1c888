// Puts the points of a long run in time order over several turns of the event loop: stretches of it are sorted, then
// merged two by two, each into one twice as long; equal times keep the order they were sent in.

import type { PointColumns } from '../types.ts';
import type { Turns } from './turns.ts';

/** Points that are sorted in one go, and steps of a merge between two looks at the clock. */
const STRETCH = 4096;

/** Sorts points `[start, start + count)` by time, stably. Rejects as `Turns.each`, with the points in any order. */
export async function orderInTurns(points: PointColumns, start: number, count: number, turns: Turns): Promise<void> {
  if (await isOrderedInTurns(points, start, count, turns)) return;
  const order = await sortedPlaces(points, start, count, turns);
  await permuteInTurns(points, order, start, turns);
}

async function isOrderedInTurns(
  { timesMs, ticks }: PointColumns,
  start: number,
  count: number,
  turns: Turns,
): Promise<boolean> {
  let isOrdered = true;
  await turns.steps(count - 1, STRETCH, (from, to) => {
    for (let i = start + from; isOrdered && i < start + to; i++) {
      const stepMs = (timesMs[i + 1] as number) - (timesMs[i] as number);
      isOrdered = stepMs > 0 || (stepMs === 0 && (ticks[i + 1] as number) >= (ticks[i] as number));
    }
  });
  return isOrdered;
}

/** Where each point of the sorted run stands now. */
async function sortedPlaces(points: PointColumns, start: number, count: number, turns: Turns): Promise<Uint32Array> {
  const { timesMs, ticks } = points;
  const compare = (a: number, b: number): number =>
    (timesMs[a] as number) - (timesMs[b] as number) || (ticks[a] as number) - (ticks[b] as number) || a - b;
  let places = new Uint32Array(count);
  let merged = new Uint32Array(count);
  await turns.steps(count, STRETCH, (from, to) => {
    for (let i = from; i < to; i++) places[i] = start + i;
    places.subarray(from, to).sort(compare);
  });
  for (let width = STRETCH; width < count; width *= 2) {
    await mergePairs(places, merged, width, compare, turns);
    [places, merged] = [merged, places];
  }
  return places;
}

/** Merges stretches of `width`, each with the one behind it. */
async function mergePairs(
  from: Uint32Array,
  into: Uint32Array,
  width: number,
  compare: (a: number, b: number) => number,
  turns: Turns,
): Promise<void> {
  const count = from.length;
  let left = 0;
  let right = 0;
  await turns.steps(count, STRETCH, (start, end) => {
    for (let at = start; at < end; at++) {
      const pairStart = at - (at % (2 * width));
      const leftEnd = Math.min(count, pairStart + width);
      const rightEnd = Math.min(count, leftEnd + width);
      if (at === pairStart) {
        left = pairStart;
        right = leftEnd;
      }
      const isLeft = left < leftEnd && (right >= rightEnd || compare(from[left] as number, from[right] as number) <= 0);
      into[at] = from[isLeft ? left++ : right++] as number;
    }
  });
}

async function permuteInTurns(points: PointColumns, places: Uint32Array, start: number, turns: Turns): Promise<void> {
  // The numbers are the same memory; copied as doubles, NaN patterns may change.
  const { timesMs, ticks, bigints, nulls, qualities } = points;
  for (const column of [timesMs, ticks, nulls, qualities])
    await permute(column, column.slice(start, start + places.length), places, start, turns);
  await permute(bigints, bigints.slice(start, start + places.length), places, start, turns);
}

interface Column<T> {
  [index: number]: T;
}

async function permute<T>(
  column: Column<T>,
  before: Column<T>,
  places: Uint32Array,
  start: number,
  turns: Turns,
): Promise<void> {
  await turns.steps(places.length, STRETCH, (from, to) => {
    for (let i = from; i < to; i++) column[start + i] = before[(places[i] as number) - start] as T;
  });
}
