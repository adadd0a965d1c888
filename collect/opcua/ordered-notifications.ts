// Notifications of one subscription, in the order in which they came: those with structures wait until the server has told what
// its structures are, and the others behind them.

import type { ClientSession, NotificationMessage } from 'node-opcua-client';
import type { Client } from './library.ts';
import { type NotifiedValue, valuesOf } from './notified-values.ts';

const MOST_WAITING = 1000;

export class OrderedNotifications {
  readonly #session: ClientSession;
  readonly #client: typeof Client;
  readonly #give: (value: NotifiedValue) => void;
  #before: Promise<void> | undefined;
  #waitingCount = 0;

  constructor(session: ClientSession, client: typeof Client, give: (value: NotifiedValue) => void) {
    this.#session = session;
    this.#client = client;
    this.#give = give;
  }

  take(message: NotificationMessage): void {
    const values = valuesOf(message, this.#client);
    const structures = values.filter(({ value }) => value.value?.dataType === this.#client.DataType.ExtensionObject);
    if (this.#before === undefined && structures.length === 0) {
      values.forEach(this.#give);
      return;
    }
    if (this.#waitingCount >= MOST_WAITING) return;
    this.#waitingCount++;
    const mine = (this.#before ?? Promise.resolve())
      .then(() => this.#describe(structures))
      .then(() => {
        this.#waitingCount--;
        if (this.#before === mine) this.#before = undefined;
        values.forEach(this.#give);
      });
    this.#before = mine;
  }

  /** A structure that is not described stays bytes: its points are bad. */
  async #describe(structures: readonly NotifiedValue[]): Promise<void> {
    if (structures.length === 0) return;
    const values = structures.map(({ value }) => value);
    await this.#client.promoteOpaqueStructure(this.#session, values).catch(() => undefined);
  }
}
