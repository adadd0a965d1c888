// How fast a body came lately, compared with the memory that it holds: one that would take long to send as much again makes
// poor use of memory that others could have.

/** The rate is that of the last one to two marks. */
const MARK_MS = 1000;
/** Younger bodies have no rate yet. */
const YOUNGEST_MS = 2000;
/** A body that takes longer than this for as much as it holds is slow. */
const SLOW_MS = 30_000;

interface Mark {
  readonly timeMs: number;
  readonly receivedBytes: number;
}

export class BodyRate {
  #beganMs: number | undefined;
  #older: Mark | undefined;
  #newer: Mark | undefined;

  /** `receivedBytes` have come in all. */
  note(timeMs: number, receivedBytes: number): void {
    if (this.#newer !== undefined && timeMs - this.#newer.timeMs < MARK_MS) return;
    this.#beganMs ??= timeMs;
    this.#older = this.#newer ?? { timeMs, receivedBytes };
    this.#newer = { timeMs, receivedBytes };
  }

  isSlow(timeMs: number, receivedBytes: number, heldBytes: number): boolean {
    const since = this.#older;
    if (since === undefined || this.#beganMs === undefined || timeMs - this.#beganMs < YOUNGEST_MS) return false;
    return ((receivedBytes - since.receivedBytes) / (timeMs - since.timeMs)) * SLOW_MS < heldBytes;
  }
}
