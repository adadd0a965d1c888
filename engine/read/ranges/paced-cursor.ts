// A cursor whose empty chunks are turns of others: for readers who want points.

import { Slicer } from '../../io/slicer.ts';
import type { PointChunk, ReadGap, ReadMarker, TagCursor, TagDefinition } from '../../types.ts';
import type { PointCursor } from '../amended/open-points.ts';

type Owner = ConstructorParameters<typeof Slicer>[0];

export class PacedCursor implements TagCursor {
  readonly #cursor: PointCursor;
  readonly #slicer: Slicer;

  constructor(cursor: PointCursor, owner: Owner) {
    this.#cursor = cursor;
    this.#slicer = new Slicer(owner);
  }

  get tag(): TagDefinition {
    return this.#cursor.tag;
  }

  get gaps(): readonly ReadGap[] {
    return this.#cursor.gaps;
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor.marker;
  }

  next(): PointChunk | undefined | Promise<PointChunk | undefined> {
    for (;;) {
      const chunk = this.#cursor.next();
      if (chunk === undefined || chunk.start < chunk.end) return chunk;
      const pause = this.#slicer.pause();
      if (pause !== undefined) return pause.then(() => this.next());
    }
  }

  close(): void {
    this.#cursor.close();
  }
}
