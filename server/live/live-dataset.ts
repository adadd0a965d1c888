// The live data of one dataset: what is stored goes, once in a turn of the event loop, to all who listen; and what was
// stored lately is remembered, so that who has lost its connection can go on.

import type { Engine, PointWatch, StoredRun } from '../../engine/index.ts';
import { OutputBytes } from '../codec/write-json/output-bytes.ts';
import { TvqWriter } from '../codec/write-json/tvq-writer.ts';
import type { ValueStyle } from '../codec/write-json/value-style.ts';
import { type RecentRun, RecentRuns } from './recent-runs.ts';
import type { Subscriber, TagPoints } from './subscriber.ts';

/** More points of a tag at once are read back from the store, as the client takes them. */
const MANY_POINTS = 10_000;

// No state of an answer is in the writer, so that one serves all.
const writer = new TvqWriter();
const out = new OutputBytes();

/** Points of one tag that wait for the end of the turn. */
interface Gathered extends RecentRun {
  json: string;
  count: number;
}

export interface LiveDatasetParts {
  readonly engine: Engine;
  readonly name: string;
  readonly style: ValueStyle;
  /** The subscriber has to be brought up to date from the store. */
  readonly onBehind: (subscriber: Subscriber) => void;
}

export class LiveDataset {
  readonly name: string;
  readonly watch: PointWatch;
  readonly subscribers = new Set<Subscriber>();
  /** What was handed out. */
  readonly recent = new RecentRuns();
  /** Since when there has been none; undefined while there are some. */
  idleSinceMs: number | undefined;
  readonly #parts: LiveDatasetParts;
  #gathered = new Map<number, Gathered>();
  #isFlushing = false;

  /** Throws DATASET_NOT_FOUND. */
  constructor(parts: LiveDatasetParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.watch = parts.engine.watch(parts.name, (run) => this.#gather(run));
  }

  /** Hands out what was gathered. Before anything is read for a subscriber, so that nothing comes twice. */
  flush(): void {
    if (this.#gathered.size === 0) return;
    const gathered = [...this.#gathered.values()];
    this.#gathered = new Map();
    for (const { tagId, name, isSystem, ordinal } of gathered) this.recent.add({ tagId, name, isSystem, ordinal });
    for (const subscriber of [...this.subscribers]) this.#pass(subscriber, gathered);
  }

  stop(): void {
    this.watch.stop();
    for (const subscriber of [...this.subscribers]) subscriber.end();
  }

  #pass(subscriber: Subscriber, gathered: readonly Gathered[]): void {
    if (!subscriber.isJoined) return;
    const wanted = gathered.filter(({ tagId, isSystem }) => subscriber.wants(tagId, isSystem));
    if (wanted.length === 0) return;
    if (wanted.some(({ count }) => count > MANY_POINTS)) this.#parts.onBehind(subscriber);
    else subscriber.pass(wanted satisfies readonly TagPoints[]);
  }

  #gather(run: StoredRun): void {
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      setImmediate(() => {
        this.#isFlushing = false;
        this.flush();
      });
    }
    const { tagId, ordinal, isSystem, count, tag } = run;
    const known = this.#gathered.get(tagId);
    const entry = known ?? { tagId, name: tag.name, isSystem, ordinal, json: '', count: 0 };
    if (!known) this.#gathered.set(tagId, entry);
    entry.count += count;
    if (entry.count > MANY_POINTS || !this.#isWanted(tagId, isSystem)) return;
    const json = jsonOf(run, this.#parts.style);
    entry.json = entry.json === '' ? json : `${entry.json},${json}`;
  }

  #isWanted(tagId: number, isSystem: boolean): boolean {
    for (const subscriber of this.subscribers) if (subscriber.wants(tagId, isSystem)) return true;
    return false;
  }
}

/** Points as JSON objects separated by commas. */
export function jsonOf(run: Pick<StoredRun, 'type' | 'points' | 'start' | 'count'>, style: ValueStyle): string {
  const { type, points, start, count } = run;
  out.clear();
  writer.writePoints(out, { type, points, start, end: start + count }, style, 'first');
  return Buffer.from(out.written()).toString('utf8');
}
