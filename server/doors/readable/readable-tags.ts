// The datasets and tags that a caller may read, as doors list them: what is not for the caller is not even named.

import { type Engine, EngineError, type TagDefinition } from '../../../engine/index.ts';
import type { Caller } from '../../auth/rules/caller.ts';
import { createPacer } from '../../process/pacer.ts';
import type { Service } from '../../routes/service/service.ts';

/** Which names are meant. */
export interface NameTest {
  /** All names that can be meant, where they are known; they are then looked up one by one. */
  readonly names: readonly string[] | undefined;
  matches(name: string): boolean;
}

export const EVERY_NAME: NameTest = { names: undefined, matches: () => true };

/** Sorted by name; without those that could not be opened. */
export async function readableDatasets({ engine }: Service, caller: Caller, test: NameTest): Promise<string[]> {
  if (test.names !== undefined) {
    const named = [...new Set(test.names)].filter((name) => caller.may('read', name) && engine.hasDataset(name));
    return named.filter((name) => test.matches(name)).sort();
  }
  await engine.lookAtTags();
  const open = engine.datasets().filter(({ state }) => state !== 'unavailable');
  return open.map(({ name }) => name).filter((name) => caller.may('read', name) && test.matches(name));
}

/** User tags of a dataset, sorted by name unless they are looked up. Lets others have turns, and ends when nobody waits. */
export async function* tagsOf(
  engine: Engine,
  dataset: string,
  test: NameTest,
  isAborted: () => boolean,
): AsyncGenerator<TagDefinition> {
  const pacer = createPacer();
  const known = test.names === undefined ? undefined : [...new Set(test.names)];
  if (known !== undefined) {
    for (const name of known) {
      const tag = test.matches(name) ? findTag(engine, dataset, name) : undefined;
      if (tag !== undefined) yield tag;
      if (pacer.isDue()) await pacer.yield();
      if (isAborted()) return;
    }
    return;
  }
  const { user } = await engine.tags(dataset, isAborted);
  if (isAborted()) return;
  for (const tag of user) {
    if (test.matches(tag.name)) yield tag;
    if (pacer.isDue()) await pacer.yield();
    if (isAborted()) return;
  }
}

/** Undefined when there is no such tag. */
export function findTag(engine: Engine, dataset: string, name: string): TagDefinition | undefined {
  try {
    return engine.tag(dataset, name);
  } catch (error) {
    if (error instanceof EngineError && ABSENT.has(error.code)) return undefined;
    throw error;
  }
}

const ABSENT: ReadonlySet<string> = new Set(['TAG_NOT_FOUND', 'BAD_NAME', 'DATASET_NOT_FOUND']);
