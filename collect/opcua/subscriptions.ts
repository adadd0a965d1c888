// Subscriptions to all variables of a connection, at most a thousand in each, with queues at the server.

import type { ClientSession, ClientSubscription, DataValue, NotificationMessage } from 'node-opcua-client';
import type { NodeSelection } from '../config.ts';
import type { Client } from './library.ts';
import type { Variable } from './nodes/found-node.ts';
import { OrderedNotifications } from './ordered-notifications.ts';
import type { RecordedSubscription } from './subscription-record.ts';

const MOST_ITEMS = 1000;
const KEEP_ALIVE_MS = 3000;
const LIFETIME_COUNT = 20;
const EARLY_MESSAGES = 100;

export interface SubscriptionOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly publishingMs: number;
  readonly itemsPerRequest: number;
  readonly onValue: (variable: Variable, value: DataValue) => void;
  /** Something came, if only a sign of life. */
  readonly onSign: () => void;
  readonly onEnd: (reason: string) => void;
}

export interface Subscribed {
  readonly subscriptions: readonly RecordedSubscription[];
  /** Variables that the server does not let be monitored, each with its reason. */
  readonly refused: ReadonlyMap<Variable, string>;
}

export async function subscribe(variables: readonly Variable[], options: SubscriptionOptions): Promise<Subscribed> {
  const bySelection = new Map<NodeSelection, Variable[]>();
  for (const variable of variables) {
    const list = bySelection.get(variable.selection);
    if (list === undefined) bySelection.set(variable.selection, [variable]);
    else list.push(variable);
  }
  const subscriptions: RecordedSubscription[] = [];
  const refused = new Map<Variable, string>();
  for (const [selection, all] of bySelection) {
    for (let from = 0; from < all.length; from += MOST_ITEMS) {
      const group = new SubscribedGroup(selection, options);
      subscriptions.push(await group.open(all.slice(from, from + MOST_ITEMS), refused));
    }
  }
  return { subscriptions, refused };
}

class SubscribedGroup {
  readonly #selection: NodeSelection;
  readonly #options: SubscriptionOptions;
  readonly #byHandle = new Map<number, Variable>();
  readonly #ordered: OrderedNotifications;
  /** Notifications that come before the answer that tells whose they are. */
  #early: NotificationMessage[] | undefined = [];

  constructor(selection: NodeSelection, options: SubscriptionOptions) {
    this.#selection = selection;
    this.#options = options;
    this.#ordered = new OrderedNotifications(options.session, options.client, ({ handle, value }) => {
      const variable = this.#byHandle.get(handle);
      if (variable !== undefined) options.onValue(variable, value);
    });
  }

  async open(variables: readonly Variable[], refused: Map<Variable, string>): Promise<RecordedSubscription> {
    const { session, publishingMs, itemsPerRequest, onEnd } = this.#options;
    const keepAliveCount = Math.max(1, Math.ceil(KEEP_ALIVE_MS / publishingMs));
    const subscription = await session.createSubscription2({
      requestedPublishingInterval: publishingMs,
      requestedMaxKeepAliveCount: keepAliveCount,
      requestedLifetimeCount: keepAliveCount * LIFETIME_COUNT,
      maxNotificationsPerPublish: 0,
      publishingEnabled: true,
      priority: 0,
    });
    subscription.on('raw_notification', (message) => this.#receive(message));
    subscription.on('terminated', () => onEnd('the subscription has ended'));
    for (let from = 0; from < variables.length; from += itemsPerRequest)
      await this.#monitor(subscription, variables.slice(from, from + itemsPerRequest), refused);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const message of early) this.#ordered.take(message);
    const items = [...this.#byHandle].map(([handle, { nodeId }]) => [handle, nodeId] as const);
    return { id: subscription.subscriptionId, items };
  }

  async #monitor(
    subscription: ClientSubscription,
    variables: readonly Variable[],
    refused: Map<Variable, string>,
  ): Promise<void> {
    const { client } = this.#options;
    const { samplingMs, queueSize } = this.#selection;
    const group = await subscription.monitorItems(
      variables.map(({ nodeId }) => ({
        nodeId: client.resolveNodeId(nodeId),
        attributeId: client.AttributeIds.Value,
      })),
      { samplingInterval: samplingMs, queueSize, discardOldest: true },
      client.TimestampsToReturn.Both,
    );
    for (const [index, { statusCode, monitoringParameters }] of group.monitoredItems.entries()) {
      const variable = variables[index] as Variable;
      if (statusCode === undefined || statusCode.isGood())
        this.#byHandle.set(monitoringParameters.clientHandle, variable);
      else refused.set(variable, statusCode.name);
    }
  }

  #receive(message: NotificationMessage): void {
    this.#options.onSign();
    if (this.#early === undefined) this.#ordered.take(message);
    else if (this.#early.length < EARLY_MESSAGES) this.#early.push(message);
  }
}
