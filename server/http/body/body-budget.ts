// The memory that all request bodies together may hold. Memory of bodies that come slowly is given to others when they
// need it.

import type { ProblemError } from '../../problem.ts';
import { MemoryBudget, noMemory } from '../memory/memory-budget.ts';
import { BodyBuffers } from './body-buffers.ts';

/** A body on its way. */
export interface BudgetUser {
  readonly holder: string;
  readonly heldBytes: number;
  /** Whether it comes so slowly that its memory is better used by others. */
  isSlow(): boolean;
  /** Releases all that it holds; the client is answered `error`. */
  giveUp(error: ProblemError): void;
}

export class BodyBudget {
  readonly buffers = new BodyBuffers();
  readonly #memory: MemoryBudget;
  readonly #receiving = new Set<BudgetUser>();

  constructor(limitBytes: number) {
    this.#memory = new MemoryBudget(limitBytes);
  }

  get heldBytes(): number {
    return this.#memory.heldBytes;
  }

  /** The body is being received: while it is slow it may lose its memory to others. */
  began(user: BudgetUser): void {
    this.#receiving.add(user);
  }

  /** The body is complete, or will never be. */
  ended(user: BudgetUser): void {
    this.#receiving.delete(user);
  }

  /** Throws 503 when so many bytes are not available now. */
  take(user: BudgetUser, sizeBytes: number): void {
    while (!this.#memory.fits(user.holder, sizeBytes)) {
      const other = this.#largestSlow(user);
      if (other === undefined) throw noMemory('The server is receiving too much at once; try again in a moment.');
      this.ended(other);
      other.giveUp(
        noMemory('The body came too slowly while the server was receiving too much; try again in a moment.'),
      );
    }
    this.#memory.take(user.holder, sizeBytes);
  }

  give({ holder }: BudgetUser, sizeBytes: number): void {
    this.#memory.give(holder, sizeBytes);
  }

  /** Only from holders who have no less than the one who asks: nobody displaces others with more and more bodies. */
  #largestSlow(asking: BudgetUser): BudgetUser | undefined {
    const leastBytes = this.#memory.heldBytesOf(asking.holder);
    let largest: BudgetUser | undefined;
    for (const user of this.#receiving) {
      if (user === asking || user.heldBytes <= (largest?.heldBytes ?? 0)) continue;
      if (this.#memory.heldBytesOf(user.holder) >= leastBytes && user.isSlow()) largest = user;
    }
    return largest;
  }
}
