// One client of live data: the tags it listens to, its next ordinal of each, and the events it has not taken yet. The queue
// of events is bounded: what exceeds it is dropped, and is lost to the client, which gets the newest values when it takes
// something again. Whatever is dropped must have been noted as unsent, by its tag.

import type { CorrectedRange, ReadMarker } from '../../engine/index.ts';
import type { HeldMemory } from '../http/memory/answer-memory.ts';
import { checkOf, formatOrdinals, formatSequence, MAX_MARKED_TAGS, type MarkedTag } from './marker.ts';
import type { LiveEvent, Outlet } from './outlet.ts';
import { OrdinalPages, TagMap } from './tag-map.ts';
import { Unsent } from './unsent.ts';

/** What may wait for one client; also the length of one event, about. */
export const MAX_WAITING_CHARS = 1_048_576;

/** A tag by all that subscribers know tags by. */
export interface KnownTag {
  readonly tagId: number;
  readonly name: string;
  readonly isSystem: boolean;
}

/** The points of a tag that were given, as JSON, and the marker where it goes on; the text ends with the last of them. */
export interface GivenPoints extends ReadMarker {
  readonly points: string;
}

/** Points of one tag as JSON, without brackets. */
export interface TagPoints extends ReadMarker {
  /** Name of the tag. */
  readonly name: string;
  readonly json: string;
  readonly count: number;
}

export interface SubscriberParts {
  readonly outlet: Outlet;
  /** For events that its client has not taken yet. */
  readonly memory: HeldMemory;
  /** Names as they were asked for; undefined for all user tags. */
  readonly names: readonly string[] | undefined;
  /** Markers hold in it. */
  readonly epoch: string;
  /** A tag is one of those it listens to from now on, or is not any more. */
  readonly onTag: (subscriber: Subscriber, tagId: number, change: 1 | -1) => void;
  /** It is joined, and there is something that it has lost and is to be told. */
  readonly onLost: (subscriber: Subscriber) => void;
  readonly onGone: (subscriber: Subscriber) => void;
}

export class Subscriber {
  readonly names: readonly string[] | undefined;
  /** Names that it knows its tags by, when it listens by name; other subscribers know them by their own. */
  readonly nameOf = new TagMap<string>();
  /** False until it has got the points from before it came; until then new points are not passed on to it. */
  isJoined = false;
  isOver = false;
  /** It has all that came before this sequence number; undefined while that is true of none. */
  #sequence: number | undefined;
  readonly #parts: SubscriberParts;
  /** The tags of the names that it listens to, as far as they are known: one that is deleted and made again is another. */
  readonly #idOf: Map<string, number | undefined> | undefined;
  /** Tags that it listens to by name. */
  readonly #named = new TagMap<number>();
  /** Checks of the points before them, for its marker. */
  readonly #checks = new Map<number, string>();
  readonly #ordinals: Pick<TagMap<number>, 'get' | 'has' | 'set'>;
  readonly #memory: HeldMemory;
  /** Events that wait. */
  #waiting: string[] = [];
  #waitingChars = 0;
  /** What is charged for them, and for those that the transport has. */
  #heldBytes = 0;
  #isBlocked = false;
  /** What came since it is blocked: it waits or was dropped. */
  #unsent = new Unsent();
  #isSkipping = false;
  /** What was dropped until it took something again. */
  #lost: Unsent | undefined;
  /** Tags, few enough for a marker, of which it was dropped, until it has got the newest points. */
  readonly #untold = new Set<number>();
  /** They wait until it has taken what was sent. */
  #onDrained: (() => void)[] = [];

  constructor(parts: SubscriberParts) {
    this.names = parts.names;
    this.#idOf = parts.names && new Map(parts.names.map((name) => [name, undefined]));
    this.#parts = parts;
    this.#memory = parts.memory;
    this.#ordinals = parts.names === undefined ? new OrdinalPages() : this.#named;
  }

