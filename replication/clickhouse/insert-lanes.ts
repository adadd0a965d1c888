// One insert at a time into each table of a shard: older servers refuse a second one while replicas take the first. Others, of
// other edges, are waited for a short while.

import { PassingFailure } from '../sink.ts';
import { codeOf } from './faults.ts';

/** Another quorum insert is under way. */
const BUSY = '286';
const LONGEST_WAIT_MS = 20_000;
const MOST_PAUSE_MS = 300;

export class InsertLanes {
  readonly #lanes = new Map<string, Promise<unknown>>();

  run(name: string, insert: () => Promise<void>): Promise<void> {
    const before = this.#lanes.get(name) ?? Promise.resolve();
    const run = before.then(() => whenFree(insert));
    this.#lanes.set(
      name,
      run.catch(() => undefined),
    );
    return run;
  }
}

async function whenFree(insert: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await insert();
    } catch (error) {
      const isBusy = error instanceof PassingFailure && codeOf(error.cause) === BUSY;
      if (!isBusy || performance.now() > endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, MOST_PAUSE_MS * Math.random()));
    }
  }
}
