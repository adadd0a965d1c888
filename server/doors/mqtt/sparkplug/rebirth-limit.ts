// How often an edge node is asked for its birth. A birth does not begin the waits anew: a node whose births are wrong would
// be asked without end.

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 320_000;

export class RebirthLimit {
  #lastMs = Number.NEGATIVE_INFINITY;
  #waitMs = FIRST_WAIT_MS;

  /** Whether the node may be asked now, and then it counts as asked. Twice as long after each time, until a wait was calm. */
  take(nowMs: number): boolean {
    const passedMs = nowMs - this.#lastMs;
    // A clock that was set back makes nobody wait for longer.
    if (passedMs >= 0 && passedMs < this.#waitMs) return false;
    const wasCalm = passedMs >= 2 * this.#waitMs;
    this.#waitMs = wasCalm || passedMs < 0 ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, 2 * this.#waitMs);
    this.#lastMs = nowMs;
    return true;
  }
}
