// The live data of one dataset: what is stored goes, once in a turn of the event loop, to all who listen, over several turns
// when they are many; and what was stored lately is remembered, so that who has lost its connection can go on.

import { randomBytes } from 'node:crypto';
import {
  type Engine,
  isTurnOver,
  nextTurn,
  type PointChunk,
  type PointWatch,
  type StoredRun,
} from '../../engine/index.ts';
import { OutputBytes } from '../codec/write-json/output-bytes.ts';
import { endOfFitting, MOST_TEXT_CHARS } from '../codec/write-json/text-parts.ts';
import { TvqWriter } from '../codec/write-json/tvq-writer.ts';
import type { ValueStyle } from '../codec/write-json/value-style.ts';
import { type CorrectedTag, CorrectedTags, unitedOf } from './corrected-tags.ts';
import { type RecentRun, RecentRuns } from './recent-runs.ts';
import type { Subscriber, TagPoints } from './subscriber.ts';
import { TagMap } from './tag-map.ts';
import { tellCorrected } from './tell-corrected.ts';

/** More points of a tag at once are read back from the store, as the client takes them. */
const MANY_POINTS = 10_000;
/** Time that points are handed out for before others have their turn. */
const SLICE_MS = 4;
/** When more waits to be handed out, in characters, all get it from the store. */
const MOST_WAITING_CHARS = 16 * 2 ** 20;

// No state of an answer is in the writer, so that one serves all.
const writer = new TvqWriter();
const out = new OutputBytes();

/** Points of one tag that wait for the end of the turn. */
interface Gathered extends RecentRun {
  json: string;
  count: number;
  /** Too many, or too long, for one event: they are read back from the store. */
  isLong: boolean;
}

/** What came in one turn: runs between two sequence numbers, and what was corrected. */
interface Batch {
  readonly runs: readonly Gathered[];
  readonly corrected: readonly CorrectedTag[];
  readonly from: number;
  readonly to: number;
  readonly chars: number;
}

export interface LiveDatasetParts {
  readonly engine: Engine;
  readonly name: string;
  readonly style: ValueStyle;
  /** The subscriber has to be brought up to date from the store: it has all that came before a sequence number. */
  readonly onBehind: (subscriber: Subscriber, since: number) => void;
}

export class LiveDataset {
  readonly name: string;
  readonly watch: PointWatch;
  /** Another one whenever what was handed out is not remembered any more. */
  readonly epoch = randomBytes(4).readUInt32LE().toString(36);
  /** What was handed out, or is about to be. */
  readonly recent = new RecentRuns();
  /** Since when there has been none; undefined while there are some. */
  idleSinceMs: number | undefined;
  readonly #parts: LiveDatasetParts;
  readonly #subscribers = new Set<Subscriber>();
  /** How many listen to a tag, by id, besides those that listen to all user tags. */
  readonly #listeners = new TagMap<number>();
  /** How many listen to a name, whose tag may be made later than they came. */
  readonly #names = new Map<string, number>();
  #listenersToAll = 0;
  #gathered = new Map<number, Gathered>();
  #corrected = new CorrectedTags();
  #isFlushing = false;
  /** To be handed out, in order; the first may have gone to some. */
  #batches: Batch[] = [];
  #isHandingOut = false;

  /** Throws DATASET_NOT_FOUND. */
  constructor(parts: LiveDatasetParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.watch = parts.engine.watch(
      parts.name,
      (run) => this.#gather(run),
      (range) => {
        this.#flushSoon();
        this.#corrected.add(range);
      },
    );
  }

  get subscribers(): ReadonlySet<Subscriber> {
    return this.#subscribers;
  }

  /** New ones, which listen to no tag yet. */
  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    if (subscriber.names === undefined) this.#listenersToAll++;
    else for (const name of subscriber.names) count(this.#names, name, 1);
  }

