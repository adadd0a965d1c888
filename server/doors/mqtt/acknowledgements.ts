// Messages are acknowledged to the broker in the order in which they came, as MQTT wants it, in whatever order they are stored.

import { type BrokerLink, comesAgain, type IncomingMessage } from './broker-link.ts';

export class Acknowledgements {
  /** Not acknowledged yet, in the order in which they came. */
  #waiting: IncomingMessage[] = [];
  readonly #stored = new Set<IncomingMessage>();

  await(message: IncomingMessage): void {
    if (message.packetId !== undefined) this.#waiting.push(message);
  }

  /** They are stored. Acknowledges what no earlier message holds back; returns how many. */
  add(stored: readonly IncomingMessage[]): number {
    for (const message of stored) if (message.packetId !== undefined && !message.link.isOver) this.#stored.add(message);
    let count = 0;
    const byLink = new Map<BrokerLink, number[]>();
    for (const message of this.#waiting) {
      if (!this.#stored.delete(message)) break;
      count++;
      const ids = byLink.get(message.link);
      if (ids === undefined) byLink.set(message.link, [message.packetId as number]);
      else ids.push(message.packetId as number);
    }
    this.#waiting = this.#waiting.slice(count);
    for (const [link, ids] of byLink) link.acknowledge(ids);
    return count;
  }

  /** The broker sends them again over the next connection. */
  dropOf(link: BrokerLink): void {
    this.#waiting = this.#waiting.filter((message) => !comesAgain(message, link));
    for (const message of this.#stored) if (comesAgain(message, link)) this.#stored.delete(message);
  }
}
