// Notices a chunked body that uWebSockets waits for in vain. It takes some chunk extensions for digits of the size; the
// line ends that frame the next chunks then come as data, and the end of the request is never seen. Every such body ends
// in a line end, which a body that is only slow seldom does; pipelined requests after it may end in anything.

/** Without another byte, when the last ones were a line end, and when they were not. */
const STUCK_AT_LINE_END_MS = 1000;
const STUCK_MS = 5000;
/** The wait is divided: while this process stood still, bytes may have come that it has not looked at. */
const WAITS = 10;
const [CR, LF] = [13, 10];

export class ChunkWatch {
  readonly #isHeldBack: () => boolean;
  readonly #onStuck: () => void;
  #timer: NodeJS.Timeout | undefined;
  #lastByte = 0;

  /** `isHeldBack`: we do not take any bytes just now. `onStuck` is called once at most, and never after `stop`. */
  constructor(isHeldBack: () => boolean, onStuck: () => void) {
    this.#isHeldBack = isHeldBack;
    this.#onStuck = onStuck;
  }

  /** The next part of the body, not the last one. */
  received(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const beforeLast = chunk.length > 1 ? chunk[chunk.length - 2] : this.#lastByte;
    this.#lastByte = chunk[chunk.length - 1] as number;
    this.stop();
    const isAtLineEnd = beforeLast === CR && this.#lastByte === LF;
    this.#wait((isAtLineEnd ? STUCK_AT_LINE_END_MS : STUCK_MS) / WAITS, WAITS);
  }

  /** The body is complete, or nobody waits for it any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(delayMs: number, waits: number): void {
    this.#timer = setTimeout(() => {
      if (this.#isHeldBack()) this.#wait(delayMs, WAITS);
      else if (waits > 1) this.#wait(delayMs, waits - 1);
      else this.#onStuck();
    }, delayMs);
  }
}
