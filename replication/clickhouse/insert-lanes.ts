// One insert at a time into each table of a shard: older servers refuse a second one while replicas take the first. Others, of
// other edges, are waited for a short while.

import { PassingFailure } from '../sink.ts';
import { codeOf } from './faults.ts';

/** Another quorum insert is under way. */
const BUSY = '286';
const LONGEST_WAIT_MS = 20_000;
const MOST_PAUSE_MS = 300;
/** Inserts that the mean of waits is of. */
const MEAN_OF = 4;

export class InsertLanes {
  readonly #lanes = new Map<string, Promise<unknown>>();
  /** How long an insert waited for those of other edges, ms: a mean over the last few. */
  waitedMs = 0;

  run(name: string, insert: () => Promise<void>): Promise<void> {
    const before = this.#lanes.get(name) ?? Promise.resolve();
    const run = before.then(() => this.#whenFree(insert));
    this.#lanes.set(
      name,
      run.catch(() => undefined),
    );
    return run;
  }

  async #whenFree(insert: () => Promise<void>): Promise<void> {
    const beginMs = performance.now();
    for (let waitedMs = 0; ; ) {
      try {
        await insert();
        this.waitedMs += (waitedMs - this.waitedMs) / MEAN_OF;
        return;
      } catch (error) {
        const isBusy = error instanceof PassingFailure && codeOf(error.cause) === BUSY;
        waitedMs = performance.now() - beginMs;
        if (!isBusy || waitedMs > LONGEST_WAIT_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, MOST_PAUSE_MS * Math.random()));
      }
    }
  }
}
