// One subscription: who made it, what it listens to, and what waits for it.

import { type QueueBudget, UpdateQueue, type Updates } from './update-queue.ts';

export interface Monitored {
  readonly elementId: string;
  readonly dataset: string;
  /** Undefined of what never has a value. */
  readonly tag: string | undefined;
  readonly maxDepth: number;
}

export interface SubscriptionOwner {
  readonly clientId: string;
  /** Owner of the token. */
  readonly owner: string | undefined;
}

/** The open stream of a subscription. */
export interface UpdateStream {
  /** There is something to take. */
  wake(): void;
  end(): void;
  keepAlive(): void;
}

export class Subscription {
  readonly id: string;
  readonly displayName: string | undefined;
  readonly owner: SubscriptionOwner;
  readonly monitored = new Map<string, Monitored>();
  readonly queue: UpdateQueue;
  stream: UpdateStream | undefined;
  /** All datasets that it ever had something of: of none of them more may wait than the caller may read. */
  readonly datasets = new Set<string>();
  /** When the client was last there. */
  seenMs = 0;

  constructor(id: string, owner: SubscriptionOwner, displayName: string | undefined, budget: QueueBudget) {
    this.id = id;
    this.owner = owner;
    this.displayName = displayName;
    this.queue = new UpdateQueue(budget);
  }

  push(update: string): void {
    this.queue.add(update);
    this.stream?.wake();
  }

  /** Many at once, in batches that others share. */
  pushShared(lists: readonly Updates[]): void {
    for (const list of lists) this.queue.addShared(list);
    this.stream?.wake();
  }

  isOf({ clientId, owner }: SubscriptionOwner): boolean {
    return this.owner.clientId === clientId && this.owner.owner === owner;
  }
}
