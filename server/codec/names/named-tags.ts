// Tells which tags a body has named already: a byte a tag, by its id, so that bodies that are read at the same time do not
// get in each other's way, and no tag has to be looked at. Benchmark: bench ingest, 10,000 tags.

const FIRST_MARKS = 1024;
/** Marks of ids from here on would take too much memory. */
const MARKED_IDS = 16_777_216;
const MAX_BODY = 255;

export class NamedTags {
  /** By id: the body that has named the tag last. */
  private marks = new Uint8Array(FIRST_MARKS);
  private body = MAX_BODY;
  /** Of the body: ids that have no mark. */
  private readonly others = new Set<number>();

  /** Forgets the body before. */
  begin(): void {
    if (this.body === MAX_BODY) {
      this.marks.fill(0);
      this.body = 0;
    }
    this.body++;
    if (this.others.size > 0) this.others.clear();
  }

  has(id: number): boolean {
    return id < MARKED_IDS ? this.marks[id] === this.body : this.others.has(id);
  }

  add(id: number): void {
    if (id >= MARKED_IDS) {
      this.others.add(id);
      return;
    }
    if (id >= this.marks.length) this.grow(id + 1);
    this.marks[id] = this.body;
  }

  private grow(count: number): void {
    const marks = new Uint8Array(Math.max(count, Math.min(this.marks.length * 2, MARKED_IDS)));
    marks.set(this.marks);
    this.marks = marks;
  }
}
