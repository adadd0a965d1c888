// Passes new points on to the subscriptions that listen to their tags: one watch for each dataset, each point made text once.

import { type Engine, EngineError, type PointChunk, type PointWatch } from '../../../../engine/index.ts';
import { type Listening, RunQueue } from './run-queue.ts';
import type { Monitored, Subscription } from './subscription.ts';
import { updateOf } from './update-text.ts';

interface Listener extends Listening {
  readonly monitored: Monitored;
}

interface Listened {
  /** By name, so that a tag that was deleted and made again goes on. */
  readonly listeners: Map<string, Map<Subscription, Listener>>;
  /** Of elements whose newest point is waited for, because it is elsewhere: none newer has come yet. */
  readonly waiting: Set<Monitored>;
}

interface Feed extends Listened {
  watch: PointWatch;
}

export class Feeds {
  readonly #engine: Engine;
  readonly #feeds = new Map<string, Feed>();
  readonly #runs = new RunQueue();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Resolves when the points that are stored by now have come to their subscriptions; undefined when they have. */
  settled(): Promise<void> | undefined {
    return this.#runs.settled();
  }

  /** Begins with the tag's newest point; in the same turn, so that no point is missing or comes twice. */
  add(subscription: Subscription, monitored: Monitored): void {
    const { dataset, tag, elementId } = monitored;
    if (tag === undefined) return;
    const { listeners, waiting } = this.#feedOf(dataset);
    const known = listeners.get(tag) ?? new Map<Subscription, Listener>();
    listeners.set(tag, known.set(subscription, { monitored, elementId, fromRun: this.#runs.nextRun }));
    const newest = this.#newest(dataset, tag, elementId);
    if (!(newest instanceof Promise)) return newest === undefined ? undefined : subscription.push(newest);
    waiting.add(monitored);
    const take = (update: string | undefined): void => {
      if (waiting.delete(monitored) && update !== undefined) subscription.push(update);
    };
    // What cannot be asked for now comes with its next point.
    newest.then(take, () => take(undefined));
  }

  remove(subscription: Subscription, { dataset, tag }: Monitored): void {
    const feed = this.#feeds.get(dataset);
    const known = tag === undefined ? undefined : feed?.listeners.get(tag);
    if (feed === undefined || known === undefined || tag === undefined) return;
    const listening = known.get(subscription);
    if (listening) feed.waiting.delete(listening.monitored);
    known.delete(subscription);
    if (known.size === 0) feed.listeners.delete(tag);
    if (feed.listeners.size > 0) return;
    feed.watch.stop();
    this.#feeds.delete(dataset);
  }

  /** Watches datasets again that were deleted and made again. */
  renew(): void {
    for (const [dataset, feed] of this.#feeds) {
      if (feed.watch.isOn || !this.#engine.hasDataset(dataset)) continue;
      try {
        feed.watch = this.#watch(dataset, feed);
      } catch (error) {
        // It is there and cannot be opened yet: tried again at the next beat.
        if (!(error instanceof EngineError)) throw error;
      }
    }
  }

  stop(): void {
    for (const { watch } of this.#feeds.values()) watch.stop();
    this.#feeds.clear();
  }

  #feedOf(dataset: string): Feed {
    const known = this.#feeds.get(dataset);
    if (known?.watch.isOn) return known;
    const listened: Listened = known ?? { listeners: new Map(), waiting: new Set() };
    const feed = { ...listened, watch: this.#watch(dataset, listened) };
    this.#feeds.set(dataset, feed);
    return feed;
  }

  #watch(dataset: string, { listeners, waiting }: Listened): PointWatch {
    return this.#engine.watch(dataset, (run) => {
      const known = run.isSystem ? undefined : listeners.get(run.tag.name);
      if (known === undefined) return;
      if (waiting.size > 0) for (const { monitored } of known.values()) waiting.delete(monitored);
      this.#runs.add(run, known);
    });
  }

  #newest(dataset: string, tag: string, elementId: string): string | undefined | Promise<string | undefined> {
    const request = { carryIn: false, skipMissing: true, limit: undefined, after: [] };
    const read = this.#engine.read(dataset, { ...request, tags: [tag], range: { kind: 'newest' } });
    if (read.tagCount === 0) return undefined;
    const cursor = read.open(0);
    const update = (chunk: PointChunk | undefined): string | undefined =>
      chunk === undefined || chunk.start === chunk.end
        ? undefined
        : updateOf(JSON.stringify(elementId), chunk, chunk.end - 1);
    const chunk = cursor.next();
    if (chunk instanceof Promise) return chunk.then(update).finally(() => cursor.close());
    const text = update(chunk);
    cursor.close();
    return text;
  }
}
