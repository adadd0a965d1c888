// Messages that wait to be stored: bounded in bytes, by letting the connection rest.

import { type BrokerLink, comesAgain, type IncomingMessage } from './broker-link.ts';

/** Above this no further message is taken from the connection. */
const MOST_BYTES = 8 * 1_048_576;
/** What a message costs besides its payload. */
const OVERHEAD_BYTES = 256;
const BATCH_MESSAGES = 4096;
const BATCH_BYTES = 262_144;

export class MessageQueue {
  #waiting: IncomingMessage[] = [];
  #bytes = 0;
  /** Messages that were taken and are not done yet. */
  #takenCount = 0;
  #takenBytes = 0;
  #resume: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;

  get count(): number {
    return this.#waiting.length + this.#takenCount;
  }

  get bytes(): number {
    return this.#bytes + this.#takenBytes;
  }

  /** Nothing more is taken once it is closed: the broker keeps it. */
  add(message: IncomingMessage, resume: () => void): void {
    if (this.#isClosed) return;
    this.#waiting.push(message);
    this.#bytes += costOf(message);
    this.#wake?.();
    if (this.bytes < MOST_BYTES) resume();
    else this.#resume = resume;
  }

  /** The messages of a connection that is over come again over the next one. */
  dropOf(link: BrokerLink): void {
    this.#waiting = this.#waiting.filter((message) => !comesAgain(message, link));
    this.#bytes = this.#waiting.reduce((sum, message) => sum + costOf(message), 0);
    this.#resume = undefined;
  }

  /**
   * The next messages to store together; undefined once it is closed and empty: what came at QoS 0 nobody else has.
   * @param mostMs so long it is waited for a message at most; then there is none
   */
  async take(mostMs?: number): Promise<IncomingMessage[] | undefined> {
    if (this.#waiting.length === 0 && !this.#isClosed) await this.#untilWoken(mostMs);
    if (this.#waiting.length === 0) return this.#isClosed ? undefined : [];
    let [count, bytes] = [0, 0];
    while (count < this.#waiting.length && count < BATCH_MESSAGES && (count === 0 || bytes < BATCH_BYTES)) {
      bytes += costOf(this.#waiting[count++] as IncomingMessage);
    }
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#bytes -= bytes;
    this.#takenBytes = bytes;
    this.#takenCount = count;
    return taken;
  }

  #untilWoken(mostMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** What was taken is stored, or given up. */
  done(): void {
    this.#takenBytes = 0;
    this.#takenCount = 0;
    const resume = this.#resume;
    if (resume === undefined || this.bytes >= MOST_BYTES) return;
    this.#resume = undefined;
    resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }
}

function costOf({ topic, payload }: IncomingMessage): number {
  return payload.length + topic.length + OVERHEAD_BYTES;
}
