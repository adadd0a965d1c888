// How far the points of a range of tags go. Names of files cannot tell it, because a file holds points of up to 1,000 tags; so
// it is written down in a document before each file, together with the file's name: what it announces counts once that file is
// there. Then the document is never ahead of the files nor behind them, whatever ends in between.

import type { BatchRun } from '../sink.ts';
import { readJson, writeJson } from './json-files.ts';
import { ordinalsFile, TAGS_A_RANGE } from './layout.ts';
import type { ObjectStore } from './stores/object-store.ts';

/** A tag's id and the ordinal after the largest one there. */
type Position = readonly [tag: number, next: number];

interface WrittenOrdinals {
  readonly next: readonly Position[];
  readonly announced: { readonly file: string; readonly next: readonly Position[] };
}

export class RangeOrdinals {
  readonly #path: string;
  readonly #store: ObjectStore;
  readonly #first: number;
  /** By the id, from the first of the range on; 0 for none. */
  readonly #next = new Float64Array(TAGS_A_RANGE);

  constructor(store: ObjectStore, folder: string, range: number) {
    this.#store = store;
    this.#path = ordinalsFile(folder, range);
    this.#first = range * TAGS_A_RANGE;
  }

  async load(): Promise<this> {
    const written = await readJson<WrittenOrdinals>(this.#store, this.#path);
    if (written === undefined) return this;
    this.#take(written.next);
    if (await this.#store.has(written.announced.file)) this.#take(written.announced.next);
    return this;
  }

  /** To be written before the file with the points of the runs. */
  async announce(file: string, runs: readonly BatchRun[]): Promise<void> {
    const content: WrittenOrdinals = {
      next: [...this.positions()],
      announced: { file, next: positionsAfter(runs) },
    };
    await writeJson(this.#store, this.#path, content);
  }

  /** The file is there. */
  confirm(runs: readonly BatchRun[]): void {
    this.#take(positionsAfter(runs));
  }

  /** Positions of tags with points. */
  *positions(): Generator<Position> {
    for (const [i, next] of this.#next.entries()) if (next > 0) yield [this.#first + i, next];
  }

  #take(positions: readonly Position[]): void {
    for (const [tag, next] of positions) {
      const i = tag - this.#first;
      this.#next[i] = Math.max(this.#next[i] ?? 0, next);
    }
  }
}

function positionsAfter(runs: readonly BatchRun[]): Position[] {
  const next = new Map<number, number>();
  for (const { tag, firstOrdinal, count } of runs)
    next.set(tag.id, Math.max(next.get(tag.id) ?? 0, firstOrdinal + count));
  return [...next];
}
