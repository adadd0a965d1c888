// A map by tag ids that may hold very many: in parts, because a growing map copies all of its entries in one go.

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

/** Ids may be larger than 32 bits. */
function partOf(tagId: number): number {
  return Math.floor(tagId / PART_IDS);
}
