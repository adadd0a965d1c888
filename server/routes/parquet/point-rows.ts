// What files of rows have in common, of whatever kind: a row for each point, one tag after the other, in groups of bounded size.

import type { AggregateLabel, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import { type EntryCells, entryCells, type FileAnswer, type PointGroup } from './point-group.ts';

/** What a group holds at most; one text may be longer. */
export interface GroupBounds {
  readonly rows: number;
  /** Characters of texts. */
  readonly characters: number;
}

/** Fills groups with the rows of a read; subclasses write them. */
export abstract class PointRows {
  readonly isPlanned = false;
  /** The one that fills. */
  protected abstract group: PointGroup;
  readonly #bounds: GroupBounds;
  readonly #isOfFunctions: boolean;
  #cells: EntryCells = { tag: '', label: undefined };

  constructor({ isOfFunctions }: FileAnswer, bounds: GroupBounds) {
    this.#isOfFunctions = isOfFunctions;
    this.#bounds = bounds;
  }

  /** The group is full, or the last one. */
  protected abstract writeGroup(): void;

  beginEntry(tag: TagDefinition, _bounds: unknown, _plan: unknown, label: AggregateLabel | undefined): void {
    this.#cells = entryCells(tag.name, label, this.#isOfFunctions);
  }

  passCount(): number {
    return 1;
  }

  beginPass(): void {
    // Rows come as the points do.
  }

  points(chunk: PointChunk): void {
    for (let at = chunk.start; at < chunk.end; at++) {
      this.group.add(this.#cells, chunk, at);
      this.#writeFull();
    }
  }

  /** What cannot be read has a row at its beginning and one at its end, as in rows. */
  endEntry({ gaps }: { readonly gaps: readonly ReadGap[] }): void {
    for (const { start, end } of gaps) {
      for (const time of [start, end]) {
        this.group.addGap(this.#cells, time);
        this.#writeFull();
      }
    }
  }

  #writeFull(): void {
    const { count, characters } = this.group;
    if (count >= this.#bounds.rows || characters >= this.#bounds.characters) this.writeGroup();
  }
}
