// The names of tags at the moment when the writing of a catalog began, which takes several turns: no two tags of a catalog
// have one name, however tags are renamed meanwhile. What it lacks is in records that are replayed.

import type { Tag } from '../tag/tag.ts';
import type { TagDefinition } from '../types.ts';

export class CatalogNames {
  /** Definitions of tags that were renamed since, by id. */
  readonly #before = new Map<number, TagDefinition>();
  readonly #names = new Set<string>();

  /** To be called before a tag's durable name changes. */
  hold(tag: Tag): void {
    if (this.#before.has(tag.id)) return;
    this.#before.set(tag.id, tag.durableDefinition);
    this.#names.add(tag.durableDefinition.name);
  }

  /** The definition for the catalog; undefined for a tag that was made since, under the name of a renamed one. */
  definitionOf(tag: Tag): TagDefinition | undefined {
    const before = this.#before.get(tag.id);
    if (before) return before;
    const { durableDefinition } = tag;
    return this.#names.has(durableDefinition.name) && !tag.isSystem ? undefined : durableDefinition;
  }
}
