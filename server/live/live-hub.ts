// All live data of a server: who listens to which dataset, what they get when they come, and the beat that keeps their
// connections open.

import { randomBytes } from 'node:crypto';
import { type Engine, EngineError, nextTurn, type TagCursor } from '../../engine/index.ts';
import { formatInstant } from '../codec/scalars/timestamp.ts';
import { DEFAULT_STYLE, type ValueStyle } from '../codec/write-json/value-style.ts';
import { ProblemError } from '../problem.ts';
import { createPacer } from '../process/pacer.ts';
import { catchUp } from './catch-up.ts';
import { jsonOf, LiveDataset } from './live-dataset.ts';
import type { LiveMarker } from './marker.ts';
import type { Outlet } from './outlet.ts';
import { Subscriber } from './subscriber.ts';
import { TagMap } from './tag-map.ts';

/** uWebSockets closes a connection on which nothing was sent for 8 s. */
const KEEP_ALIVE_MS = 5000;
const BEATS_A_HEARTBEAT = 3;
/** So long the latest points of a dataset are remembered after the last client has gone. */
const MEMORY_MS = 600_000;
/** Each may make up to 1 MiB wait. */
const MAX_SUBSCRIBERS = 4096;
/** Tags of one `current` event: they are looked up in one go. */
const TAGS_AN_EVENT = 100;
/** So many runs are looked at in one turn. */
const FEW_RUNS = 8192;

export interface Subscription {
  readonly dataset: string;
  /** Undefined: all user tags. */
  readonly names: readonly string[] | undefined;
  /** Where a client was before it lost its connection; `unknown` for a text that is no marker. */
  readonly since: LiveMarker | 'unknown' | undefined;
}

export interface LiveHubOptions {
  readonly engine: Engine;
  readonly nowMs: () => number;
  readonly values?: Pick<ValueStyle, 'booleans' | 'nulls'>;
  readonly keepAliveMs?: number;
}

export class LiveHub {
  readonly #engine: Engine;
  readonly #nowMs: () => number;
  readonly #style: ValueStyle;
  readonly #datasets = new Map<string, LiveDataset>();
  readonly #run = randomBytes(4).readUInt32LE().toString(36);
  readonly #keepAliveMs: number;
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;
  #subscriberCount = 0;
  #isStopped = false;

  constructor({ engine, nowMs, values, keepAliveMs }: LiveHubOptions) {
    this.#engine = engine;
    this.#nowMs = nowMs;
    this.#style = { ...DEFAULT_STYLE, ...values };
    this.#keepAliveMs = keepAliveMs ?? KEEP_ALIVE_MS;
  }

  get subscriberCount(): number {
    return this.#subscriberCount;
  }

