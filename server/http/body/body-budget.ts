// The memory that all request bodies together may hold, and how their senders share it. A holder is a token, or an address
// where there are no tokens.
//
// One holder may have three times what is free, so there is always room for another: alone one gets three quarters of
// it all. Memory of bodies that come slowly is given to others when they need it.

import { ProblemError } from '../../problem.ts';
import { BodyBuffers } from './body-buffers.ts';

/** A holder may have so many times what would still be free afterwards. */
const SHARE_OF_FREE = 3;

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

  /** Only from holders who have no less than the one who asks: nobody displaces others with more and more bodies. */
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
