// The memory that all request bodies together may hold, and how their senders share it. A holder is a token, or an address
// where there are no tokens.
//
// One holder may have three times what is free, so there is always room for another: alone one gets three quarters of
// it all. Memory of bodies that come slowly is given to others when they need it.

import { ProblemError } from '../../problem.ts';
import { BODY_SPARE_BYTES } from '../contract/body-bytes.ts';

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

/** Smaller ones are not worth keeping, and larger ones would hold too much. */
const SMALLEST_KEPT_BYTES = 16_384;
const LARGEST_KEPT_BYTES = 1_048_576;
const KEPT_BUFFERS = 4;

/** Memory for bodies, each with `BODY_SPARE_BYTES` that are not counted in any size. */
export class BodyBuffers {
  readonly #spare: Uint8Array[] = [];

  /** At least so many bytes and the spare ones, with whatever was in them. */
  take(sizeBytes: number): Uint8Array {
    // Node allocates many short ones from one shared pool.
    if (sizeBytes < SMALLEST_KEPT_BYTES) return Buffer.allocUnsafe(sizeBytes + BODY_SPARE_BYTES);
    // Memory that the process used before would be cleared in one go, which holds the event loop.
    if (sizeBytes > LARGEST_KEPT_BYTES)
      return new Uint8Array(Buffer.allocUnsafeSlow(sizeBytes + BODY_SPARE_BYTES).buffer);
    const found = this.#spare.findLastIndex((bytes) => roomOf(bytes) >= sizeBytes);
    if (found >= 0) return this.#spare.splice(found, 1)[0] as Uint8Array;
    return new Uint8Array(2 ** Math.ceil(Math.log2(sizeBytes)) + BODY_SPARE_BYTES);
  }

  /** Nobody uses the bytes any more. */
  release(bytes: Uint8Array): void {
    if (roomOf(bytes) < SMALLEST_KEPT_BYTES || roomOf(bytes) > LARGEST_KEPT_BYTES) return;
    if (this.#spare.length === KEPT_BUFFERS) this.#spare.shift();
    this.#spare.push(bytes);
  }
}

/** What of a buffer a body may fill; bytes. */
export function roomOf(bytes: Uint8Array): number {
  return bytes.length - BODY_SPARE_BYTES;
}
