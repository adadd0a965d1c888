// Maps by tag ids that may hold very many: in parts, because a growing map copies all of its entries in one go.

/** Ids of one part. */
const PART_IDS = 4096;

export class TagMap<T> {
  readonly #parts = new Map<number, Map<number, T>>();

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  get(tagId: number): T | undefined {
    return this.#parts.get(partOf(tagId))?.get(tagId);
  }

  has(tagId: number): boolean {
    return this.#parts.get(partOf(tagId))?.has(tagId) === true;
  }

  set(tagId: number, value: T): void {
    const number = partOf(tagId);
    let part = this.#parts.get(number);
    if (part === undefined) {
      part = new Map();
      this.#parts.set(number, part);
    }
    part.set(tagId, value);
  }

  delete(tagId: number): void {
    const number = partOf(tagId);
    const part = this.#parts.get(number);
    if (part?.delete(tagId) && part.size === 0) this.#parts.delete(number);
  }

  /** In the order of the entries. */
  *values(): Generator<T> {
    for (const part of this.#parts.values()) yield* part.values();
  }

  /** Part by part, each in the order in which its ids came. */
  *[Symbol.iterator](): Generator<[tagId: number, value: T]> {
    for (const part of this.#parts.values()) yield* part;
  }
}

/** What a tag takes in `OrdinalPages`. */
export const ORDINAL_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Ordinals as numbers outside the heap, for clients that listen to all tags of a million. */
export class OrdinalPages {
  readonly #pages = new Map<number, Float64Array>();

  /** Undefined where none was set. */
  get(tagId: number): number | undefined {
    const ordinal = this.#pages.get(partOf(tagId))?.[tagId % PART_IDS];
    return ordinal === undefined || ordinal < 0 ? undefined : ordinal;
  }

  has(tagId: number): boolean {
    return this.get(tagId) !== undefined;
  }

  set(tagId: number, ordinal: number): void {
    const number = partOf(tagId);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Float64Array(PART_IDS).fill(-1);
      this.#pages.set(number, page);
    }
    page[tagId % PART_IDS] = ordinal;
  }
}

/** Ids may be larger than 32 bits. */
function partOf(tagId: number): number {
  return Math.floor(tagId / PART_IDS);
}
