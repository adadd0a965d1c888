// Sorts very many items without holding the event loop: stretches are sorted, then merged two by two.

/** Items sorted in one go. */
const SORTED_AT_ONCE = 1024;
/** Steps of a merge between two looks at the clock. */
const AT_ONCE = 64;

/** Who says when others are to have a turn. */
interface Pauses {
  pause(): Promise<void> | undefined;
}

/** The items in order, equal ones as they came. May use the array for it. */
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

/** Merges two sorted stretches that follow each other; they may end beyond the array. */
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
  for (let place = span.start; place < end; place++) {
    const isLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[place] = from[isLeft ? left++ : right++] as T;
    const pause = place % AT_ONCE === 0 ? pauses.pause() : undefined;
    if (pause) await pause;
  }
}
