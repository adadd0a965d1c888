// Sorts the points of a long run by time over several turns of the event loop; equal times keep the order in which they were
// sent.

import type { Turns } from '../io/turns.ts';
import type { PointColumns } from '../types.ts';
import { sortInSlices } from './sort-in-slices.ts';
import { isOrdered } from './time-order.ts';

/** Points between two looks at the clock. */
const SPAN_POINTS = 4096;

/** Sorts points `[start, start + count)` by time, stably. Rejects as `Turns.each`, with the points in any order. */
export async function orderInTurns(points: PointColumns, start: number, count: number, turns: Turns): Promise<void> {
  if (await isOrderedInTurns(points, start, count, turns)) return;
  const order = await sortedIndexes(points, start, count, turns);
  await permuteInTurns(points, order, start, turns);
}

async function isOrderedInTurns(points: PointColumns, start: number, count: number, turns: Turns): Promise<boolean> {
  let areOrdered = true;
  // Each span includes the first point of the next.
  await turns.steps(count - 1, SPAN_POINTS, (from, to) => {
    areOrdered &&= isOrdered(points, start + from, to - from + 1);
  });
  return areOrdered;
}

/** The current index of each point of the sorted run. */
async function sortedIndexes(
  { timesMs, ticks }: PointColumns,
  start: number,
  count: number,
  turns: Turns,
): Promise<number[]> {
  const indexes: number[] = [];
  await turns.steps(count, SPAN_POINTS, (from, to) => {
    for (let i = from; i < to; i++) indexes.push(start + i);
  });
  return sortInSlices(
    indexes,
    (a, b) => (timesMs[a] as number) - (timesMs[b] as number) || (ticks[a] as number) - (ticks[b] as number),
    turns,
  );
}

async function permuteInTurns(
  points: PointColumns,
  indexes: readonly number[],
  start: number,
  turns: Turns,
): Promise<void> {
  // `bigints` and the numbers share memory; copied as doubles, NaN patterns may change.
  const { timesMs, ticks, bigints, nulls, qualities } = points;
  for (const column of [timesMs, ticks, nulls, qualities])
    await permute(column, column.slice(start, start + indexes.length), indexes, start, turns);
  await permute(bigints, bigints.slice(start, start + indexes.length), indexes, start, turns);
}

interface Column<T> {
  [index: number]: T;
}

async function permute<T>(
  column: Column<T>,
  before: Column<T>,
  indexes: readonly number[],
  start: number,
  turns: Turns,
): Promise<void> {
  await turns.steps(indexes.length, SPAN_POINTS, (from, to) => {
    for (let i = from; i < to; i++) column[start + i] = before[(indexes[i] as number) - start] as T;
  });
}
