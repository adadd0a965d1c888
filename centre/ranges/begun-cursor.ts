// A cursor that has to be waited for.

import type { PointChunk, ReadGap, ReadMarker, TagCursor, TagDefinition } from '../../engine/index.ts';

export class BegunCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly #beginning: Promise<TagCursor>;
  #cursor: TagCursor | undefined;

  constructor(tag: TagDefinition, beginning: Promise<TagCursor>) {
    this.tag = tag;
    this.#beginning = beginning;
    beginning.catch(() => undefined);
  }

  get gaps(): readonly ReadGap[] {
    return this.#cursor?.gaps ?? [];
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor?.marker;
  }

  async next(): Promise<PointChunk | undefined> {
    this.#cursor ??= await this.#beginning;
    return this.#cursor.next();
  }

  close(): void {
    this.#beginning.then((cursor) => cursor.close()).catch(() => undefined);
  }
}
