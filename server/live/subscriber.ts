// One client of live data: the tags it listens to, its next ordinal of each, and the events it has not taken yet. The queue
// of events is bounded: what exceeds it is dropped, and the client gets the newest values when it takes something again.

import type { ReadMarker } from '../../engine/index.ts';
import { formatOrdinals, formatSequence, MAX_MARKED_TAGS } from './marker.ts';
import type { LiveEvent, Outlet } from './outlet.ts';
import { TagMap } from './tag-map.ts';

/** What may wait for one client; also the length of one event, about. */
export const MAX_WAITING_CHARS = 1_048_576;

/** Points of one tag as JSON, without brackets. */
export interface TagPoints extends ReadMarker {
  /** Of the tag. */
  readonly name: string;
  readonly json: string;
  readonly count: number;
}

export interface SubscriberParts {
  readonly outlet: Outlet;
  /** Names as they were asked for; undefined for all user tags. */
  readonly names: readonly string[] | undefined;
  /** This run of the server, and the sequence number up to which it has seen runs of points. */
  readonly run: string;
  readonly sequence: () => number;
  /** Sends the newest points of these tags, by id with their names, as `current`. */
  readonly sendCurrent: (subscriber: Subscriber, names: TagMap<string>) => void;
  readonly onGone: (subscriber: Subscriber) => void;
}

export class Subscriber {
  readonly names: readonly string[] | undefined;
  /** The next ordinal of each tag, by id. */
  readonly ordinals = new TagMap<number>();
  /** The names it knows its tags by. */
  readonly nameOf = new TagMap<string>();
  /** False until it has got the points from before it came; until then new points are not passed on to it. */
  isJoined = false;
  isOver = false;
  /** Once it is joined: it has all that came before this sequence number. */
  #sequence = 0;
  readonly #parts: SubscriberParts;
  /** Events that wait. */
  #waiting: string[] = [];
  #waitingChars = 0;
  #isBlocked = false;
  /** Points that wait or were dropped, and the names of their tags. */
  #unsentPoints = 0;
  #unsent = new TagMap<string>();
  #isSkipping = false;

  constructor(parts: SubscriberParts) {
    this.names = parts.names;
    this.#parts = parts;
  }

  /** True while the client has not taken what was sent last. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** The marker of what was sent. */
  get id(): string {
    const { names, run, sequence } = this.#parts;
    if (names === undefined || names.length > MAX_MARKED_TAGS)
      return formatSequence(run, this.isJoined ? this.#sequence : sequence());
    return formatOrdinals([...this.ordinals].map(([tagId, ordinal]) => ({ tagId, ordinal })));
  }

  /** Whether it listens to a tag; system tags only by name. */
  wants(tagId: number, isSystem: boolean): boolean {
    return this.ordinals.has(tagId) || (this.names === undefined && !isSystem);
  }

  /** Sets the next ordinal of a tag, and the name by which the subscriber knows the tag. */
  put(tagId: number, name: string, ordinal: number): void {
    this.ordinals.set(tagId, ordinal);
    this.nameOf.set(tagId, name);
  }

  /** From now on points are passed on to it: it has all that came before a sequence number. */
  join(sequence: number): void {
    this.isJoined = true;
    this.#sequence = sequence;
  }

  /** Passes points on that were stored just now, all of those before a sequence number that it wants. */
  pass(runs: readonly TagPoints[], sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
    const members: string[] = [];
    for (const run of runs) {
      const sent = this.ordinals.get(run.tagId);
      if (sent !== undefined && run.ordinal < sent) continue; // They came with `current`.
      this.ordinals.set(run.tagId, run.ordinal + run.count);
      const name = this.nameOf.get(run.tagId) ?? run.name;
      if (this.#isBlocked) this.#noteUnsent(run.tagId, name, run.count);
      if (!this.#isSkipping) members.push(`${JSON.stringify(name)}:[${run.json}]`);
    }
    if (members.length > 0) this.send('points', `{${members.join(',')}}`);
  }

  send(name: LiveEvent['name'], data: string): void {
    if (this.isOver || this.#isSkipping) return;
    const text = this.#parts.outlet.format({ name, id: this.id, data });
    if (!this.#isBlocked) {
      this.#write([text]);
    } else if (this.#waitingChars + text.length <= MAX_WAITING_CHARS) {
      this.#waiting.push(text);
      this.#waitingChars += text.length;
    } else {
      this.#takeWaiting();
      this.#isSkipping = true;
    }
  }

  /** Sends the newest points of some tags. */
  sendCurrent(members: readonly string[], tags: readonly (readonly [tagId: number, name: string])[]): void {
    if (this.#isBlocked) for (const [tagId, name] of tags) this.#noteUnsent(tagId, name, 0);
    if (members.length > 0) this.send('current', `{${members.join(',')}}`);
  }

  /** Resolves when the client has taken what was sent. */
  async drained(): Promise<void> {
    while (this.#isBlocked && !this.isOver) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  keepAlive(): void {
    if (!this.#isBlocked && !this.isOver) this.#parts.outlet.keepAlive();
  }

  /** Ends the stream from our side. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#parts.outlet.end();
    this.#parts.onGone(this);
  }

  /** The client has gone. */
  gone(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#takeWaiting();
    this.#parts.onGone(this);
  }

  #noteUnsent(tagId: number, name: string, points: number): void {
    this.#unsentPoints += points;
    this.#unsent.set(tagId, name);
  }

  #takeWaiting(): string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    return waiting;
  }

  #write(events: readonly string[]): void {
    const blocked = this.#parts.outlet.write(events);
    if (blocked === undefined) return;
    this.#isBlocked = true;
    blocked.then(
      () => this.#goOn(),
      () => this.gone(),
    );
  }

  /** The client has taken all that was sent. */
  #goOn(): void {
    const waiting = this.#takeWaiting();
    const [unsent, points, isSkipping] = [this.#unsent, this.#unsentPoints, this.#isSkipping];
    this.#unsent = new TagMap();
    this.#unsentPoints = 0;
    this.#isBlocked = false;
    this.#isSkipping = false;
    if (this.isOver) return;
    if (!isSkipping) {
      if (waiting.length > 0) this.#write(waiting);
      return;
    }
    this.send('skipped', JSON.stringify({ points }));
    this.#parts.sendCurrent(this, unsent);
  }
}
