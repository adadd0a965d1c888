// What a target or a variable names: Grafana sends values of variables as regular expressions, `PA01\.Flow` or `(A|B)`, so a
// name is taken as it is where there is one, else as a pattern.

import type { TagDefinition } from '../../../engine/index.ts';
import type { Caller } from '../../auth/rules/caller.ts';
import { Pattern } from '../../patterns/pattern.ts';
import { ProblemError } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import type { Service } from '../../routes/service/service.ts';
import { findTag, type NameTest, readableDatasets, tagsOf } from '../readable/readable-tags.ts';
import { fault } from './json-requests.ts';

/** Most tags of one target. */
const MAX_TAGS = 500;

/** The one dataset that is meant. Throws a 403 for one that is not for the caller, and a 404 where there is none. */
export async function datasetNamed(service: Service, caller: Caller, text: string): Promise<string> {
  if (caller.may('read', text) && service.engine.hasDataset(text)) return text;
  const [first, second] = await readableDatasets(service, caller, testOf(text));
  if (second !== undefined) throw fault('', `'${text.slice(0, 100)}' names several datasets; want one`);
  if (first !== undefined) return first;
  caller.require('read', text);
  throw new ProblemError(404, `There is no dataset '${text.slice(0, 100)}'.`, { key: 'Error.DatasetNotFound' });
}

/** Throws a 404 for a name that none has, and a 400 for very many. */
export async function tagsNamed(
  service: Service,
  dataset: string,
  texts: readonly string[],
  isAborted: () => boolean,
): Promise<TagDefinition[]> {
  const found = new Map<string, TagDefinition>();
  const pacer = createPacer();
  for (const text of texts) {
    if (isAborted()) return [];
    const before = found.size;
    const own = findTag(service.engine, dataset, text);
    if (own !== undefined) found.set(own.name, own);
    else {
      for await (const tag of tagsOf(service.engine, dataset, testOf(text), isAborted)) addTo(found, tag);
      // Without asking whether one is due: to compile a pattern takes some milliseconds.
      await pacer.yield();
    }
    if (own === undefined && found.size === before) {
      const detail = `There is no tag '${text.slice(0, 100)}' in dataset '${dataset}'.`;
      throw new ProblemError(404, detail, { key: 'Error.TagNotFound' });
    }
  }
  return [...found.values()];
}

function addTo(found: Map<string, TagDefinition>, tag: TagDefinition): void {
  found.set(tag.name, tag);
  if (found.size > MAX_TAGS) throw fault('', `the target names more than ${MAX_TAGS} tags; want fewer`);
}

interface PatternTest extends NameTest {
  readonly steps: number;
}

export function testOf(text: string): PatternTest {
  try {
    const pattern = new Pattern(text);
    const steps = pattern.prepare();
    return { names: pattern.texts, matches: (name) => pattern.matches(name), steps };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw fault('', `'${text.slice(0, 100)}' is neither a name nor a pattern: ${error.message}`);
  }
}
