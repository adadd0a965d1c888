// Lets small things be written one at a time, and clients take turns: they must not keep the threads that the journals are
// synced on.

import { ProblemError } from '../problem.ts';
import { FairTurns } from './fair-turns.ts';

/** Each holds what it is to write in memory; more are refused. */
const MAX_WAITING = 64;

export class WriteTurns {
  readonly #what: string;
  readonly #turns = new FairTurns(1);
  #waiting = 0;

  /** `what` is written, in the plural: for the words of a refusal. */
  constructor(what: string) {
    this.#what = what;
  }

  /** Does the work when it is the holder's turn. Throws a 503 when too many are waiting. */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      const headers = [['Retry-After', '1']] as const;
      throw new ProblemError(503, `Too many ${this.#what} are being saved at once; try again.`, { headers });
    }
    this.#waiting++;
    try {
      await this.#turns.take(holder);
      try {
        return await work();
      } finally {
        this.#turns.give();
      }
    } finally {
      this.#waiting--;
    }
  }
}
