// Memory for a body being received: charged to the budget by what has arrived, not by what was declared.

import { BODY_SPARE_BYTES, NO_BODY } from '../contract/body-bytes.ts';
import type { BodyBudget, BudgetUser } from './body-budget.ts';
import { roomOf } from './body-buffers.ts';

const FIRST_BYTES = 65_536;
/**
 * Longer bodies have their memory reserved whole, because a copy of more would hold the event loop. The system gives it
 * page by page as it is written, and it is charged like that.
 */
const MOST_COPIED_BYTES = 2 * 1_048_576;
const CHARGED_AT_ONCE_BYTES = 65_536;

export class BodyRoom {
  readonly #budget: BodyBudget;
  readonly #user: BudgetUser;
  #bytes: Uint8Array | undefined;
  #length = 0;
  #heldBytes = 0;

  constructor(budget: BodyBudget, user: BudgetUser) {
    this.#budget = budget;
    this.#user = user;
  }

  /** Bytes that were appended. */
  get length(): number {
    return this.#length;
  }

  /** What is charged. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What was appended, with `BODY_SPARE_BYTES` zeros behind it; to be used until `release`. */
  written(): Uint8Array {
    const bytes = this.#bytes;
    if (bytes === undefined) return NO_BODY;
    bytes.fill(0, this.#length, this.#length + BODY_SPARE_BYTES);
    return bytes.subarray(0, this.#length);
  }

  /** Takes a body that came in one chunk: it is freed before another comes, and so is charged to nobody. */
  appendWhole(chunk: Uint8Array): void {
    this.#bytes = this.#budget.buffers.take(chunk.length);
    this.#bytes.set(chunk);
    this.#length = chunk.length;
  }

  /** Appends a copy. `mostBytes` is the most that may come in all. Throws 503 when there is no room. */
  append(chunk: Uint8Array, mostBytes: number): void {
    if (chunk.length === 0) return;
    const endBytes = this.#length + chunk.length;
    if (this.#bytes === undefined || roomOf(this.#bytes) < endBytes) this.#grow(endBytes, mostBytes);
    if (endBytes > this.#heldBytes) this.#charge(endBytes, mostBytes);
    (this.#bytes as Uint8Array).set(chunk, this.#length);
    this.#length = endBytes;
  }

  /** Releases the memory for other bodies; nobody may use it any more. */
  recycle(): void {
    if (this.#bytes !== undefined) this.#budget.buffers.release(this.#bytes);
    this.release();
  }

  /** Lets go of the memory. */
  release(): void {
    this.#bytes = undefined;
    this.#length = 0;
    // Most bodies came in one chunk, and whose they are was never asked.
    if (this.#heldBytes > 0) this.#budget.give(this.#user, this.#heldBytes);
    this.#heldBytes = 0;
  }

  #grow(endBytes: number, mostBytes: number): void {
    const { buffers } = this.#budget;
    const wantedBytes = Math.max(FIRST_BYTES, 2 * endBytes);
    const isLong = endBytes > MOST_COPIED_BYTES;
    const sizeBytes = Math.max(endBytes, isLong ? mostBytes : Math.min(wantedBytes, mostBytes));
    const chargedBytes = isLong ? endBytes : sizeBytes;
    // The smaller memory is released at once.
    this.#budget.take(this.#user, chargedBytes - this.#heldBytes);
    this.#heldBytes = chargedBytes;
    const grown = buffers.take(sizeBytes);
    const before = this.#bytes;
    if (before !== undefined) {
      grown.set(before.subarray(0, this.#length));
      buffers.release(before);
    }
    this.#bytes = grown;
  }

  #charge(endBytes: number, mostBytes: number): void {
    const chargedBytes = Math.max(endBytes, Math.min(mostBytes, this.#heldBytes + CHARGED_AT_ONCE_BYTES));
    this.#budget.take(this.#user, chargedBytes - this.#heldBytes);
    this.#heldBytes = chargedBytes;
  }
}