  /** Throws what a read of these tags would throw, and a 503 when there are too many clients. */
  check({ dataset, names = [] }: Subscription): void {
    this.#engine.read(dataset, { ...ONE_POINT, tags: names });
    if (this.#isStopped) throw new ProblemError(503, 'The server is stopping.');
    if (this.#subscriberCount >= MAX_SUBSCRIBERS)
      throw new ProblemError(503, `${MAX_SUBSCRIBERS} clients listen already.`);
  }

  /** Begins to send. Call `gone` of the result when the client goes. */
  subscribe(subscription: Subscription, outlet: Outlet): Subscriber {
    const live = this.#liveDataset(subscription.dataset);
    live.flush();
    const subscriber = new Subscriber({
      outlet,
      names: subscription.names,
      run: this.#run,
      sequence: () => live.recent.sequence,
      sendCurrent: (to, names) => void this.#sendUnsent(live, to, names).catch(() => to.end()),
      onGone: (gone) => this.#remove(live, gone),
    });
    this.#subscriberCount++;
    live.subscribers.add(subscriber);
    live.idleSinceMs = undefined;
    this.#timer ??= setInterval(() => this.#beat(), this.#keepAliveMs).unref();
    void this.#begin(live, subscriber, subscription).catch(() => subscriber.end());
    return subscriber;
  }

  /** Ends all streams; nobody is taken any more. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const live of this.#datasets.values()) live.stop();
    this.#datasets.clear();
  }

  async #begin(live: LiveDataset, subscriber: Subscriber, { since }: Subscription): Promise<void> {
    if (since !== undefined && (await this.#resumeFrom(live, subscriber, since))) {
      await this.#bringUpToDate(live, subscriber);
      return;
    }
    if (since !== undefined) subscriber.send('reset', '{}');
    await this.#beginWithCurrent(live, subscriber);
  }

  /** Resumes where the subscriber was; false when that is not known. */
  async #resumeFrom(live: LiveDataset, subscriber: Subscriber, since: LiveMarker | 'unknown'): Promise<boolean> {
    if (since === 'unknown') return false;
    if (since.kind === 'ordinals') return this.#resumeFromOrdinals(live, subscriber, since.ordinals);
    return since.run === this.#run && this.#resumeFromSequence(live, subscriber, since.sequence);
  }

  /** Of a few tags; those that the marker does not have begin with their newest points. */
  #resumeFromOrdinals(live: LiveDataset, subscriber: Subscriber, ordinals: ReadonlyMap<number, number>): boolean {
    const unknown: string[] = [];
    let knownCount = 0;
    for (const name of subscriber.names ?? []) {
      const now = live.watch.position(name);
      const ordinal = now && ordinals.get(now.tagId);
      if (now && ordinal !== undefined && ordinal <= now.ordinal) {
        subscriber.put(now.tagId, name, ordinal);
        knownCount++;
      } else unknown.push(name);
    }
    if (knownCount > 0 && unknown.length > 0) this.#sendCurrent(live, subscriber, unknown);
    return knownCount > 0;
  }

