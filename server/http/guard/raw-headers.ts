// The header fields of one request as they came: every field kept, so that the guard sees repeated ones.

/** Fields in the order they came. Names are lower case. */
export class RawHeaders {
  readonly names: string[] = [];
  readonly values: string[] = [];

  /** `name` in lower case. */
  add(name: string, value: string): void {
    this.names.push(name);
    this.values.push(value);
  }

  /** All values of one name, joined by `, `. */
  get(name: string): string | undefined {
    const { names, values } = this;
    let joined: string | undefined;
    for (let index = 0; index < names.length; index++) {
      if (names[index] !== name) continue;
      const value = values[index] as string;
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
    return joined;
  }
}
