// Texts by their numbers, of which there may be millions: in pages, because an array that grows copies all that it holds.

const PAGE_SHIFT = 12;
const PAGE_MASK = 2 ** PAGE_SHIFT - 1;

/** A text is looked for among so many, and only where comparing it is quick. */
const LOOKED_AT = 8;
const LOOKED_FOR_CHARS = 64;

let lastSerial = 0;

export class TextList {
  /** Number of this list alone, above 0. */
  readonly serial = ++lastSerial;
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

  /** The number of a text where it is among the last few, or a long one the last; undefined otherwise. */
  recent(text: string): number | undefined {
    const page = this.#last;
    const first = this.#length - page.length;
    const from = Math.max(0, page.length - (text.length > LOOKED_FOR_CHARS ? 1 : LOOKED_AT));
    for (let i = page.length - 1; i >= from; i--) if (isSame(page[i] as string, text)) return first + i;
    return undefined;
  }

  /** The number of a text, which is added unless it came a short while before. */
  add(text: string): number {
    const known = this.recent(text);
    if (known === undefined) return this.push(text);
    this.chars += text.length; // the record will have it once more
    return known;
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

  /** Gives a list with the same texts under the same numbers. */
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

/** Long texts that begin alike would be compared up to where they differ, which is often the end. */
function isSame(a: string, b: string): boolean {
  const last = b.length - 1;
  if (last >= LOOKED_FOR_CHARS && (a.length !== b.length || a.charCodeAt(last) !== b.charCodeAt(last))) return false;
  return a === b;
}