  /** A tag resumes at the first of its points that came since that run, also those that come while this yields. */
  async #resumeFromSequence(live: LiveDataset, subscriber: Subscriber, sequence: number): Promise<boolean> {
    const { recent } = live;
    const names = await this.#namesOf(live, subscriber);
    const pacer = createPacer();
    const first = new TagMap<number>();
    let seen = sequence;
    let isFresh = false;
    const look = (): void => {
      const runs = recent.some(seen, recent.sequence);
      for (const { tagId, ordinal } of runs) if (!first.has(tagId)) first.set(tagId, ordinal);
      seen += runs.length;
    };
    live.flush();
    while ((recent.countSince(seen) ?? 0) > FEW_RUNS) {
      look();
      if (pacer.isDue()) await pacer.yield();
    }
    for (const name of names) {
      if (!isFresh) {
        live.flush();
        if (recent.countSince(seen) === undefined) return false;
        while (seen < recent.sequence) look();
      }
      const now = live.watch.position(name);
      if (now) subscriber.put(now.tagId, name, first.get(now.tagId) ?? now.ordinal);
      isFresh = !pacer.isDue();
      if (!isFresh) await pacer.yield();
    }
    return recent.countSince(seen) !== undefined;
  }

  /** Some tags at a time; points of those that had their turn go through at once. */
  async #beginWithCurrent(live: LiveDataset, subscriber: Subscriber): Promise<void> {
    const names = await this.#namesOf(live, subscriber);
    for (let from = 0; from < names.length; from += TAGS_AN_EVENT) {
      this.#sendCurrent(live, subscriber, names.slice(from, from + TAGS_AN_EVENT));
      await subscriber.drained();
      if (names.length > TAGS_AN_EVENT) await nextTurn();
    }
    await this.#bringUpToDate(live, subscriber);
  }

  /** Of tags whose points a client did not take in time: few at once, very many as at the beginning. */
  async #sendUnsent(live: LiveDataset, subscriber: Subscriber, unsent: TagMap<string>): Promise<void> {
    const since = live.handedSequence;
    let names: string[] = [];
    for (const [, name] of unsent) {
      if (names.length === TAGS_AN_EVENT) {
        subscriber.isJoined = false;
        this.#sendCurrent(live, subscriber, names);
        names = [];
        await subscriber.drained();
        await nextTurn();
        if (subscriber.isOver) return;
      }
      names.push(name);
    }
    this.#sendCurrent(live, subscriber, names);
    if (!subscriber.isJoined) await this.#bringUpToDate(live, subscriber, since);
  }

  /** @param since sequence number of the first run that the subscriber can have missed */
  async #bringUpToDate(live: LiveDataset, subscriber: Subscriber, since?: number): Promise<void> {
    subscriber.isJoined = false;
    await catchUp({
      engine: this.#engine,
      live,
      subscriber,
      style: this.#style,
      names: () => this.#namesOf(live, subscriber),
      ...(since === undefined ? {} : { since }),
    });
  }

  #sendCurrent(live: LiveDataset, subscriber: Subscriber, names: readonly string[]): void {
    live.flush();
    const members: string[] = [];
    const tags: [tagId: number, name: string][] = [];
    for (const name of names) {
      const position = live.watch.position(name);
      if (!position) continue;
      subscriber.put(position.tagId, name, position.ordinal);
      tags.push([position.tagId, name]);
      const json = this.#newestOf(live.name, name);
      if (json !== undefined) members.push(`${JSON.stringify(name)}:[${json}]`);
    }
    subscriber.sendCurrent(members, tags);
  }

  #newestOf(dataset: string, name: string): string | undefined {
    const cursor: TagCursor = this.#engine.read(dataset, { ...ONE_POINT, tags: [name] }).open(0);
    const chunk = cursor.next();
    if (chunk === undefined || chunk instanceof Promise) return undefined;
    const { type, points, start, end } = chunk;
    const json = jsonOf({ type, points, start, count: end - start }, this.#style);
    cursor.close();
    return json;
  }

  async #namesOf(live: LiveDataset, { names }: Subscriber): Promise<readonly string[]> {
    if (names !== undefined) return names;
    const { user } = await this.#engine.tags(live.name);
    const pacer = createPacer();
    const all: string[] = [];
    for (const { name } of user) {
      all.push(name);
      if (pacer.isDue()) await pacer.yield();
    }
    return all;
  }

  #liveDataset(name: string): LiveDataset {
    const known = this.#datasets.get(name);
    if (known && this.#isThere(known)) return known;
    known?.stop();
    const onBehind = (subscriber: Subscriber, since: number): void => {
      void this.#bringUpToDate(live, subscriber, since).catch(() => subscriber.end());
    };
    const live = new LiveDataset({ engine: this.#engine, name, style: this.#style, onBehind });
    this.#datasets.set(name, live);
    return live;
  }

  #remove(live: LiveDataset, subscriber: Subscriber): void {
    if (!live.subscribers.delete(subscriber)) return;
    this.#subscriberCount--;
    if (live.subscribers.size === 0) live.idleSinceMs = this.#nowMs();
  }

  #beat(): void {
    this.#beats++;
    const isHeartbeat = this.#beats % BEATS_A_HEARTBEAT === 0;
    const data = JSON.stringify({ now: formatInstant({ ms: Math.floor(this.#nowMs()), ticks: 0 }) });
    for (const live of [...this.#datasets.values()]) {
      this.#dropUnused(live);
      for (const subscriber of [...live.subscribers]) {
        if (isHeartbeat && subscriber.isJoined && !subscriber.isBlocked) subscriber.send('heartbeat', data);
        else subscriber.keepAlive();
      }
    }
    if (this.#datasets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A dataset that is gone, or that nobody has listened to for long. */
  #dropUnused(live: LiveDataset): void {
    const isForgotten = live.idleSinceMs !== undefined && this.#nowMs() - live.idleSinceMs > MEMORY_MS;
    if (!isForgotten && this.#isThere(live)) return;
    this.#datasets.delete(live.name);
    live.stop();
  }

  /** Also false when a dataset was deleted and made again. */
  #isThere(live: LiveDataset): boolean {
    try {
      return this.#engine.hasDataset(live.name) && live.watch.isOn;
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }
}

const ONE_POINT = {
  range: { kind: 'newest' },
  carryIn: false,
  skipMissing: false,
  limit: undefined,
  after: [],
} as const;
