// New points, and what else has changed, on their way to subscriptions. The engine gives them while writes wait, many of them
// to very many subscriptions: so they are copied then, and made text and passed on afterwards, over many turns.

import {
  nextTurn,
  type PointChunk,
  PointColumns,
  payloadOf,
  type StoredRun,
  ValueType,
} from '../../../../engine/index.ts';
import { createPacer } from '../../../process/pacer.ts';
import { copyColumns } from '../../../routes/read/held-points.ts';
import type { Subscription } from './subscription.ts';
import { BATCH_UPDATES, type Updates } from './update-queue.ts';
import { updateOf } from './update-text.ts';

/** Points of a tag that are passed on at once; of more the newest are. */
const MOST_POINTS = 10_000;
/** Most points that go to each subscription one by one; lists of more are shared. */
const FEW_POINTS = 16;
/** Points that may wait here, some 30 MB, and characters of their texts. */
const MAX_WAITING_POINTS = 1_000_000;
const MAX_WAITING_CHARS = 128 * 2 ** 20;
/** Size of what copies share; one with long texts is let go earlier. */
const PAGE_POINTS = 4096;
const PAGE_CHARS = 2 ** 20;

/** One that listens to a tag. */
export interface Listening {
  readonly elementId: string;
  /** The number of the first run that is for it: those before are in the point that it began with. */
  readonly fromRun: number;
}

export type Listeners = ReadonlyMap<Subscription, Listening>;

interface WaitingRun {
  readonly number: number;
  readonly chunk: PointChunk;
  readonly chars: number;
  readonly hasDropped: boolean;
  /** Listeners of the tag, as they are when the run is passed on. */
  readonly listeners: Listeners;
  /** What is passed on in place of the points. */
  readonly change?: ChangedValue;
}

/** Makes an update of what is newest by then, as a text; undefined when there is nothing to tell. */
export type ChangedValue = () => Promise<string | undefined>;

const NO_CHUNK: PointChunk = { type: ValueType.Open, points: new PointColumns(0), start: 0, end: 0 };

interface Waiter {
  readonly number: number;
  readonly resolve: () => void;
}

export class RunQueue {
  /** Number of the next run. */
  #next = 0;
  /** Runs that were passed on are undefined, and taken out when they are many. */
  #runs: (WaitingRun | undefined)[] = [];
  /** Index of the first run that waits. */
  #at = 0;
  #pointCount = 0;
  #chars = 0;
  #isPassing = false;
  #page = new PointColumns(PAGE_POINTS);
  #waiters: Waiter[] = [];

  get nextRun(): number {
    return this.#next;
  }

  /** Takes a copy of the points. */
  add({ type, points, start, count }: StoredRun, listeners: Listeners): void {
    const given = { type, points, start: Math.max(start, start + count - MOST_POINTS), end: start + count };
    const chunk = this.#copy(given);
    const chars = charsOf(given);
    this.#push({ number: this.#next++, chunk, chars, hasDropped: count > MOST_POINTS, listeners });
  }

  /** The change goes behind all points that came before. */
  addChange(change: ChangedValue, listeners: Listeners): void {
    this.#push({ number: this.#next++, chunk: NO_CHUNK, chars: 0, hasDropped: false, listeners, change });
  }

  #push(run: WaitingRun): void {
    this.#runs.push(run);
    this.#pointCount += run.chunk.end - run.chunk.start;
    this.#chars += run.chars;
    while (this.#isTooLong() && this.#at < this.#runs.length - 1) this.#drop();
    if (this.#isPassing) return;
    this.#isPassing = true;
    void this.#passAll();
  }

  /** Resolves when all that has come until now was passed on; undefined when it was. */
  settled(): Promise<void> | undefined {
    if (this.#at === this.#runs.length && !this.#isPassing) return undefined;
    return new Promise((resolve) => this.#waiters.push({ number: this.#next, resolve }));
  }

  #isTooLong(): boolean {
    return this.#pointCount > MAX_WAITING_POINTS || this.#chars > MAX_WAITING_CHARS;
  }

  #drop(): void {
    const { listeners } = this.#takeFirst();
    for (const { queue } of listeners.keys()) queue.hasDropped = true;
  }

  #takeFirst(): WaitingRun {
    const run = this.#runs[this.#at] as WaitingRun;
    this.#runs[this.#at++] = undefined;
    this.#pointCount -= run.chunk.end - run.chunk.start;
    this.#chars -= run.chars;
    if (2 * this.#at > this.#runs.length) {
      this.#runs = this.#runs.slice(this.#at);
      this.#at = 0;
    }
    return run;
  }

