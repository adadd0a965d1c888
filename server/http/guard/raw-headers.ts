// The header fields of one request as they came: every field kept, so that the guard sees repeated ones.

/** Fields in the order they came. Names are lower case. */
export class RawHeaders {
  /** Name and value of each in turn: one array, which has room for most requests as soon as it has anything. */
  readonly #fields: string[] = [];

  /** How many fields there are. */
  get count(): number {
    return this.#fields.length / 2;
  }

  nameAt(index: number): string {
    return this.#fields[2 * index] as string;
  }

  valueAt(index: number): string {
    return this.#fields[2 * index + 1] as string;
  }

  /** `name` in lower case. */
  add(name: string, value: string): void {
    this.#fields.push(name, value);
  }

  /** All values of one name, joined by `, `. */
  get(name: string): string | undefined {
    const fields = this.#fields;
    let joined: string | undefined;
    for (let at = 0; at < fields.length; at += 2) {
      if (fields[at] !== name) continue;
      const value = fields[at + 1] as string;
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
    return joined;
  }
}
