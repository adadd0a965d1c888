// Subscriptions to all variables of a connection, at most a thousand in each, with queues at the server.

import type { ClientSession, DataValue } from 'node-opcua-client';
import type { NodeSelection } from '../config.ts';
import type { DescribedNode } from './found-node.ts';
import type { Client } from './library.ts';

const MOST_ITEMS = 1000;
const KEEP_ALIVE_MS = 3000;
const LIFETIME_COUNT = 20;

export interface SubscriptionOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly publishingMs: number;
  readonly onValue: (node: DescribedNode, value: DataValue) => void;
  /** Something came, if only a sign of life. */
  readonly onSign: () => void;
  readonly onEnd: (reason: string) => void;
}

/** Gives the nodes that the server does not let be monitored, in words. */
export async function subscribe(nodes: readonly DescribedNode[], options: SubscriptionOptions): Promise<string[]> {
  const bySelection = new Map<NodeSelection, DescribedNode[]>();
  for (const node of nodes) {
    const list = bySelection.get(node.selection);
    if (list === undefined) bySelection.set(node.selection, [node]);
    else list.push(node);
  }
  const refused: string[] = [];
  for (const [selection, all] of bySelection) {
    for (let from = 0; from < all.length; from += MOST_ITEMS)
      refused.push(...(await subscribeGroup(selection, all.slice(from, from + MOST_ITEMS), options)));
  }
  return refused;
}

async function subscribeGroup(
  { samplingMs, queueSize }: NodeSelection,
  nodes: readonly DescribedNode[],
  options: SubscriptionOptions,
): Promise<string[]> {
  const { client, session, publishingMs, onValue, onSign, onEnd } = options;
  const keepAliveCount = Math.max(1, Math.ceil(KEEP_ALIVE_MS / publishingMs));
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: publishingMs,
    requestedMaxKeepAliveCount: keepAliveCount,
    requestedLifetimeCount: keepAliveCount * LIFETIME_COUNT,
    maxNotificationsPerPublish: 0,
    publishingEnabled: true,
    priority: 0,
  });
  subscription.on('keepalive', onSign);
  subscription.on('received_notifications', onSign);
  subscription.on('terminated', () => onEnd('the subscription has ended'));
  const group = await subscription.monitorItems(
    nodes.map(({ nodeId }) => ({ nodeId: client.resolveNodeId(nodeId), attributeId: client.AttributeIds.Value })),
    { samplingInterval: samplingMs, queueSize, discardOldest: true },
    client.TimestampsToReturn.Both,
  );
  group.on('changed', (_item, value, index) => onValue(nodes[index] as DescribedNode, value));
  return group.monitoredItems.flatMap(({ statusCode }, index) =>
    statusCode === undefined || statusCode.isGood() ? [] : [`${nodes[index]?.nodeId}: ${statusCode.name}`],
  );
}
