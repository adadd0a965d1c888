// Finds the user tags that a request changes or removes. It names them as they are called now: whoever has an old name in
// mind may have another tag in mind.

import type { Dataset } from '../dataset/dataset.ts';
import { isSystemName } from '../dataset/system-tags.ts';
import { EngineError } from '../errors.ts';
import { MOST_NAMED } from '../limits.ts';
import type { Tag } from '../tag/tag.ts';
import { TagIdSet } from '../tag/tag-id-set.ts';

/** User tags by name, each once. Throws as `TagSearch`. */
export function userTags(dataset: Dataset, names: readonly string[], what: string): Tag[] {
  const search = new TagSearch(dataset, what);
  for (const name of names) search.find(name);
  return search.tags();
}

/** Finds user tags by name, each once. */
export class TagSearch {
  readonly #dataset: Dataset;
  readonly #what: string;
  readonly #tags: Tag[] = [];
  readonly #ids = new TagIdSet();
  readonly #missing: string[] = [];

  /** `what`: the operation on the tags, for messages. */
  constructor(dataset: Dataset, what: string) {
    this.#dataset = dataset;
    this.#what = what;
  }

  /** Throws BAD_REQUEST for the name of a system tag, and TAG_NOT_FOUND once very many are not found. */
  find(name: string): void {
    const tag = this.#dataset.tags.names.findPresent(name);
    if (tag?.visible) {
      if (this.#ids.add(tag.id)) this.#tags.push(tag);
    } else if (isSystemName(name) || this.#dataset.tags.findSystem(name))
      throw new EngineError('BAD_REQUEST', `'${name}' is a system tag, which cannot be ${this.#what}.`, { name });
    else if (this.#missing.push(name) === MOST_NAMED) this.#refuseMissing();
  }

  /** Throws TAG_NOT_FOUND naming those that were not found, or the first of them when there are very many. */
  tags(): Tag[] {
    if (this.#missing.length > 0) this.#refuseMissing();
    return this.#tags;
  }

  #refuseMissing(): never {
    throw this.#dataset.tags.notFound(this.#missing);
  }
}
