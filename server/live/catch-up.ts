// Brings a subscriber up to date from the store: sends the points of each of its tags from its next ordinal on. It goes live
// in the very turn of the event loop in which nothing is missing, so that no point is lost or sent twice. First all tags are
// checked, in slices; then only those that have got points since, in slices too unless they are few. What the client has lost
// before, because it took nothing, it is told first: ordinals of tags among that must not be looked at until then.

import type { NameSequence, ReadMarker } from '../../engine/index.ts';
import { endOfFitting, MOST_TEXT_CHARS } from '../codec/write-json/text-parts.ts';
import { createPacer, type Pacer } from '../process/pacer.ts';
import { EVENT_CHARS, EVERYTHING, type Feed, sendCurrent } from './current.ts';
import { jsonOf } from './live-dataset.ts';
import type { RecentRun } from './recent-runs.ts';
import type { GivenPoints } from './subscriber.ts';
import { tellCorrectedSlowly } from './tell-corrected.ts';

export interface CatchUp extends Feed {
  /** Names of its tags, as they are now. */
  readonly names: () => Promise<NameSequence>;
  /** Only tags with points from this sequence number on can miss any; all of them when undefined. */
  readonly since?: number;
}

/** Points of one tag in one event, at most. */
const POINTS_AN_EVENT = 2000;
/** Most runs that are looked at in one turn. */
const FEW_RUNS = 10_000;
/** Tags that are checked before their missing points are sent, when there are very many. */
const TAGS_AT_ONCE = 4096;

type Missing = [name: string, from: ReadMarker];

export async function catchUp(task: CatchUp): Promise<void> {
  const { live, subscriber } = task;
  const pacer = createPacer();
  let seen = task.since;
  while (!subscriber.isOver) {
    await becomeReady(task);
    live.flush();
    const from = seen;
    seen = live.recent.sequence;
    const count = from === undefined ? undefined : live.recent.countSince(from);
    if (from === undefined || count === undefined) await sendMissing(task, await task.names(), pacer);
    else if (count > FEW_RUNS) seen = await sendRecent(task, from, pacer);
    else {
      const missing = findAllMissing(task, namesOf(task, [...live.recent.between(from, seen)]));
      if (missing.length === 0) break;
      await sendFound(task, missing, pacer);
    }
  }
  if (!subscriber.isOver) subscriber.join(live.recent.sequence);
}

/** Lets the client take what was sent, and tells it what it has lost meanwhile: the newest points, and what was corrected. */
async function becomeReady(task: CatchUp): Promise<void> {
  const { subscriber } = task;
  while (!subscriber.isReady) {
    await subscriber.drained();
    const lost = subscriber.takeLost();
    if (lost === undefined) continue;
    if (lost.isReset) subscriber.sendReset();
    const names = lost.isReset ? await task.names() : await namesOfLost(task, lost.tags);
    await sendCurrent(task, names, task.since);
    await tellCorrectedSlowly(subscriber, lost.takeCorrected());
  }
}

/** By the names that the client knows them by. */
async function namesOfLost({ subscriber, live }: CatchUp, tagIds: Iterable<number>): Promise<string[]> {
  const pacer = createPacer();
  const names: string[] = [];
  for (const tagId of tagIds) {
    const name = subscriber.nameOf.get(tagId) ?? live.watch.nameOf(tagId);
    if (name !== undefined) names.push(name);
    if (pacer.isDue()) await pacer.yield();
    if (subscriber.isOver) return [];
  }
  return names;
}

/** Sends the points of runs from a sequence number on; returns where to go on, undefined when that was forgotten meanwhile. */
async function sendRecent(task: CatchUp, from: number, pacer: Pacer): Promise<number | undefined> {
  const { recent } = task.live;
  const to = recent.sequence;
  for (let sequence = from; sequence < to && !task.subscriber.isOver; ) {
    if (recent.countSince(sequence) === undefined) return undefined;
    const runs = recent.some(sequence, to);
    sequence += runs.length;
    await sendMissing(task, namesOf(task, runs), pacer);
  }
  return to;
}

/** The subscriber's tags among those of the runs, each once, by the names it knows them by. */
function namesOf({ subscriber }: CatchUp, runs: readonly RecentRun[]): string[] {
  const { nameOf } = subscriber;
  const found = new Map<number, string>();
  for (const { tagId, name, isSystem } of runs) {
    if (found.has(tagId)) continue;
    const known = nameOf.get(tagId);
    if (known !== undefined) found.set(tagId, known);
    else if (subscriber.asksFor(name, isSystem)) found.set(tagId, name);
  }
  return [...found.values()];
}

function findAllMissing(task: CatchUp, names: readonly string[]): Missing[] {
  return names.map((name) => findMissing(task, name)).filter((missing) => missing !== undefined);
}

/** Sends what very many tags miss. */
async function sendMissing(task: CatchUp, names: NameSequence, pacer: Pacer): Promise<void> {
  for (let from = 0; from < names.length && !task.subscriber.isOver; from += TAGS_AT_ONCE) {
    const found: Missing[] = [];
    const end = Math.min(names.length, from + TAGS_AT_ONCE);
    for (let i = from; i < end && !task.subscriber.isOver; i++) {
      const name = names.at(i);
      const missing = name === undefined ? undefined : findMissing(task, name);
      if (missing !== undefined) found.push(missing);
      if (pacer.isDue()) await pacer.yield();
    }
    await sendFound(task, found, pacer);
  }
}

