// The stream of a subscription: what waits goes out as arrays, each the data of an event, as fast as the client takes them.

import { nextTurn } from '../../../../engine/index.ts';
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
      const taking = this.#stream.write(Buffer.from(`data: [${batch.updates.join(',')}]\n\n`));
      if (taking !== undefined) await taking;
      else if (!queue.isEmpty) await nextTurn();
    }
    this.#isSending = false;
  }
}
