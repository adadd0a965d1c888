// Tells which tags a body has named already: one byte a tag, by its id. The marks are this parser's own, so bodies that are
// read at the same time do not disturb each other, and no tag object is loaded. Benchmark: bench ingest, 10,000 tags.

const FIRST_MARKS = 1024;
/** Ids from here on have no mark, which would take too much memory. */
const MARKED_IDS = 16_777_216;
const MAX_BODY = 255;

export class NamedTags {
  /** By id: the body that has named the tag last. */
  #marks = new Uint8Array(FIRST_MARKS);
  #body = MAX_BODY;
  /** Ids without a mark that the body has named. */
  readonly #others = new Set<number>();

  /** Forgets the body before. */
  begin(): void {
    if (this.#body === MAX_BODY) {
      this.#marks.fill(0);
      this.#body = 0;
    }
    this.#body++;
    if (this.#others.size > 0) this.#others.clear();
  }

  has(id: number): boolean {
    return id < MARKED_IDS ? this.#marks[id] === this.#body : this.#others.has(id);
  }

  add(id: number): void {
    if (id >= MARKED_IDS) {
      this.#others.add(id);
      return;
    }
    if (id >= this.#marks.length) this.#grow(id + 1);
    this.#marks[id] = this.#body;
  }

  #grow(count: number): void {
    const marks = new Uint8Array(Math.max(count, Math.min(this.#marks.length * 2, MARKED_IDS)));
    marks.set(this.#marks);
    this.#marks = marks;
  }
}
