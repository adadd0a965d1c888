// Publishes numbered messages at QoS 1, in order, until each is safe with the broker: acknowledged, and on its disk when
// it is killed.

import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';

export interface OutgoingMessage {
  readonly topic: string;
  readonly payload: string;
}

const WINDOW = 400;
const CONNECT_LIMIT_MS = 20_000;
const LOOK_MS = 2;
/** Times of files and of this process are compared. */
const MARGIN_MS = 5;

export class Publisher {
  readonly #url: string;
  #client: MqttClient | undefined;
  /** In order; all that may not be safe. */
  #unsafe: { readonly message: OutgoingMessage; ackedMs: number | undefined }[] = [];
  #unacked = 0;

  constructor(url: string) {
    this.#url = url;
  }

  get pid(): number {
    return process.pid;
  }

  async connect(): Promise<void> {
    this.end();
    // Never again by itself: to a broker that comes back it would send its newest message ahead of those that are sent again.
    const client = connect(this.#url, { protocolVersion: 5, reconnectPeriod: 0, clean: true });
    client.on('error', () => undefined);
    this.#client = client;
    const endMs = performance.now() + CONNECT_LIMIT_MS;
    while (!client.connected) {
      if (performance.now() > endMs) throw new Error('the publisher cannot connect');
      await sleep(LOOK_MS);
    }
  }

  /** Hands a message over; waits while too many are not acknowledged. False when the broker is gone. */
  async publish(message: OutgoingMessage): Promise<boolean> {
    while (this.#unacked >= WINDOW && this.#client?.connected) await sleep(LOOK_MS);
    const entry = { message, ackedMs: undefined };
    this.#unsafe.push(entry);
    if (!this.#client?.connected) return false;
    this.#send(entry);
    return true;
  }

  #send(entry: { readonly message: OutgoingMessage; ackedMs: number | undefined }): void {
    const client = this.#client;
    this.#unacked++;
    client?.publish(entry.message.topic, entry.message.payload, { qos: 1 }, (error) => {
      if (this.#client !== client) return;
      this.#unacked--;
      if (!error) entry.ackedMs = Date.now();
    });
  }

  /** After the broker was killed: sends again, in order, what was not acknowledged, or later than its disk knows. */
  async resume(savedMs: number): Promise<void> {
    this.#unsafe = this.#unsafe.filter(({ ackedMs }) => ackedMs === undefined || ackedMs > savedMs - MARGIN_MS);
    this.#unacked = 0;
    await this.connect();
    for (const entry of this.#unsafe) {
      entry.ackedMs = undefined;
      while (this.#unacked >= WINDOW && this.#client?.connected) await sleep(LOOK_MS);
      this.#send(entry);
    }
  }

  /** Resolves when all is acknowledged. */
  async allAcknowledged(limitMs = CONNECT_LIMIT_MS): Promise<void> {
    const endMs = performance.now() + limitMs;
    while (this.#unsafe.some(({ ackedMs }) => ackedMs === undefined)) {
      if (performance.now() > endMs) throw new Error(`${this.#unacked} messages are not acknowledged`);
      await sleep(LOOK_MS);
    }
  }

  /** What was acknowledged is safe from now on: the broker is not killed before its next save. */
  forget(): void {
    this.#unsafe = [];
  }

  end(): void {
    this.#client?.end(true);
  }
}
