// Sorts very many items without blocking the event loop: spans are sorted, then merged in pairs.

/** Items sorted in one go. */
const SORTED_AT_ONCE = 1024;
/** Steps of a merge between two looks at the clock. */
const AT_ONCE = 64;

/** Decides when to yield to others. */
interface Pauses {
  pause(): Promise<void> | undefined;
}

/** Sorts the items stably. May overwrite the array. */
export async function sortInSlices<T>(items: T[], compare: (a: T, b: T) => number, pauses: Pauses): Promise<T[]> {
  const { length } = items;
  let from: T[] = [];
  for (let start = 0; start < length; start += SORTED_AT_ONCE) {
    for (const item of items.slice(start, start + SORTED_AT_ONCE).sort(compare)) from.push(item);
    await pauses.pause();
  }
  let to = items;
  for (let width = SORTED_AT_ONCE; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      await mergeInSlices(from, to, { start, middle: start + width, end: start + 2 * width }, compare, pauses);
    }
    [from, to] = [to, from];
  }
  return from;
}

interface Span {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Merges two adjacent sorted spans; they may extend beyond the array. */
async function mergeInSlices<T>(
  from: readonly T[],
  to: T[],
  span: Span,
  compare: (a: T, b: T) => number,
  pauses: Pauses,
): Promise<void> {
  const middle = Math.min(span.middle, from.length);
  const end = Math.min(span.end, from.length);
  let left = span.start;
  let right = middle;
  for (let index = span.start; index < end; index++) {
    const isLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[index] = from[isLeft ? left++ : right++] as T;
    const pause = index % AT_ONCE === 0 ? pauses.pause() : undefined;
    if (pause) await pause;
  }
}
