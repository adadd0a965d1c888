// How long to wait after failures: longer each time, and not all at the same moment.

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

export class BackOff {
  #failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** How long to wait after one more failure, ms. */
  next(): number {
    const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures++);
    return most / 2 + (most / 2) * this.#random();
  }

  reset(): void {
    this.#failures = 0;
  }
}
