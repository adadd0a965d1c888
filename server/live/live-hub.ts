// All live data of a server: who listens to which dataset, what they get when they come, and the beat that keeps their
// connections open.

import { type Engine, EngineError, type NameSequence, nextTurn } from '../../engine/index.ts';
import { formatInstant } from '../codec/scalars/timestamp.ts';
import { DEFAULT_STYLE, type ValueStyle } from '../codec/write-json/value-style.ts';
import { type HeldMemory, UNCHARGED } from '../http/memory/answer-memory.ts';
import { ProblemError } from '../problem.ts';
import { createPacer } from '../process/pacer.ts';
import { catchUp } from './catch-up.ts';
import { checkTags, type Feed, pointFrom, sendCurrent } from './current.ts';
import { LiveDataset } from './live-dataset.ts';
import { checkOf, type LiveMarker, type MarkedTag } from './marker.ts';
import type { Outlet } from './outlet.ts';
import { Subscriber } from './subscriber.ts';
import { ORDINAL_BYTES, TagMap } from './tag-map.ts';

/** uWebSockets closes a connection on which nothing was sent for 8 s. */
const KEEP_ALIVE_MS = 5000;
const BEATS_A_HEARTBEAT = 3;
/** Time that the latest points of a dataset are remembered after the last client has gone. */
const MEMORY_MS = 600_000;
/** Each may make up to 1 MiB wait. */
const MAX_SUBSCRIBERS = 4096;
/** Clients that get a heartbeat in one turn. */
const LISTENERS_A_TURN = 100;
/** Most runs that are looked at in one turn. */
const FEW_RUNS = 8192;

type MarkedTags = ReadonlyMap<number, MarkedTag>;

export interface Subscription {
  readonly dataset: string;
  /** Undefined: all user tags. */
  readonly names: readonly string[] | undefined;
  /** Marker of what a client had before it lost its connection; `unknown` for a text that is no marker. */
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
  readonly #keepAliveMs: number;
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;
  #isBeating = false;
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

