// One at a time for what changes the tags of a dataset over several turns of the event loop: whoever comes meanwhile waits
// behind it, in the order of coming, so that admission keeps its one order (D15).

export class AppendLane {
  readonly #drain: () => Promise<void>;
  #last: Promise<void> | undefined;

  /** `drain` resolves once nothing is on its way to disk any more. */
  constructor(drain: () => Promise<void>) {
    this.#drain = drain;
  }

  /** True while long work is under way or waits: others must not pass it. */
  get isTaken(): boolean {
    return this.#last !== undefined;
  }

  /**
   * Runs work of several turns when all that came before is done, on disk too: what fails there between two turns would
   * take back what the work goes by.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(this.#drain).then(work);
    this.#hold(running);
    return running;
  }

  /** Calls work that is admitted in one go when all that came before is; others need not wait for its disk. */
  pass<T>(work: () => Promise<T>): Promise<T> {
    // In an object, because a promise that resolves to a promise waits for that, too.
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
