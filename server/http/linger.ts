// The end of a connection whose answer was given before its request was read: closing it while the client still sends
// makes the client's kernel drop the answer unread. What still comes is therefore read and dropped, for a while.

/** Bounds of it all, whatever the client does. */
const LINGER_MS = 10_000;
const LINGER_BYTES = 134_217_728;
/** A client that has sent nothing for this long has read the answer, or will not. */
const QUIET_MS = 1000;
/** After the request's end: for the client to close first. */
const LAST_WORDS_MS = 50;

export class Linger {
  readonly #close: () => void;
  readonly #beganMs = performance.now();
  #droppedBytes = 0;
  #isAtEnd = false;
  #timer: NodeJS.Timeout;

  /** `close` is called once, unless `stop` comes first; never within a call of this object. */
  constructor(close: () => void) {
    this.#close = close;
    this.#timer = setTimeout(close, QUIET_MS);
  }

  /** Counts a chunk of the rest of the body that came and was dropped. */
  dropped(sizeBytes: number): void {
    if (this.#isAtEnd) return;
    this.#droppedBytes += sizeBytes;
    const isTooMuch = this.#droppedBytes > LINGER_BYTES || performance.now() - this.#beganMs > LINGER_MS;
    if (isTooMuch) this.#closeIn(0);
    else this.#timer.refresh();
  }

  /** The request has come to its end. */
  ended(): void {
    if (!this.#isAtEnd) this.#closeIn(LAST_WORDS_MS);
  }

  /** The connection is closed. */
  stop(): void {
    this.#isAtEnd = true;
    clearTimeout(this.#timer);
  }

  #closeIn(delayMs: number): void {
    this.stop();
    this.#timer = setTimeout(this.#close, delayMs);
  }
}
