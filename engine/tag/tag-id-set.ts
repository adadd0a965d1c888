// A set of tag ids that may hold very many: bits in pages, because a set that grows goes over all that it holds in one go.

/** Ids of one page. */
const PAGE_IDS = 4096;

export class TagIdSet {
  readonly #pages = new Map<number, Uint8Array>();

  has(id: number): boolean {
    const page = this.#pages.get(Math.floor(id / PAGE_IDS));
    return page !== undefined && ((page[byteOf(id)] as number) & bitOf(id)) !== 0;
  }

  /** Adds an id; false when it was there. */
  add(id: number): boolean {
    if (this.has(id)) return false;
    const number = Math.floor(id / PAGE_IDS);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint8Array(PAGE_IDS / 8);
      this.#pages.set(number, page);
    }
    page[byteOf(id)] = (page[byteOf(id)] as number) | bitOf(id);
    return true;
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** Page by page, in each by id. */
  *[Symbol.iterator](): Generator<number> {
    for (const [number, page] of this.#pages) {
      for (let place = 0; place < PAGE_IDS; place++) {
        if (((page[place >>> 3] as number) & (1 << (place & 7))) !== 0) yield number * PAGE_IDS + place;
      }
    }
  }
}

/** Ids may be larger than 32 bits. */
function byteOf(id: number): number {
  return (id % PAGE_IDS) >>> 3;
}

function bitOf(id: number): number {
  return 1 << (id % 8);
}
