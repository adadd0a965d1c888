// What one answer holds while it is made and given: charged to whom the request came from, until it is complete.

import { type MemoryBudget, noMemory } from './memory-budget.ts';

/** Memory that somebody pays for. */
export interface HeldMemory {
  /** Whether so much is available now. */
  has(sizeBytes: number): boolean;
  /** To be called before so much is held. Throws 503 when it is not available now. */
  take(sizeBytes: number): void;
  /** Gives memory back that is no longer held. What is left is given back with the answer. */
  give(sizeBytes: number): void;
}

/** For work that no client waits for. */
export const UNCHARGED: HeldMemory = { has: () => true, take: () => {}, give: () => {} };

export class AnswerMemory implements HeldMemory {
  readonly #budget: MemoryBudget;
  readonly #holder: string;
  #heldBytes = 0;

  constructor(budget: MemoryBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  has(sizeBytes: number): boolean {
    return this.#budget.fits(this.#holder, sizeBytes);
  }

  take(sizeBytes: number): void {
    if (!this.has(sizeBytes)) {
      throw noMemory('The answers under way hold too much memory for this one; take those, or try again in a moment.');
    }
    this.#budget.take(this.#holder, sizeBytes);
    this.#heldBytes += sizeBytes;
  }

  give(sizeBytes: number): void {
    this.#budget.give(this.#holder, sizeBytes);
    this.#heldBytes -= sizeBytes;
  }

  /** The answer is over. */
  release(): void {
    if (this.#heldBytes > 0) this.give(this.#heldBytes);
  }
}