/** Marker of the first point of a tag that the subscriber has not got; undefined when there is none. */
function findMissing({ live, subscriber }: CatchUp, name: string): Missing | undefined {
  const now = live.watch.position(name);
  if (!now) return undefined;
  const ordinal = subscriber.ordinals.get(now.tagId) ?? 0;
  subscriber.put(now.tagId, name, ordinal);
  return ordinal < now.ordinal ? [name, { tagId: now.tagId, ordinal }] : undefined;
}

/** Points of some tags on their way into one event. */
class EventBatch {
  readonly #task: CatchUp;
  #members: string[] = [];
  #next: GivenPoints[] = [];
  #chars = 0;

  constructor(task: CatchUp) {
    this.#task = task;
  }

  get isFull(): boolean {
    return this.#chars > EVENT_CHARS;
  }

  /** Adds points of a tag, each tag once, and the marker of its next point where that is one of the stored order. */
  add(name: string, points: readonly string[], next: ReadMarker | undefined): void {
    if (next !== undefined) this.#next.push({ ...next, points: points.at(-1) ?? '' });
    if (points.length === 0) return;
    const member = `${JSON.stringify(name)}:[${points.join(',')}]`;
    this.#members.push(member);
    this.#chars += member.length;
  }

  /** Sends the event. Its id tells where the subscriber is, so its ordinals advance only now. */
  async send(): Promise<void> {
    const { subscriber } = this.#task;
    // In vain mostly; but `corrected` may have been sent since.
    while (!subscriber.isReady) await becomeReady(this.#task);
    subscriber.sendStored(this.#members, this.#next);
    this.#next = [];
    this.#members = [];
    this.#chars = 0;
    await subscriber.drained();
  }
}

async function sendFound(task: CatchUp, missing: readonly Missing[], pacer: Pacer): Promise<void> {
  const batch = new EventBatch(task);
  for (const [name, from] of missing) {
    const tag: BehindTag = { name, after: from, most: POINTS_AN_EVENT };
    while (tag.after !== undefined && !task.subscriber.isOver) {
      await addPoints(task, tag, tag.after, batch);
      if (tag.after !== undefined || batch.isFull) await batch.send();
      if (pacer.isDueNow()) await pacer.yield();
    }
  }
  await batch.send();
}

/** A tag whose points are being sent. */
interface BehindTag {
  readonly name: string;
  /** Place where its points go on; undefined when there are no more. */
  after: ReadMarker | undefined;
  /** Points that are read for an event: fewer where their texts are long. */
  most: number;
}

/** Adds the next points of a tag to an event. */
async function addPoints(task: CatchUp, tag: BehindTag, after: ReadMarker, batch: EventBatch): Promise<void> {
  let points = await readPoints(task, tag.name, after, tag.most);
  // The place where a limited read goes on is known only at its end: the read is done again, of what fits.
  while (points?.isCut) {
    tag.most = Math.max(1, Math.min(points.count, tag.most - 1));
    points = await readPoints(task, tag.name, after, tag.most);
  }
  tag.after = points?.goesOn;
  if (points === undefined) return;
  batch.add(tag.name, points.parts, points.next);
  if (points.chars < MOST_TEXT_CHARS / 2) tag.most = Math.min(POINTS_AN_EVENT, 2 * tag.most);
}

interface ReadPoints {
  /** The points as JSON. */
  readonly parts: readonly string[];
  readonly count: number;
  readonly chars: number;
  /** Not all of them fit an event. */
  readonly isCut: boolean;
  /** Place of the subscriber after these points; undefined before one without a stored place: who is cut off gets these again. */
  readonly next: ReadMarker | undefined;
  /** Place to read on from; undefined when there are no more. */
  readonly goesOn: ReadMarker | undefined;
}

/** Up to `most` points of a tag, as far as they fit an event; undefined when there is none, or no tag any more. */
async function readPoints(
  { engine, live, style }: CatchUp,
  name: string,
  after: ReadMarker,
  most: number,
): Promise<ReadPoints | undefined> {
  const now = live.watch.position(name);
  // Points that corrections gave, and late ones, have larger ordinals than all in the stored order.
  if (!now || now.tagId !== after.tagId || after.ordinal === now.ordinal) return undefined;
  const request = { tags: [name], range: EVERYTHING, carryIn: false, skipMissing: false, after: [after] };
  const cursor = engine.read(live.name, { ...request, limit: most }).open(0);
  const parts: string[] = [];
  let [count, chars, isCut] = [0, 0, false];
  try {
    for (;;) {
      const next = cursor.next();
      const chunk = next instanceof Promise ? await next : next;
      if (chunk === undefined) break;
      const { start, end } = chunk;
      const fittingEnd = endOfFitting(chunk, start, MOST_TEXT_CHARS - chars);
      count += fittingEnd - start;
      isCut = fittingEnd < end && most > 1;
      if (isCut) break;
      const json = jsonOf(chunk, style);
      chars += json.length;
      parts.push(json);
    }
  } finally {
    cursor.close();
  }
  const { marker } = cursor.outcome();
  const isInOrder = marker === undefined || marker.ordinal < now.ordinal;
  return { parts, count, chars, isCut, next: isInOrder ? (marker ?? now) : undefined, goesOn: marker };
}
