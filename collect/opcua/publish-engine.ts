// The library's publish engine, which it does not document: it sends publish requests, gives out what comes by subscription, and
// acknowledges at once. Held here to one version by package.json. A notification is acknowledged only when its points are on disk:
// what a kill takes of them, the server gives once more.

import type { ClientSession, NotificationMessage } from 'node-opcua-client';

/** What the engine asks of a subscription. */
export interface Notifiable {
  readonly subscriptionId: number;
  readonly timeoutHint: number;
  onNotificationMessage(message: NotificationMessage): void;
}

export interface PublishEngine {
  acknowledge_notification(subscriptionId: number, sequenceNumber: number): void;
  registerSubscription(subscription: Notifiable): void;
  unregisterSubscription(subscriptionId: number): void;
}

/** Throws where the library is another one than was asked for. */
export function publishEngineOf(session: ClientSession): PublishEngine {
  const engine = (session as unknown as { getPublishEngine?: () => Partial<PublishEngine> }).getPublishEngine?.();
  if (engine?.acknowledge_notification && engine.registerSubscription && engine.unregisterSubscription)
    return engine as PublishEngine;
  throw new Error('this version of node-opcua-client is not the one that docs/opcua.md names');
}

/** `kept` resolves when what has come so far is on disk. */
export function holdAcknowledgements(engine: PublishEngine, kept: () => Promise<void>): void {
  const acknowledge = engine.acknowledge_notification.bind(engine);
  engine.acknowledge_notification = (subscriptionId, sequenceNumber) => {
    // The engine acknowledges before it gives the values out.
    setImmediate(() => {
      kept().then(
        () => acknowledge(subscriptionId, sequenceNumber),
        () => undefined,
      );
    });
  };
}
