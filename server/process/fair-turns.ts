// Lets a few of many go on at a time. Who has had a turn waits until everybody else who wants one has had it: somebody with a
// hundred requests delays others by one of them, not by all.

export class FairTurns {
  #free: number;
  /** Waiting callers by holder: the next turn is for the first holder of the map, which then becomes the last. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param count of turns at a time */
  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when it is the holder's turn; undefined when it is at once. Every turn ends with `give`. */
  take(holder: string): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => {
      const ahead = this.#waiting.get(holder);
      if (ahead === undefined) this.#waiting.set(holder, [resolve]);
      else ahead.push(resolve);
    });
  }

  /** Ends a turn. */
  give(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#free++;
      return;
    }
    const [holder, waiting] = first;
    this.#waiting.delete(holder);
    const next = waiting.shift();
    if (waiting.length > 0) this.#waiting.set(holder, waiting);
    next?.();
  }
}
