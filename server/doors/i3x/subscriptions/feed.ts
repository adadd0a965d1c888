// Passes new points on to the subscriptions that listen to their tags: one watch for each dataset, each point made text once.
// A point that has become the newest one because of a removal or a correction is passed on, too.

import {
  type CorrectedRange,
  compareInstants,
  type Engine,
  EngineError,
  type Instant,
  type PointChunk,
  type PointWatch,
} from '../../../../engine/index.ts';
import { type Listening, RunQueue } from './run-queue.ts';
import type { Monitored, Subscription } from './subscription.ts';
import { noValueOf, updateOf } from './update-text.ts';

interface Listener extends Listening {
  readonly monitored: Monitored;
}

interface Listened {
  /** By name, so that a tag that was deleted and made again goes on. */
  readonly listeners: Map<string, Map<Subscription, Listener>>;
  /** Elements whose newest point is waited for, because it is elsewhere: none newer has come yet. */
  readonly waiting: Set<Monitored>;
  /** By name, up to where points of tags have changed, until that is looked at. */
  readonly changed: Map<string, Instant>;
}

interface Feed extends Listened {
  watch: PointWatch;
}

export class Feeds {
  readonly #engine: Engine;
  readonly #feeds = new Map<string, Feed>();
  readonly #runs = new RunQueue();
  readonly #nowMs: () => number;

  constructor(engine: Engine, nowMs: () => number) {
    this.#engine = engine;
    this.#nowMs = nowMs;
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
    const id = JSON.stringify(elementId);
    const newest = this.#newest(dataset, tag, (chunk) => (chunk ? updateOf(id, chunk, chunk.end - 1) : undefined));
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
    const listened: Listened = known ?? { listeners: new Map(), waiting: new Set(), changed: new Map() };
    const feed = { ...listened, watch: this.#watch(dataset, listened) };
    this.#feeds.set(dataset, feed);
    return feed;
  }

  #watch(dataset: string, listened: Listened): PointWatch {
    const { listeners, waiting } = listened;
    return this.#engine.watch(
      dataset,
      (run) => {
        const known = run.isSystem ? undefined : listeners.get(run.tag.name);
        if (known === undefined) return;
        if (waiting.size > 0) for (const { monitored } of known.values()) waiting.delete(monitored);
        this.#runs.add(run, known);
      },
      (range) => this.#noteChange(dataset, listened, range),
    );
  }

  /** What is newest when the change is looked at goes behind the points that came before. */
  #noteChange(dataset: string, { listeners, changed }: Listened, { isSystem, tag, end }: CorrectedRange): void {
    const { name } = tag;
    const known = isSystem ? undefined : listeners.get(name);
    const [first] = known?.values() ?? [];
    if (known === undefined || first === undefined) return;
    const noted = changed.get(name);
    changed.set(name, noted && compareInstants(noted, end) > 0 ? noted : end);
    if (noted !== undefined) return;
    const id = JSON.stringify(first.elementId);
    this.#runs.addChange(async () => {
      const until = changed.get(name) as Instant;
      changed.delete(name);
      try {
        return await this.#newest(dataset, name, (chunk) => this.#changedUpdate(id, chunk, until));
      } catch (error) {
        // The dataset was deleted meanwhile.
        if (error instanceof EngineError) return undefined;
        throw error;
      }
    }, known);
  }

  #changedUpdate(id: string, chunk: PointChunk | undefined, until: Instant): string | undefined {
    if (chunk === undefined) return noValueOf(id, Math.floor(this.#nowMs()));
    const i = chunk.end - 1;
    const time = { ms: chunk.points.timesMs[i] as number, ticks: chunk.points.ticks[i] as number };
    return compareInstants(time, until) <= 0 ? updateOf(id, chunk, i) : undefined;
  }

  /** @param update of the newest point; it is undefined where there is none */
  #newest<T>(dataset: string, tag: string, update: (chunk: PointChunk | undefined) => T): T | Promise<T> {
    const request = { carryIn: false, skipMissing: true, limit: undefined, after: [] };
    const read = this.#engine.read(dataset, { ...request, tags: [tag], range: { kind: 'newest' } });
    if (read.tagCount === 0) return update(undefined);
    const cursor = read.open(0);
    const take = (chunk: PointChunk | undefined): T => update(chunk && chunk.start < chunk.end ? chunk : undefined);
    const chunk = cursor.next();
    if (chunk instanceof Promise) return chunk.then(take).finally(() => cursor.close());
    const taken = take(chunk);
    cursor.close();
    return taken;
  }
}