  /** Throws what a read of these tags would throw, and a 503 when there are too many clients, or they hold too much. */
  check({ dataset, names }: Subscription, memory: HeldMemory): void {
    checkTags(this.#engine, dataset, names ?? []);
    if (this.#isStopped) throw new ProblemError(503, 'The server is stopping.');
    if (this.#subscriberCount >= MAX_SUBSCRIBERS)
      throw new ProblemError(503, `${MAX_SUBSCRIBERS} clients listen already.`);
    if (names === undefined) memory.take(ORDINAL_BYTES * this.#engine.dataset(dataset).tagCount);
  }

  /** Begins to send. Call `gone` of the result when the client goes. */
  subscribe(subscription: Subscription, outlet: Outlet, memory: HeldMemory = UNCHARGED): Subscriber {
    const live = this.#liveDataset(subscription.dataset);
    live.flush();
    const subscriber = new Subscriber({
      outlet,
      memory,
      names: subscription.names,
      epoch: live.epoch,
      onTag: (to, tagId, change) => live.changeTag(to, tagId, change),
      onLost: (to) => this.#leaveBehind(live, to, live.handedSequence),
      onGone: (gone) => this.#remove(live, gone),
    });
    this.#subscriberCount++;
    live.add(subscriber);
    live.idleSinceMs = undefined;
    this.#timer ??= setInterval(() => void this.#beat(), this.#keepAliveMs).unref();
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
    if (since === undefined || !(await this.#resumeFrom(live, subscriber, since))) {
      if (since !== undefined) subscriber.sendReset();
      live.flush();
      const { sequence } = live.recent;
      await sendCurrent(this.#feedOf(live, subscriber), await this.#namesOf(live, subscriber), sequence);
    }
    await this.#bringUpToDate(live, subscriber);
  }

  /** Resumes where the subscriber was; false when that is not known. */
  async #resumeFrom(live: LiveDataset, subscriber: Subscriber, since: LiveMarker | 'unknown'): Promise<boolean> {
    if (since === 'unknown') return false;
    const isSameEpoch = since.epoch === live.epoch;
    if (since.kind === 'sequence') return isSameEpoch && this.#resumeFromSequence(live, subscriber, since.sequence);
    if (!isSameEpoch && !(await this.#isOfThisHistory(live, subscriber, since.tags))) return false;
    return this.#resumeFromOrdinals(live, subscriber, since.tags);
  }

  /**
   * Whether the last point that the client was given of each tag is still there: it is not where the dataset was restored from
   * a backup, or has lost its last points with the power.
   */
  async #isOfThisHistory(live: LiveDataset, subscriber: Subscriber, marked: MarkedTags): Promise<boolean> {
    for (const name of subscriber.names ?? []) {
      const now = live.watch.position(name);
      const known = now && marked.get(now.tagId);
      if (now === undefined || known === undefined || known.ordinal === 0) continue;
      if (known.ordinal > now.ordinal || known.check === undefined) return false;
      const marker = { tagId: now.tagId, ordinal: known.ordinal - 1 };
      const point = await pointFrom(this.#feedOf(live, subscriber), name, marker);
      if (point === undefined || checkOf(point) !== known.check) return false;
    }
    return true;
  }

  /** Resumes a few tags; those that the marker does not have begin with their newest points. */
  async #resumeFromOrdinals(live: LiveDataset, subscriber: Subscriber, marked: MarkedTags): Promise<boolean> {
    const unknown: string[] = [];
    let knownCount = 0;
    for (const name of subscriber.names ?? []) {
      const now = live.watch.position(name);
      const known = now && marked.get(now.tagId);
      if (now && known !== undefined && known.ordinal <= now.ordinal) {
        subscriber.resume(now.tagId, name, known);
        knownCount++;
      } else unknown.push(name);
    }
    if (knownCount === 0) return false;
    await sendCurrent(this.#feedOf(live, subscriber), unknown);
    return true;
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
    while ((recent.countSince(seen) ?? 0) > FEW_RUNS && !subscriber.isOver) {
      look();
      if (pacer.isDue()) await pacer.yield();
    }
    for (let i = 0; i < names.length && !subscriber.isOver; i++) {
      const name = names.at(i);
      if (!isFresh) {
        live.flush();
        if (recent.countSince(seen) === undefined) return false;
        while (seen < recent.sequence) look();
      }
      const now = name === undefined ? undefined : live.watch.position(name);
      if (name !== undefined && now) subscriber.put(now.tagId, name, first.get(now.tagId) ?? now.ordinal);
      isFresh = !pacer.isDue();
      if (!isFresh) await pacer.yield();
    }
    if (recent.countSince(seen) === undefined) return false;
    subscriber.hasAllBefore(sequence);
    return true;
  }

  #feedOf(live: LiveDataset, subscriber: Subscriber): Feed {
    return { engine: this.#engine, live, subscriber, style: this.#style };
  }

  /** The subscriber gets from the store what came since it had all before a sequence number, and is live again then. */
  #leaveBehind(live: LiveDataset, subscriber: Subscriber, since: number): void {
    void this.#bringUpToDate(live, subscriber, since).catch(() => subscriber.end());
  }

  /** @param since sequence number of the first run that the subscriber can have missed */
  async #bringUpToDate(live: LiveDataset, subscriber: Subscriber, since?: number): Promise<void> {
    subscriber.isJoined = false;
    await catchUp({
      ...this.#feedOf(live, subscriber),
      names: () => this.#namesOf(live, subscriber),
      ...(since === undefined ? {} : { since }),
    });
  }

  /** All of them are one list for all who ask. */
  async #namesOf(live: LiveDataset, subscriber: Subscriber): Promise<NameSequence> {
    if (subscriber.names !== undefined) return subscriber.names;
    const { user } = await this.#engine.tags(live.name, () => subscriber.isOver);
    return user.names;
  }

  #liveDataset(name: string): LiveDataset {
    const known = this.#datasets.get(name);
    if (known && this.#isThere(known)) return known;
    known?.stop();
    const onBehind = (subscriber: Subscriber, since: number): void => this.#leaveBehind(live, subscriber, since);
    const live = new LiveDataset({ engine: this.#engine, name, style: this.#style, onBehind });
    this.#datasets.set(name, live);
    return live;
  }

  #remove(live: LiveDataset, subscriber: Subscriber): void {
    if (!live.remove(subscriber)) return;
    this.#subscriberCount--;
    if (live.subscribers.size === 0) live.idleSinceMs = this.#nowMs();
  }

  /** Never two at a time: it has turns between its listeners. */
  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#beats++;
    const isHeartbeat = this.#beats % BEATS_A_HEARTBEAT === 0;
    const data = JSON.stringify({ now: formatInstant({ ms: Math.floor(this.#nowMs()), ticks: 0 }) });
    for (const live of [...this.#datasets.values()]) {
      this.#dropUnused(live);
      let listeners = 0;
      for (const subscriber of [...live.subscribers]) {
        if (isHeartbeat && subscriber.isJoined && !subscriber.isBlocked) subscriber.send('heartbeat', data);
        else subscriber.keepAlive();
        if (++listeners % LISTENERS_A_TURN === 0) await nextTurn();
      }
    }
    this.#isBeating = false;
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
