// Serializes changes to the tags of a dataset that take several turns of the event loop: later requests wait behind them,
// in order of arrival, so that there is one order of appends (D15).

export class AppendLane {
  readonly #drain: () => Promise<void>;
  #last: Promise<void> | undefined;

  /** `drain` resolves once nothing is on its way to disk. */
  constructor(drain: () => Promise<void>) {
    this.#drain = drain;
  }

  /** True while long work is under way or waits: others must not pass it. */
  get isTaken(): boolean {
    return this.#last !== undefined;
  }

  /**
   * Runs work of several turns once everything before it is done, on disk as well: a failure on disk between two turns would
   * roll back state that the work builds on.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(this.#drain).then(work);
    this.#hold(running);
    return running;
  }

  /** Calls work that appends at once, after everything before it has been appended; later calls need not wait for its disk write. */
  pass<T>(work: () => Promise<T>): Promise<T> {
    // Wrapped in an object: a promise resolved with a promise would wait for that one.
    const begun = (this.#last ?? Promise.resolve()).then(() => ({ done: work() }));
    this.#hold(begun);
    return begun.then(({ done }) => done);
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last) await this.#last;
  }

  #hold(work: Promise<unknown>): void {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#last = settled;
    void settled.then(() => {
      if (this.#last === settled) this.#last = undefined;
    });
  }
}
