// The list of a dataset's tags, sorted by name: put together over several turns of the event loop where there are very many.

import type { TagDefinition } from '../types.ts';
import type { Dataset } from './dataset.ts';
import { Slicer } from './slicer.ts';

/** Tags sorted in one go. */
const SORTED_AT_ONCE = 1024;
/** Between two looks at the clock. */
const AT_ONCE = 64;

export interface TagList {
  readonly user: TagDefinition[];
  readonly system: TagDefinition[];
}

/** Tags with a text in their name, in any case; all of them without one. */
export async function listTags(dataset: Dataset, contains: string | undefined): Promise<TagList> {
  const wanted = contains?.toLowerCase();
  const matches = (tag: TagDefinition): boolean => wanted === undefined || tag.name.toLowerCase().includes(wanted);
  const slicer = new Slicer(dataset.context);
  const user: TagDefinition[] = [];
  let count = 0;
  for (const tag of dataset.names) {
    if (tag.visible && matches(tag.definition)) user.push(tag.definition);
    const pause = ++count % AT_ONCE === 0 ? slicer.pause() : undefined;
    if (pause) await pause;
  }
  const system = [...dataset.systemNames.values()].map((tag) => tag.definition).filter(matches);
  return { user: await sortInSlices(user, byName, slicer), system: system.sort(byName) };
}

/** The items in order, equal ones as they came. May use the array for it. */
export async function sortInSlices<T>(
  items: T[],
  compare: (a: T, b: T) => number,
  slicer: Pick<Slicer, 'pause'>,
): Promise<T[]> {
  const { length } = items;
  let from: T[] = [];
  for (let start = 0; start < length; start += SORTED_AT_ONCE) {
    for (const item of items.slice(start, start + SORTED_AT_ONCE).sort(compare)) from.push(item);
    await slicer.pause();
  }
  let to = items;
  for (let width = SORTED_AT_ONCE; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      await mergeInSlices(from, to, { start, middle: start + width, end: start + 2 * width }, compare, slicer);
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
  slicer: Pick<Slicer, 'pause'>,
): Promise<void> {
  const middle = Math.min(span.middle, from.length);
  const end = Math.min(span.end, from.length);
  let left = span.start;
  let right = middle;
  for (let place = span.start; place < end; place++) {
    const isLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[place] = from[isLeft ? left++ : right++] as T;
    const pause = place % AT_ONCE === 0 ? slicer.pause() : undefined;
    if (pause) await pause;
  }
}

function byName(a: TagDefinition, b: TagDefinition): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
