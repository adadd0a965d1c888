// Subscriptions of an earlier connection, taken over to this one: the server gives once more what nobody has acknowledged, and what
// its queues have kept since. Servers do this for sessions of one user; without a user most want a connection that is signed.

import type {
  ClientSession,
  NotificationMessage,
  RepublishResponse,
  TransferSubscriptionsResponse,
} from 'node-opcua-client';
import { atMost } from '../../forward/sleep.ts';
import type { Client } from './library.ts';
import { type NotifiedValue, valuesOf } from './notified-values.ts';
import type { PublishEngine } from './publish-engine.ts';
import type { RecordedSubscription } from './subscription-record.ts';

/** A server sends a sign of life every three seconds. */
const FIRST_LIMIT_MS = 5000;
const ASK_LIMIT_MS = 10_000;
const MOST_MESSAGES = 10_000;
const TIMEOUT_HINT_MS = 60_000;

/** Sessions have these services, and do not say so. */
interface RawSession {
  transferSubscriptions(options: {
    subscriptionIds: number[];
    sendInitialValues: boolean;
  }): Promise<TransferSubscriptionsResponse>;
  republish(options: { subscriptionId: number; retransmitSequenceNumber: number }): Promise<RepublishResponse>;
  deleteSubscriptions(options: { subscriptionIds: number[] }): Promise<unknown>;
}

export interface EarlierValue {
  readonly nodeId: string;
  readonly value: NotifiedValue['value'];
}

export class EarlierSubscriptions {
  readonly #session: ClientSession;
  readonly #raw: RawSession;
  readonly #client: typeof Client;
  readonly #engine: PublishEngine;
  readonly #taken: TakenSubscription[] = [];

  constructor(session: ClientSession, client: typeof Client, engine: PublishEngine) {
    this.#session = session;
    this.#raw = session as unknown as RawSession;
    this.#client = client;
    this.#engine = engine;
  }

  /** Node ids whose values are not lost since the earlier connection. */
  get nodeIds(): ReadonlySet<string> {
    return new Set(this.#taken.flatMap(({ recorded }) => recorded.items.map(([, nodeId]) => nodeId)));
  }

  /** A server that does not do this, or has forgotten them, is no fault. */
  async takeOver(recorded: readonly RecordedSubscription[]): Promise<void> {
    if (recorded.length === 0) return;
    const subscriptionIds = recorded.map(({ id }) => id);
    const asking = this.#raw.transferSubscriptions({ subscriptionIds, sendInitialValues: false });
    const answer = await atMost(ASK_LIMIT_MS, asking).catch(() => undefined);
    for (const [index, { statusCode, availableSequenceNumbers }] of (answer?.results ?? []).entries()) {
      const subscription = recorded[index];
      if (subscription === undefined || !statusCode.isGood()) continue;
      const taken = new TakenSubscription(subscription, [...(availableSequenceNumbers ?? [])]);
      this.#taken.push(taken);
      this.#engine.registerSubscription(taken);
    }
  }

  /** Everything they have, in the order in which it was sent. */
  async read(): Promise<EarlierValue[]> {
    const values: EarlierValue[] = [];
    for (const taken of this.#taken) {
      for (const message of [...(await this.#republish(taken)), ...(await taken.messages(FIRST_LIMIT_MS))])
        for (const { handle, value } of valuesOf(message, this.#client)) {
          const nodeId = taken.nodeIdOf(handle);
          if (nodeId !== undefined) values.push({ nodeId, value });
        }
    }
    const found = values.map(({ value }) => value);
    const structures = found.filter(({ value }) => value?.dataType === this.#client.DataType.ExtensionObject);
    if (structures.length > 0)
      await this.#client.promoteOpaqueStructure(this.#session, structures).catch(() => undefined);
    return values;
  }

  /** Ends them: what they had is on disk. */
  async end(): Promise<void> {
    if (this.#taken.length === 0) return;
    const subscriptionIds = this.#taken.map(({ subscriptionId }) => subscriptionId);
    for (const id of subscriptionIds) this.#engine.unregisterSubscription(id);
    this.#taken.length = 0;
    await atMost(ASK_LIMIT_MS, this.#raw.deleteSubscriptions({ subscriptionIds })).catch(() => undefined);
  }

  async #republish(taken: TakenSubscription): Promise<NotificationMessage[]> {
    const messages: NotificationMessage[] = [];
    for (const retransmitSequenceNumber of taken.unacknowledged.slice(0, MOST_MESSAGES)) {
      const { subscriptionId } = taken;
      const asking = this.#raw.republish({ subscriptionId, retransmitSequenceNumber });
      const answer = await atMost(ASK_LIMIT_MS, asking).catch(() => undefined);
      if (answer?.notificationMessage) messages.push(answer.notificationMessage);
    }
    return messages;
  }
}

class TakenSubscription {
  readonly recorded: RecordedSubscription;
  readonly unacknowledged: readonly number[];
  readonly subscriptionId: number;
  readonly timeoutHint = TIMEOUT_HINT_MS;
  readonly #nodeIds: ReadonlyMap<number, string>;
  readonly #messages: NotificationMessage[] = [];
  #wake: () => void = () => undefined;
  readonly #first: Promise<void>;

  constructor(recorded: RecordedSubscription, unacknowledged: readonly number[]) {
    this.recorded = recorded;
    this.subscriptionId = recorded.id;
    this.unacknowledged = unacknowledged;
    this.#nodeIds = new Map(recorded.items);
    this.#first = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  onNotificationMessage(message: NotificationMessage): void {
    if (this.#messages.length < MOST_MESSAGES) this.#messages.push(message);
    this.#wake();
  }

  nodeIdOf(handle: number): string | undefined {
    return this.#nodeIds.get(handle);
  }

  /** What has come, once anything has: the first notification holds all that was queued. */
  async messages(limitMs: number): Promise<readonly NotificationMessage[]> {
    await atMost(limitMs, this.#first);
    return this.#messages;
  }
}
