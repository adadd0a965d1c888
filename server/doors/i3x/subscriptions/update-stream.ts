// The stream of a subscription: what waits goes out as arrays, each the data of an event, as fast as the client takes them.

import { nextTurn } from '../../../../engine/index.ts';
import { MOST_TEXT_CHARS } from '../../../codec/write-json/text-parts.ts';
import type { HttpStream } from '../../../http/contract/http-server.ts';
import type { Subscription, UpdateStream } from './subscription.ts';

const COMMENT = Buffer.from(':\n\n');

export class OpenUpdateStream implements UpdateStream {
  readonly #stream: HttpStream;
  readonly #subscription: Subscription;
  #isSending = false;
  #isOver = false;

  constructor(stream: HttpStream, subscription: Subscription) {
    this.#stream = stream;
    this.#subscription = subscription;
  }

  wake(): void {
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    // What is stored in one turn goes together.
    setImmediate(() => void this.#send().catch(() => this.gone()));
  }

  keepAlive(): void {
    if (!this.#isSending && !this.#isOver) this.#stream.write(COMMENT)?.catch(() => this.gone());
  }

  end(): void {
    if (this.#isOver) return;
    this.gone();
    this.#stream.end();
  }

  /** The client has gone. */
  gone(): void {
    this.#isOver = true;
    if (this.#subscription.stream === this) this.#subscription.stream = undefined;
  }

  async #send(): Promise<void> {
    const { queue } = this.#subscription;
    while (!this.#isOver) {
      const batch = queue.take();
      if (batch === undefined) break;
      await this.#sendBatch(batch.updates);
      if (!queue.isEmpty) await nextTurn();
    }
    this.#isSending = false;
  }

  /** One event, in parts: its texts may be long. */
  async #sendBatch(updates: readonly string[]): Promise<void> {
    let part = 'data: [';
    for (const [i, update] of updates.entries()) {
      part += i === 0 ? update : `,${update}`;
      if (part.length < MOST_TEXT_CHARS) continue;
      await this.#write(part);
      if (this.#isOver) return;
      part = '';
      await nextTurn();
    }
    await this.#write(`${part}]\n\n`);
  }

  async #write(part: string): Promise<void> {
    const taking = this.#stream.write(Buffer.from(part));
    if (taking !== undefined) await taking;
  }
}
