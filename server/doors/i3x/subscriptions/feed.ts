// Passes new points on to the subscriptions that listen to their tags: one watch for each dataset, each point made text once.

import type { Engine, PointChunk, PointWatch, StoredRun } from '../../../../engine/index.ts';
import { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import { writeVqt } from '../elements/vqt.ts';
import type { Monitored, Subscription } from './subscription.ts';

/** Of more points of a tag at once the newest are passed on. */
const MOST_POINTS = 10_000;

interface Feed {
  watch: PointWatch;
  /** By name, so that a tag that was deleted and made again goes on. */
  readonly listeners: Map<string, Map<Subscription, Monitored>>;
}

const out = new OutputBytes(1024);

export class Feeds {
  readonly #engine: Engine;
  readonly #feeds = new Map<string, Feed>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Begins with the tag's newest point; in the same turn, so that no point is missing or comes twice. */
  add(subscription: Subscription, monitored: Monitored): void {
    const { dataset, tag, elementId } = monitored;
    if (tag === undefined) return;
    const { listeners } = this.#feedOf(dataset);
    const known = listeners.get(tag) ?? new Map<Subscription, Monitored>();
    listeners.set(tag, known.set(subscription, monitored));
    const newest = this.#newest(dataset, tag, elementId);
    if (newest !== undefined) subscription.push(newest);
  }

  remove(subscription: Subscription, { dataset, tag }: Monitored): void {
    const feed = this.#feeds.get(dataset);
    const known = tag === undefined ? undefined : feed?.listeners.get(tag);
    if (feed === undefined || known === undefined || tag === undefined) return;
    known.delete(subscription);
    if (known.size === 0) feed.listeners.delete(tag);
    if (feed.listeners.size > 0) return;
    feed.watch.stop();
    this.#feeds.delete(dataset);
  }

  /** Watches datasets again that were deleted and made again. */
  renew(): void {
    for (const [dataset, feed] of this.#feeds) {
      if (!feed.watch.isOn && this.#engine.hasDataset(dataset)) feed.watch = this.#watch(dataset, feed.listeners);
    }
  }

  stop(): void {
    for (const { watch } of this.#feeds.values()) watch.stop();
    this.#feeds.clear();
  }

  #feedOf(dataset: string): Feed {
    const known = this.#feeds.get(dataset);
    if (known?.watch.isOn) return known;
    const listeners: Feed['listeners'] = known?.listeners ?? new Map();
    const feed = { listeners, watch: this.#watch(dataset, listeners) };
    this.#feeds.set(dataset, feed);
    return feed;
  }

  #watch(dataset: string, listeners: Feed['listeners']): PointWatch {
    return this.#engine.watch(dataset, (run) => pass(run, run.isSystem ? undefined : listeners.get(run.tag.name)));
  }

  #newest(dataset: string, tag: string, elementId: string): string | undefined {
    const request = { carryIn: false, skipMissing: true, limit: undefined, after: [] };
    const read = this.#engine.read(dataset, { ...request, tags: [tag], range: { kind: 'newest' } });
    if (read.tagCount === 0) return undefined;
    const cursor = read.open(0);
    try {
      const chunk = cursor.next();
      if (chunk === undefined || chunk instanceof Promise || chunk.start === chunk.end) return undefined;
      return updateOf(elementId, chunk, chunk.end - 1);
    } finally {
      cursor.close();
    }
  }
}

function pass(run: StoredRun, listeners: ReadonlyMap<Subscription, Monitored> | undefined): void {
  if (listeners === undefined) return;
  const { type, points, start, count } = run;
  const end = start + count;
  const chunk = { type, points, start, end };
  for (let i = Math.max(start, end - MOST_POINTS); i < end; i++) {
    let update: string | undefined;
    for (const [subscription, { elementId }] of listeners) {
      update ??= updateOf(elementId, chunk, i);
      subscription.push(update);
    }
  }
  if (count > MOST_POINTS) for (const { queue } of listeners.keys()) queue.hasDropped = true;
}

function updateOf(elementId: string, chunk: PointChunk, i: number): string {
  out.clear();
  out.utf8(`{"elementId":${JSON.stringify(elementId)},`);
  writeVqt(out, chunk, i);
  out.ascii('}');
  return out.bytes.toString('utf8', 0, out.length);
}
