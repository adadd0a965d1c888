// What all request bodies together may hold in memory, and how those who send them share it. Who holds it is told by
// token, or by address where there are no tokens.
//
// One holder may have three times what is free, so there is always room for another: alone one gets three quarters of
// it all. What is held by bodies that come slowly is given to others when it is wanted.

import { ProblemError } from '../../problem.ts';
import { BodyBuffers } from './body-buffers.ts';

/** A holder may have so many times what would still be free. */
const SHARE_OF_FREE = 3;

/** A body on its way. */
export interface BudgetUser {
  readonly holder: string;
  readonly heldBytes: number;
  /** Whether it comes so slowly that its memory is better used by others. */
  isSlow(): boolean;
  /** Lets go of all it holds; the client is answered `error`. */
  giveUp(error: ProblemError): void;
}

export class BodyBudget {
  readonly limitBytes: number;
  readonly buffers = new BodyBuffers();
  #heldBytes = 0;
  readonly #heldBy = new Map<string, number>();
  readonly #receiving = new Set<BudgetUser>();

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The body is being received: while it is slow it may lose what it holds. */
  began(user: BudgetUser): void {
    this.#receiving.add(user);
  }

  /** It has come, or never will. */
  ended(user: BudgetUser): void {
    this.#receiving.delete(user);
  }

  /** Throws 503 when the bytes are not to be had now. */
  take(user: BudgetUser, sizeBytes: number): void {
    const { holder } = user;
    while (!this.#fits(holder, sizeBytes)) {
      const other = this.#largestSlow(user);
      if (other === undefined) throw busy('The server is receiving too much at once; try again in a moment.');
      this.ended(other);
      other.giveUp(busy('The body came too slowly while the server was receiving too much; try again in a moment.'));
    }
    this.#heldBytes += sizeBytes;
    this.#heldBy.set(holder, this.#of(holder) + sizeBytes);
  }

  give({ holder }: BudgetUser, sizeBytes: number): void {
    this.#heldBytes -= sizeBytes;
    const leftBytes = this.#of(holder) - sizeBytes;
    if (leftBytes > 0) this.#heldBy.set(holder, leftBytes);
    else this.#heldBy.delete(holder);
  }

  #of(holder: string): number {
    return this.#heldBy.get(holder) ?? 0;
  }

  #fits(holder: string, sizeBytes: number): boolean {
    const freeBytes = this.limitBytes - this.#heldBytes - sizeBytes;
    return this.#of(holder) + sizeBytes <= SHARE_OF_FREE * freeBytes;
  }

  /** Of holders who have no less than the one who asks: nobody pushes others out with more and more bodies. */
  #largestSlow(asking: BudgetUser): BudgetUser | undefined {
    const leastBytes = this.#of(asking.holder);
    let largest: BudgetUser | undefined;
    for (const user of this.#receiving) {
      if (user === asking || user.heldBytes <= (largest?.heldBytes ?? 0)) continue;
      if (this.#of(user.holder) >= leastBytes && user.isSlow()) largest = user;
    }
    return largest;
  }
}

function busy(detail: string): ProblemError {
  return new ProblemError(503, detail, { headers: [['Retry-After', '1']] });
}