  async #passAll(): Promise<void> {
    await nextTurn();
    while (this.#at < this.#runs.length) {
      const run = this.#takeFirst();
      await (run.change === undefined ? pass(run) : passChange(run, run.change));
      this.#tell(run.number + 1);
    }
    this.#isPassing = false;
    this.#tell(this.#next);
    this.#clearPage();
  }

  #tell(number: number): void {
    while ((this.#waiters[0]?.number ?? Number.POSITIVE_INFINITY) <= number) this.#waiters.shift()?.resolve();
  }

  /** Copies the points behind what was copied before, for most runs are of one point. */
  #copy({ type, points, start, end }: PointChunk): PointChunk {
    const count = end - start;
    const { texts } = this.#page;
    const isFull = this.#page.count + count > this.#page.capacity || texts.chars > PAGE_CHARS;
    if (isFull) this.#page = new PointColumns(Math.max(PAGE_POINTS, count));
    const page = this.#page;
    const first = page.count;
    copyColumns({ points, start, end }, page, first);
    if (payloadOf(type) === 'text') copyTexts({ type, points, start, end }, page, first);
    page.count += count;
    return { type, points: page, start: first, end: first + count };
  }

  /** Nobody looks at the copies any more. */
  #clearPage(): void {
    if (this.#page.capacity > PAGE_POINTS) this.#page = new PointColumns(PAGE_POINTS);
    else this.#page.clear();
  }
}

function copyTexts({ points, start, end }: PointChunk, page: PointColumns, first: number): void {
  for (let from = start, to = first; from < end; from++, to++) {
    if (points.nulls[from] === 0) page.numbers[to] = page.texts.push(points.texts.at(points.numbers[from] as number));
  }
}

function charsOf({ type, points, start, end }: PointChunk): number {
  if (payloadOf(type) !== 'text') return 0;
  let chars = 0;
  for (let i = start; i < end; i++)
    if (points.nulls[i] === 0) chars += points.texts.at(points.numbers[i] as number).length;
  return chars;
}

async function pass({ number, chunk, hasDropped, listeners }: WaitingRun): Promise<void> {
  const pacer = createPacer();
  const [first] = listeners.values();
  if (first === undefined) return;
  // All of them know the tag by the same id.
  const lists = await listsOf(first.elementId, chunk);
  const isFew = chunk.end - chunk.start <= FEW_POINTS;
  for (const [subscription, { fromRun }] of listeners) {
    if (fromRun > number) continue;
    if (hasDropped) subscription.queue.hasDropped = true;
    if (!isFew) subscription.pushShared(lists);
    else for (const update of lists[0]?.updates ?? []) subscription.push(update);
    if (pacer.isDue()) await pacer.yield();
  }
}

async function passChange({ number, listeners }: WaitingRun, change: ChangedValue): Promise<void> {
  const update = await change();
  if (update === undefined) return;
  const pacer = createPacer();
  for (const [subscription, { fromRun }] of listeners) {
    if (fromRun <= number) subscription.push(update);
    if (pacer.isDue()) await pacer.yield();
  }
}

/** Lists of updates, each with as many as a batch takes. */
async function listsOf(elementId: string, { type, points, start, end }: PointChunk): Promise<Updates[]> {
  const pacer = createPacer();
  const id = JSON.stringify(elementId);
  const lists: Updates[] = [];
  for (let i = start; i < end; i++) {
    if ((i - start) % BATCH_UPDATES === 0) lists.push({ updates: [], chars: 0 });
    const list = lists.at(-1) as Updates;
    const update = updateOf(id, { type, points, start, end }, i);
    list.updates.push(update);
    list.chars += update.length;
    if (pacer.isDue()) await pacer.yield();
  }
  return lists;
}
