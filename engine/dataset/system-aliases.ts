// Aliases of system tags: their names in the reference product. Lists show the present names only, and a user tag of the
// same name takes precedence.

import type { PointChunk, ReadGap, ReadMarker, TagCursor, TagDefinition } from '../types.ts';

/** Alias -> present name. */
export const SYSTEM_ALIASES: ReadonlyMap<string, string> = new Map([
  ['Dataset.Writes', 'Writes'],
  ['Dataset.Reads', 'Reads'],
  ['Dataset.Tags', 'Tags'],
  ['Dataset.Size', 'Size'],
  ['Dataset.Writes.Late', 'Writes.Late'],
]);

/** A system tag's definition under the name it was asked for. */
export function underAskedName(definition: TagDefinition, asked: string): TagDefinition {
  return SYSTEM_ALIASES.get(asked) === definition.name ? { ...definition, name: asked } : definition;
}

/** A cursor over a system tag that was requested by an alias, which its answer shows. */
export class AliasCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly #cursor: TagCursor;

  constructor(cursor: TagCursor, tag: TagDefinition) {
    this.tag = tag;
    this.#cursor = cursor;
  }

  next(): PointChunk | undefined | Promise<PointChunk | undefined> {
    return this.#cursor.next();
  }

  get gaps(): readonly ReadGap[] {
    return this.#cursor.gaps;
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor.marker;
  }

  get reducedFrom(): number | undefined {
    return this.#cursor.reducedFrom;
  }

  close(): void {
    this.#cursor.close();
  }
}
