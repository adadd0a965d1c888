// Other names that system tags answer to, as clients of the reference product know them. They are listed under their present
// names only, and a user tag of such a name comes first.

import type { PointChunk, ReadGap, ReadMarker, TagCursor, TagDefinition } from '../types.ts';

/** Other name -> present name. */
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

/** A cursor over a system tag that was asked for by another name, which its answer shows. */
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
