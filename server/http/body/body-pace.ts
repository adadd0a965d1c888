// Notices clients that send a body so slowly that they only hold their connection: what uWebSockets does by itself.

const WINDOW_MS = 10_000;
/** Fewer bytes in a window are too few. */
const FEWEST_BYTES = 16_384;

export class BodyPace {
  readonly #isHeldBack: () => boolean;
  readonly #onTooSlow: () => void;
  readonly #timer: NodeJS.Timeout;
  #receivedBytes = 0;

  /** `isHeldBack`: we do not take any bytes just now. `onTooSlow` is called once at most, and never after `stop`. */
  constructor(isHeldBack: () => boolean, onTooSlow: () => void) {
    this.#isHeldBack = isHeldBack;
    this.#onTooSlow = onTooSlow;
    this.#timer = setInterval(() => this.#check(), WINDOW_MS);
    this.#timer.unref();
  }

  received(sizeBytes: number): void {
    this.#receivedBytes += sizeBytes;
  }

  /** The body is complete, or will never be. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const isTooSlow = this.#receivedBytes < FEWEST_BYTES && !this.#isHeldBack();
    this.#receivedBytes = 0;
    if (!isTooSlow) return;
    this.stop();
    this.#onTooSlow();
  }
}
