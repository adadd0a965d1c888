// Every subscription of the server. They are in memory only, and end when their client is not heard of for a while.

import { randomBytes } from 'node:crypto';
import type { Engine } from '../../../../engine/index.ts';
import { ProblemError } from '../../../problem.ts';
import { createPacer } from '../../../process/pacer.ts';
import { Feeds } from './feed.ts';
import { type Monitored, Subscription, type SubscriptionOwner } from './subscription.ts';
import type { QueueBudget } from './update-queue.ts';

const LIFETIME_MS = 600_000;
/** Connections on which nothing is sent for 8 s are closed by uWebSockets. */
const BEAT_MS = 5000;
const MAX_SUBSCRIPTIONS = 1000;
const MAX_OF_OWNER = 250;
/** Most objects that all subscriptions together monitor. */
const MAX_MONITORED = 500_000;

export class SubscriptionStore {
  readonly #feeds: Feeds;
  readonly #nowMs: () => number;
  readonly #all = new Map<string, Subscription>();
  readonly #budget: QueueBudget = { chars: 0 };
  #monitoredCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Engine, nowMs: () => number) {
    this.#feeds = new Feeds(engine, nowMs);
    this.#nowMs = nowMs;
  }

  create(owner: SubscriptionOwner, displayName: string | undefined): Subscription {
    let ofOwner = 0;
    for (const known of this.#all.values()) if (known.owner.owner === owner.owner) ofOwner++;
    if (this.#all.size >= MAX_SUBSCRIPTIONS || ofOwner >= MAX_OF_OWNER)
      throw new ProblemError(503, `There are ${ofOwner} subscriptions of this client's token; delete some.`);
    const id = randomBytes(24).toString('base64url');
    const made = new Subscription(id, owner, displayName, this.#budget);
    made.seenMs = this.#nowMs();
    this.#all.set(id, made);
    this.#timer ??= setInterval(() => void this.#beat(), BEAT_MS).unref();
    return made;
  }

  /** Undefined also for somebody else's. */
  find(id: unknown, owner: SubscriptionOwner): Subscription | undefined {
    const found = typeof id === 'string' ? this.#all.get(id) : undefined;
    if (found === undefined || !found.isOf(owner)) return undefined;
    found.seenMs = this.#nowMs();
    return found;
  }

  /** Resolves when what is stored by now waits for its subscribers; undefined when it does. */
  settled(): Promise<void> | undefined {
    return this.#feeds.settled();
  }

  /** Monitors an element; one that is monitored already changes nothing. */
  register(subscription: Subscription, monitored: Monitored): void {
    if (subscription.monitored.has(monitored.elementId)) return;
    if (this.#monitoredCount >= MAX_MONITORED)
      throw new ProblemError(503, `${MAX_MONITORED} objects are monitored already, in all subscriptions together.`);
    // First: it throws where the dataset cannot be watched.
    this.#feeds.add(subscription, monitored);
    this.#monitoredCount++;
    subscription.monitored.set(monitored.elementId, monitored);
    subscription.datasets.add(monitored.dataset);
  }

  /** False when it was not registered. */
  unregister(subscription: Subscription, elementId: string): boolean {
    const monitored = subscription.monitored.get(elementId);
    if (monitored === undefined) return false;
    subscription.monitored.delete(elementId);
    this.#monitoredCount--;
    this.#feeds.remove(subscription, monitored);
    return true;
  }

  async delete(subscription: Subscription): Promise<void> {
    this.#all.delete(subscription.id);
    subscription.stream?.end();
    const pacer = createPacer();
    for (const elementId of subscription.monitored.keys()) {
      this.unregister(subscription, elementId);
      if (pacer.isDue()) await pacer.yield();
    }
    subscription.queue.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const { stream } of this.#all.values()) stream?.end();
    this.#all.clear();
    this.#feeds.stop();
  }

  async #beat(): Promise<void> {
    this.#feeds.renew();
    const now = this.#nowMs();
    for (const subscription of [...this.#all.values()]) {
      subscription.stream?.keepAlive();
      if (subscription.stream !== undefined) subscription.seenMs = now;
      else if (now - subscription.seenMs > LIFETIME_MS) await this.delete(subscription);
    }
  }
}
