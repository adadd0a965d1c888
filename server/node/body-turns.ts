// How much of one body is taken in a turn. Node hands on up to 32 chunks of 65,536 bytes of one connection before it looks at
// another: 12 to 20 ms in which nobody else is read.

import type { BodyFlow } from '../http/body/body.ts';

/** What uWebSockets takes at once. Shorter bodies never wait: a turn of its own for each costs more than it gives. */
const BYTES_A_TURN = 524_288;

/** What a body comes from. */
export interface BodySource {
  pause(): void;
  resume(): void;
}

export class BodyTurns implements BodyFlow {
  readonly #source: BodySource;
  /** Since the last rest. */
  #bytes = 0;
  /** Enough has come for this turn. */
  #isResting = false;
  /** Nobody wants the body just now. */
  #isHeldBack = false;

  constructor(source: BodySource) {
    this.#source = source;
  }

  pauseBody(): void {
    this.#isHeldBack = true;
    this.#source.pause();
  }

  resumeBody(): void {
    this.#isHeldBack = false;
    if (!this.#isResting) this.#source.resume();
  }

  /** Counts bytes that have come: after enough of them the rest waits for the next turn. */
  arrived(sizeBytes: number): void {
    this.#bytes += sizeBytes;
    if (this.#bytes < BYTES_A_TURN || this.#isResting) return;
    this.#isResting = true;
    this.#source.pause();
    setImmediate(() => this.#endRest());
  }

  #endRest(): void {
    this.#bytes = 0;
    this.#isResting = false;
    if (!this.#isHeldBack) this.#source.resume();
  }
}
