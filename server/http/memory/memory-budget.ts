// Memory that a server's clients share, and how: each part is held by somebody. A holder is a token, or an address where
// there are no tokens.
//
// One holder may have three times what is free, so there is always room for another: alone one gets three quarters of
// it all.

import { ProblemError } from '../../problem.ts';

/** A holder may have so many times what would still be free afterwards. */
const SHARE_OF_FREE = 3;

export class MemoryBudget {
  readonly limitBytes: number;
  #heldBytes = 0;
  readonly #heldBy = new Map<string, number>();
  readonly #onHeld: ((heldBytes: number) => void) | undefined;

  /** @param onHeld told how much is held, whenever that changes */
  constructor(limitBytes: number, onHeld?: (heldBytes: number) => void) {
    this.limitBytes = limitBytes;
    this.#onHeld = onHeld;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What one of them holds. */
  heldBytesOf(holder: string): number {
    return this.#heldBy.get(holder) ?? 0;
  }

  /** Whether the holder may have so many more. */
  fits(holder: string, sizeBytes: number): boolean {
    const freeBytes = this.limitBytes - this.#heldBytes - sizeBytes;
    return this.heldBytesOf(holder) + sizeBytes <= SHARE_OF_FREE * freeBytes;
  }

  /** Only what `fits`. */
  take(holder: string, sizeBytes: number): void {
    this.#heldBytes += sizeBytes;
    this.#heldBy.set(holder, this.heldBytesOf(holder) + sizeBytes);
    this.#onHeld?.(this.#heldBytes);
  }

  give(holder: string, sizeBytes: number): void {
    this.#heldBytes -= sizeBytes;
    const leftBytes = this.heldBytesOf(holder) - sizeBytes;
    if (leftBytes > 0) this.#heldBy.set(holder, leftBytes);
    else this.#heldBy.delete(holder);
    this.#onHeld?.(this.#heldBytes);
  }
}

/** What a client is told when there is no memory for it now. */
export function noMemory(detail: string): ProblemError {
  return new ProblemError(503, detail, { headers: [['Retry-After', '1']] });
}