  /** True while the client has not taken what was sent last. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /**
   * True when an event would be sent now, and nothing is lost of which the client was not told. Others may send something in
   * the same turn: to be asked right before.
   */
  get isReady(): boolean {
    return this.isOver || (!this.#isBlocked && this.#lost === undefined);
  }

  /** The next ordinal of each tag, by id. */
  get ordinals(): Pick<TagMap<number>, 'get' | 'has'> {
    return this.#ordinals;
  }

  /** Tags that it listens to by name. */
  *tagIds(): Generator<number> {
    for (const [tagId] of this.#named) yield tagId;
  }

  /** The marker of what was sent. It leaves out what the client was not told yet, so that the client begins anew there. */
  get id(): string {
    const { epoch } = this.#parts;
    if (!this.#isMarkedByTag)
      return this.#sequence === undefined ? formatOrdinals(epoch, []) : formatSequence(epoch, this.#sequence);
    const told = [...this.#named].filter(([tagId]) => !this.#untold.has(tagId));
    return formatOrdinals(
      epoch,
      told.map(([tagId, ordinal]) => [tagId, { ordinal, check: this.#checks.get(tagId) }]),
    );
  }

  get #isMarkedByTag(): boolean {
    return this.names !== undefined && this.names.length <= MAX_MARKED_TAGS;
  }

  /** Whether it listens to a tag; system tags only by name. */
  wants({ tagId, name, isSystem }: KnownTag): boolean {
    return this.#ordinals.has(tagId) || this.asksFor(name, isSystem);
  }

  /** Whether it asked for a tag of this name; of system tags it is known by their ids, which stay. */
  asksFor(name: string, isSystem: boolean): boolean {
    return !isSystem && (this.#idOf === undefined || this.#idOf.has(name));
  }

  /**
   * Sets the next ordinal of a tag, and the name by which the subscriber knows the tag.
   * @param newest as it was given, as JSON
   */
  put(tagId: number, name: string, ordinal: number, newest?: string): void {
    this.#know(tagId, name);
    this.#advance(tagId, ordinal, newest);
    this.#untold.delete(tagId);
  }

  /** Puts what the client was given earlier, as its marker says. */
  resume(tagId: number, name: string, { ordinal, check }: MarkedTag): void {
    this.put(tagId, name, ordinal);
    if (check !== undefined && this.#isMarkedByTag) this.#checks.set(tagId, check);
  }

  /** What came before a sequence number it has got, all of it; its marker says so. */
  hasAllBefore(sequence: number): void {
    this.#sequence = sequence;
  }

  /** From now on points are passed on to it: it has all that came before a sequence number. */
  join(sequence: number): void {
    this.isJoined = true;
    this.#sequence = sequence;
    if (this.#lost !== undefined) this.#parts.onLost(this);
  }

  /** Passes points on that were stored just now, all of those before a sequence number that it wants. */
  pass(runs: readonly TagPoints[], sequence: number): void {
    this.#sequence = Math.max(this.#sequence ?? 0, sequence);
    const members: string[] = [];
    for (const run of runs) {
      const sent = this.#ordinals.get(run.tagId);
      if (sent !== undefined && run.ordinal < sent) continue; // They came with `current`.
      if (!this.nameOf.has(run.tagId)) this.#know(run.tagId, run.name);
      this.#advance(run.tagId, run.ordinal + run.count, run.json);
      const name = this.nameOf.get(run.tagId) ?? run.name;
      if (this.#isBlocked) this.#unsent.add(run.tagId, run.count);
      if (!this.#isSkipping) members.push(`${JSON.stringify(name)}:[${run.json}]`);
    }
    if (members.length > 0) this.send('points', `{${members.join(',')}}`);
  }

  /** Sends points that were read from the store, and where they go on. Only while it is ready: they are not noted. */
  sendStored(members: readonly string[], next: readonly GivenPoints[]): void {
    for (const { tagId, ordinal, points } of next) this.#advance(tagId, ordinal, points);
    if (members.length > 0) this.send('points', `{${members.join(',')}}`);
  }

  send(name: LiveEvent['name'], data: string): void {
    if (this.isOver || this.#isSkipping) return;
    const text = this.#parts.outlet.format({ name, id: this.id, data });
    if (!this.#isBlocked) {
      this.#write([text]);
    } else if (this.#waitingChars + text.length <= MAX_WAITING_CHARS && this.#memory.has(text.length)) {
      this.#hold(text.length);
      this.#waiting.push(text);
      this.#waitingChars += text.length;
    } else {
      this.#takeWaiting();
      this.#isSkipping = true;
    }
  }

  /** Sends the newest points of some tags. */
  sendCurrent(members: readonly string[], tagIds: readonly number[]): void {
    if (this.#isBlocked) for (const tagId of tagIds) this.#unsent.add(tagId, 0);
    if (members.length > 0) this.send('current', `{${members.join(',')}}`);
  }

  /** Tells of corrected ranges. */
  sendCorrected(members: readonly string[], ranges: readonly CorrectedRange[]): void {
    if (this.#isBlocked) for (const range of ranges) this.#unsent.addCorrected(range);
    if (members.length > 0) this.send('corrected', `{${members.join(',')}}`);
  }

  /** Tells that it is not known what was missed; all newest points are to follow. */
  sendReset(): void {
    if (this.#isBlocked) this.#unsent.reset();
    this.send('reset', '{}');
  }

  /** Resolves when the client has taken what was sent. */
  async drained(): Promise<void> {
    while (this.#isBlocked && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.#onDrained.push(resolve);
      });
    }
  }

  /** What the client has lost since it was told last. */
  takeLost(): Unsent | undefined {
    const lost = this.#lost;
    this.#lost = undefined;
    return lost;
  }

  keepAlive(): void {
    if (!this.#isBlocked && !this.isOver) this.#parts.outlet.keepAlive();
  }

  /** Ends the stream from our side. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#parts.outlet.end();
    this.#letGo();
    this.#wake();
    this.#parts.onGone(this);
  }

  /** The client has gone. */
  gone(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#takeWaiting();
    this.#letGo();
    this.#wake();
    this.#parts.onGone(this);
  }

  #advance(tagId: number, ordinal: number, points?: string): void {
    const before = this.#ordinals.get(tagId);
    this.#ordinals.set(tagId, ordinal);
    if (before === undefined) this.#parts.onTag(this, tagId, 1);
    if (!this.#isMarkedByTag || (points === undefined && before === ordinal)) return;
    if (points === undefined || points === '') this.#checks.delete(tagId);
    else this.#checks.set(tagId, checkOf(points));
  }

  /** The tag that had the name before was deleted. */
  #know(tagId: number, name: string): void {
    if (this.#idOf === undefined) return;
    const before = this.#idOf.get(name);
    this.#idOf.set(name, tagId);
    this.nameOf.set(tagId, name);
    if (before === undefined || before === tagId) return;
    this.#named.delete(before);
    this.nameOf.delete(before);
    this.#checks.delete(before);
    this.#untold.delete(before);
    this.#parts.onTag(this, before, -1);
  }

  #lose(unsent: Unsent): void {
    if (this.#isMarkedByTag) for (const tagId of unsent.tags) this.#untold.add(tagId);
    else if (unsent.points > 0 || !unsent.tags.isEmpty) this.#sequence = undefined;
    if (this.#lost === undefined) this.#lost = unsent;
    else this.#lost.addAll(unsent);
  }

  #wake(): void {
    const woken = this.#onDrained;
    this.#onDrained = [];
    for (const wake of woken) wake();
  }

  #hold(sizeBytes: number): void {
    this.#memory.take(sizeBytes);
    this.#heldBytes += sizeBytes;
  }

  /** Nothing is held any more. */
  #letGo(): void {
    if (this.#heldBytes > 0) this.#memory.give(this.#heldBytes);
    this.#heldBytes = 0;
  }

  #takeWaiting(): string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    return waiting;
  }

  #write(events: readonly string[]): void {
    const blocked = this.#parts.outlet.write(events);
    if (blocked === undefined) return this.#letGo();
    this.#isBlocked = true;
    const sizeBytes = events.reduce((sum, { length }) => sum + length, 0) - this.#heldBytes;
    if (sizeBytes > 0 && this.#memory.has(sizeBytes)) this.#hold(sizeBytes);
    blocked.then(
      () => this.#goOn(),
      () => this.gone(),
    );
  }

  /** The client has taken all that was sent. */
  #goOn(): void {
    const waiting = this.#takeWaiting();
    const [unsent, isSkipping] = [this.#unsent, this.#isSkipping];
    this.#unsent = new Unsent();
    this.#isBlocked = false;
    this.#isSkipping = false;
    this.#wake();
    if (this.isOver) return;
    if (waiting.length === 0) this.#letGo();
    if (!isSkipping) {
      if (waiting.length > 0) this.#write(waiting);
      return;
    }
    this.#lose(unsent);
    this.send('skipped', JSON.stringify({ points: unsent.points }));
    // Else who brings it up to date finds what it has lost.
    if (this.isJoined) this.#parts.onLost(this);
  }
}
