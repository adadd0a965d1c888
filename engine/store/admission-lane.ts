// One at a time for what changes the tags of a dataset over several turns of the event loop: whoever comes meanwhile waits
// behind it, in the order of coming, so that admission keeps its one order (rule 1a).

export class AdmissionLane {
  #last: Promise<void> | undefined;

  /** True while long work is under way or waits: others must not pass it. */
  get isTaken(): boolean {
    return this.#last !== undefined;
  }

  /** Runs the work when all that came before is done. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(work);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#last = settled;
    void settled.then(() => {
      if (this.#last === settled) this.#last = undefined;
    });
    return running;
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last) await this.#last;
  }
}
