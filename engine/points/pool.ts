// Objects that are kept for reuse, where allocating them anew would be most of the work that they are for.

export class Pool<T> {
  readonly #most: number;
  readonly #create: () => T;
  readonly #spare: T[] = [];

  /** Keeps at most `most` objects. */
  constructor(most: number, create: () => T) {
    this.#most = most;
    this.#create = create;
  }

  /** The caller owns it until it releases it. */
  take(): T {
    return this.#spare.pop() ?? this.#create();
  }

  /** One that was released; undefined when there is none. */
  takeSpare(): T | undefined {
    return this.#spare.pop();
  }

  /** Nothing may use it afterwards; the caller has cleared it. */
  release(one: T): void {
    if (this.#spare.length < this.#most) this.#spare.push(one);
  }
}
