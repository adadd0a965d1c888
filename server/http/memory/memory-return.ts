// Gives memory back that answers have held. V8 looks for what nobody uses when more is taken, so a server that is quiet behind
// a load would keep all of it.

const MIB = 2 ** 20;
/** Below it is not worth the search. */
const LEAST_BYTES = 64 * MIB;
const PAUSE_MS = 2000;
/** Between two searches, which take time. */
const REST_MS = 60_000;
/** V8 begins to look once 64 MiB were taken outside of its heap, and ends when so much was taken again. Nothing is written there. */
const TAKEN_BYTES = 96 * MIB;
const TIMES = 3;

export class MemoryReturn {
  readonly #search: () => void;
  #mostBytes = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(search: () => void = () => void new ArrayBuffer(TAKEN_BYTES)) {
    this.#search = search;
  }

  /** Takes note of how much is held now. */
  note(heldBytes: number): void {
    this.#mostBytes = Math.max(this.#mostBytes, heldBytes);
    if (this.#mostBytes < LEAST_BYTES || heldBytes > this.#mostBytes / 4 || this.#timer !== undefined) return;
    this.#mostBytes = heldBytes;
    this.#searchIn(Math.max(PAUSE_MS, this.#lastMs + REST_MS - performance.now()), TIMES);
  }

  #searchIn(waitMs: number, times: number): void {
    this.#timer = setTimeout(() => {
      this.#lastMs = performance.now();
      this.#timer = undefined;
      this.#search();
      if (times > 1) this.#searchIn(PAUSE_MS, times - 1);
    }, waitMs);
    this.#timer.unref();
  }
}
