// Texts by their numbers, of which there may be millions: in pages, because an array that grows copies all that it holds.

const PAGE_SHIFT = 12;
const PAGE_MASK = 2 ** PAGE_SHIFT - 1;

export class TextList {
  /** Characters of what was pushed; who leaves a text out because it is there already may add its own. */
  chars = 0;
  readonly #pages: string[][] = [];
  #last: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The text of a number that `push` has given; for others, which stand for no text, there is none. */
  at(index: number): string {
    return this.#pages[index >>> PAGE_SHIFT]?.[index & PAGE_MASK] as string;
  }

  /** The text that was added last; undefined when there is none. */
  get newest(): string | undefined {
    return this.#last[this.#last.length - 1];
  }

  /** Adds a text; returns its number. */
  push(text: string): number {
    const number = this.#length++;
    if ((number & PAGE_MASK) === 0) {
      this.#last = [];
      this.#pages.push(this.#last);
    }
    this.#last.push(text);
    this.chars += text.length;
    return number;
  }

  /** The same texts under the same numbers. */
  copy(): TextList {
    const copy = new TextList();
    for (const page of this.#pages) copy.#pages.push(page.slice());
    copy.#last = copy.#pages.at(-1) ?? [];
    copy.#length = this.#length;
    copy.chars = this.chars;
    return copy;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const page of this.#pages) yield* page;
  }
}
