// The names of the tags that a read is about: those it names, and those that are as one of its patterns.

import type { Engine } from '../../../engine/index.ts';
import { MAX_TAG_PATTERNS } from '../../api/schemas/read.ts';
import { badParameter, quoted } from '../../api/validation/bad-parameter.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import { matchesPattern } from '../../patterns/star-pattern.ts';
import { ProblemError } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import type { ReadForm } from '../request/read-parameters.ts';

/** About what a read holds of each tag until it is answered. */
const TAG_BYTES = 32;

export interface NameChoice {
  readonly engine: Engine;
  readonly dataset: string;
  readonly form: Pick<ReadForm, 'tags' | 'patterns' | 'missing'>;
  readonly request: HttpRequest;
}

/**
 * Names that were asked for come first, in their order; then those of patterns, sorted, each once. Rejects with TAG_NOT_FOUND for
 * a name that no tag has, and with a 404 where patterns find none, unless what is missing is left out.
 */
export async function chosenNames({ engine, dataset, form, request }: NameChoice): Promise<string[]> {
  const { tags, patterns, missing } = form;
  if (patterns.length > MAX_TAG_PATTERNS)
    throw badParameter(`'tags' was given ${patterns.length} times; want at most ${MAX_TAG_PATTERNS}.`);
  const isAborted = (): boolean => request.aborted;
  const pacer = createPacer();
  // What patterns find may be gone by the time it is read, and is left out then: names are looked at here.
  for (const name of missing === 'skip' ? [] : tags) {
    engine.tag(dataset, name);
    if (pacer.isDue()) await pacer.yield();
  }
  const named = new Set(tags);
  const found: string[] = [];
  const { user } = await engine.tags(dataset, isAborted);
  for (const { name } of user) {
    if (!named.has(name) && patterns.some((pattern) => matchesPattern(pattern, name))) found.push(name);
    if (pacer.isDue()) await pacer.yield();
    if (isAborted()) return [];
  }
  if (found.length === 0 && tags.length === 0 && missing !== 'skip') throw noneFound(dataset, patterns);
  request.memory.take(TAG_BYTES * (tags.length + found.length));
  return [...tags, ...found];
}

function noneFound(dataset: string, patterns: readonly string[]): ProblemError {
  const texts = patterns.slice(0, 3).map(quoted).join(', ');
  const detail = `No tag of dataset '${dataset}' has a name as ${texts}.`;
  return new ProblemError(404, detail, { key: 'Error.TagNotFound' });
}
