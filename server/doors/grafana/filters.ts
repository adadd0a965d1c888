// The ad hoc filters of a query: which tags they leave. Their tests are made once, however many targets there are.

import type { TagDefinition } from '../../../engine/index.ts';
import { createPacer } from '../../process/pacer.ts';
import { testOf } from './chosen-tags.ts';
import { type Filter, fault } from './json-requests.ts';

/** Steps of all patterns together, for they are held at once: the longest lists of usual patterns come to less. */
const MAX_FILTER_STEPS = 20_000;
/** A name is matched with a longer pattern in a turn of its own. */
const LONG_STEPS = 200;

export interface FilterTest {
  readonly leaves: (name: string) => boolean;
  /** Steps of its pattern; 0 without one. */
  readonly steps: number;
}

/** Lets others have turns. Throws a 400 for a filter that is none, and for too much of patterns. */
export async function toFilterTests(filters: readonly Filter[], isAborted: () => boolean): Promise<FilterTest[]> {
  const pacer = createPacer();
  const tests: FilterTest[] = [];
  let steps = 0;
  for (const filter of filters) {
    if (filter.key !== 'tag') continue;
    if (isAborted()) return [];
    const test = toTest(filter);
    tests.push(test);
    steps += test.steps;
    if (steps > MAX_FILTER_STEPS) {
      throw fault('/adhocFilters', `the patterns come to more than ${MAX_FILTER_STEPS} steps together; want fewer`);
    }
    if (test.steps > 0) await pacer.yield();
  }
  return tests;
}

/** The names of the tags that all filters leave. Lets others have turns, and ends when nobody waits. */
export async function filtered(
  tags: readonly TagDefinition[],
  tests: readonly FilterTest[],
  isAborted: () => boolean,
): Promise<string[]> {
  const names: string[] = [];
  for (const { name } of tags) {
    if (isAborted()) return [];
    if (await isLeft(name, tests)) names.push(name);
  }
  return names;
}

async function isLeft(name: string, tests: readonly FilterTest[]): Promise<boolean> {
  const pacer = createPacer();
  for (const { leaves, steps } of tests) {
    if (!leaves(name)) return false;
    if (steps > LONG_STEPS || pacer.isDue()) await pacer.yield();
  }
  return true;
}

function toTest({ operator, value }: Filter): FilterTest {
  if (operator === '=') return { leaves: (name) => name === value, steps: 0 };
  if (operator === '!=') return { leaves: (name) => name !== value, steps: 0 };
  if (operator === '=~' || operator === '!~') {
    const { matches, steps } = testOf(value);
    return { leaves: (name) => matches(name) === (operator === '=~'), steps };
  }
  throw fault('/adhocFilters', `'operator' is '${operator.slice(0, 100)}'; want =, !=, =~ or !~`);
}