  /** False when it was not there. */
  remove(subscriber: Subscriber): boolean {
    if (!this.#subscribers.delete(subscriber)) return false;
    if (subscriber.names === undefined) this.#listenersToAll--;
    for (const tagId of subscriber.names === undefined ? [] : subscriber.tagIds()) count(this.#listeners, tagId, -1);
    for (const name of subscriber.names ?? []) count(this.#names, name, -1);
    return true;
  }

  /** A subscriber listens to one more tag, or to one less. */
  changeTag(subscriber: Subscriber, tagId: number, change: 1 | -1): void {
    // One that has gone may be brought up to date for a moment still.
    if (subscriber.names !== undefined && this.#subscribers.has(subscriber)) count(this.#listeners, tagId, change);
  }

  /** All who are joined have got what came before this sequence number. */
  get handedSequence(): number {
    return this.#batches[0]?.from ?? this.recent.sequence;
  }

  /**
   * Hands out what was gathered. Before anything is read for a subscriber, so that nothing comes twice: what is read then
   * either includes a run or does not.
   */
  flush(): void {
    if (this.#gathered.size === 0 && this.#corrected.isEmpty) return;
    const runs = [...this.#gathered.values()];
    this.#gathered = new Map();
    const from = this.recent.sequence;
    const corrected = this.#corrected.take();
    for (const { tagId, name, isSystem, ordinal } of runs) this.recent.add({ tagId, name, isSystem, ordinal });
    const chars = charsOf(runs) + charsOf(corrected);
    this.#batches.push({ runs, corrected, from, to: this.recent.sequence, chars });
    if (!this.#isHandingOut) void this.#handOut();
    else if (this.#batches.reduce((sum, batch) => sum + batch.chars, 0) > MOST_WAITING_CHARS) this.#leaveBehind();
  }

  /** At once, as far as there is time in this turn. */
  async #handOut(): Promise<void> {
    this.#isHandingOut = true;
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      for (const subscriber of [...this.#subscribers]) {
        this.#pass(subscriber, batch);
        if (isTurnOver(performance.now(), SLICE_MS)) await nextTurn();
      }
      if (this.#batches[0] === batch) this.#batches.shift();
    }
    this.#isHandingOut = false;
  }

  /** Points come faster than they can be handed out; what was corrected is told all the same. */
  #leaveBehind(): void {
    const since = this.handedSequence;
    const { sequence } = this.recent;
    const corrected = unitedOf(this.#batches.flatMap((batch) => batch.corrected));
    const kept = { runs: [], corrected, from: sequence, to: sequence, chars: charsOf(corrected) };
    this.#batches = corrected.length > 0 ? [kept] : [];
    for (const subscriber of [...this.#subscribers]) if (subscriber.isJoined) this.#parts.onBehind(subscriber, since);
  }

  stop(): void {
    this.watch.stop();
    for (const subscriber of [...this.#subscribers]) subscriber.end();
  }

  /** What was corrected comes behind the points that came before. */
  #pass(subscriber: Subscriber, batch: Batch): void {
    this.#passPoints(subscriber, batch);
    tellCorrected(subscriber, batch.corrected);
  }

  #passPoints(subscriber: Subscriber, { runs, from, to }: Batch): void {
    if (!subscriber.isJoined || runs.length === 0) return;
    const wanted = runs.filter((run) => subscriber.wants(run));
    if (wanted.some(({ isLong }) => isLong)) this.#parts.onBehind(subscriber, from);
    else subscriber.pass(wanted satisfies readonly TagPoints[], to);
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  #gather(run: StoredRun): void {
    this.#flushSoon();
    const { tagId, ordinal, isSystem, count, tag } = run;
    const known = this.#gathered.get(tagId);
    const entry = known ?? { tagId, name: tag.name, isSystem, ordinal, json: '', count: 0, isLong: false };
    if (!known) this.#gathered.set(tagId, entry);
    entry.count += count;
    if (entry.isLong || !this.#isWanted(entry)) return;
    const { type, points, start } = run;
    const chunk = { type, points, start, end: start + count };
    if (entry.count > MANY_POINTS || endOfFitting(chunk, start, MOST_TEXT_CHARS - entry.json.length) < chunk.end) {
      entry.isLong = true;
      entry.json = '';
      return;
    }
    const json = jsonOf(chunk, this.#parts.style);
    entry.json = entry.json === '' ? json : `${entry.json},${json}`;
  }

  /** Two look-ups at most, however many listen: it is asked for each run. */
  #isWanted({ tagId, name, isSystem }: Gathered): boolean {
    return this.#listeners.has(tagId) || (!isSystem && (this.#listenersToAll > 0 || this.#names.has(name)));
  }
}

interface Counts<K> {
  get(key: K): number | undefined;
  set(key: K, count: number): unknown;
  delete(key: K): unknown;
}

function count<K>(counts: Counts<K>, key: K, change: 1 | -1): void {
  const changed = (counts.get(key) ?? 0) + change;
  if (changed > 0) counts.set(key, changed);
  else counts.delete(key);
}

function charsOf(texts: readonly { readonly json: string }[]): number {
  return texts.reduce((sum, { json }) => sum + json.length, 0);
}

/** Points as JSON objects separated by commas. */
export function jsonOf(chunk: PointChunk, style: ValueStyle): string {
  out.clear();
  writer.writePoints(out, chunk, style, 'first');
  return out.bytes.toString('utf8', 0, out.length);
}
