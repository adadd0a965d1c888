// The tags of a dataset by id, in pages: ids are assigned in ascending order, so that pages waste little memory, and a stray
// large id costs no more than a page.

import type { Tag } from './tag.ts';

const PAGE_TAGS = 1024;

export class TagsById {
  /** Pages by number, in ascending order. */
  #pages = new Map<number, (Tag | undefined)[]>();

  #lastPage = -1;

  get(id: number): Tag | undefined {
    return this.#pages.get(pageOf(id))?.[id % PAGE_TAGS];
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  /** Adds a tag, or replaces the one with its id. */
  add(tag: Tag): void {
    const number = pageOf(tag.id);
    let page = this.#pages.get(number);
    if (!page) {
      page = new Array<Tag | undefined>(PAGE_TAGS).fill(undefined);
      this.#addPage(number, page);
    }
    page[tag.id % PAGE_TAGS] = tag;
  }

  #addPage(number: number, page: (Tag | undefined)[]): void {
    const isLast = number > this.#lastPage;
    this.#pages.set(number, page);
    if (isLast) this.#lastPage = number;
    else this.#pages = new Map([...this.#pages].sort(([a], [b]) => a - b)); // from a damaged catalog
  }

  delete(id: number): void {
    const page = this.#pages.get(pageOf(id));
    if (page) page[id % PAGE_TAGS] = undefined;
  }

  /**
   * Every tag, in order of ids, below `end`. With the next free id as `end`: the tags that exist now, except those removed
   * meanwhile; for work of several turns, without a list of a million tags.
   */
  *values(end = Number.POSITIVE_INFINITY): Generator<Tag> {
    for (const [number, page] of this.#pages) {
      if (number * PAGE_TAGS >= end) return;
      for (let place = 0; place < PAGE_TAGS; place++) {
        const tag = page[place];
        if (tag && tag.id < end) yield tag;
      }
    }
  }
}

/** Division, because ids may exceed 32 bits. */
function pageOf(id: number): number {
  return Math.floor(id / PAGE_TAGS);
}
