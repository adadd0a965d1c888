// Notices a chunked body that uWebSockets waits for in vain: it takes some chunk extensions for digits of the size, and waits
// for more than there is. The client is told before uWebSockets closes the connection without a word.

/** Without another byte. */
const STUCK_MS = 5000;
/** The wait is divided: while this process stood still, bytes may have come that it has not looked at. */
const WAITS = 10;

export class ChunkWatch {
  readonly #isHeldBack: () => boolean;
  readonly #onStuck: () => void;
  #timer: NodeJS.Timeout;
  #waits = WAITS;

  /** `isHeldBack`: we do not take any bytes just now. `onStuck` is called once at most, and never after `stop`. */
  constructor(isHeldBack: () => boolean, onStuck: () => void) {
    this.#isHeldBack = isHeldBack;
    this.#onStuck = onStuck;
    this.#timer = setInterval(() => this.#wait(), STUCK_MS / WAITS);
  }

  /** The next part of the body, not the last one. */
  received(): void {
    this.#waits = WAITS;
  }

  /** The body is complete, or nobody waits for it any more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #wait(): void {
    this.#waits = this.#isHeldBack() ? WAITS : this.#waits - 1;
    if (this.#waits > 0) return;
    this.stop();
    this.#onStuck();
  }
}
