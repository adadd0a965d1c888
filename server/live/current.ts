// The newest points of tags, as `current`: in events of bounded length, as the client takes them, with turns for others in
// between.

import {
  type Engine,
  FIRST_INSTANT,
  LAST_INSTANT,
  type NameSequence,
  nextTurn,
  type ReadMarker,
  type TagCursor,
} from '../../engine/index.ts';
import type { ValueStyle } from '../codec/write-json/value-style.ts';
import { jsonOf, type LiveDataset } from './live-dataset.ts';
import type { Subscriber } from './subscriber.ts';

/** An event of the points of several tags ends after so many characters. */
export const EVENT_CHARS = 131_072;
/** Tags of one event: they are looked up in one go. */
const TAGS_AN_EVENT = 100;

export const EVERYTHING = { kind: 'range', start: FIRST_INSTANT, end: LAST_INSTANT } as const;

const ONE_POINT = {
  range: { kind: 'newest' },
  carryIn: false,
  skipMissing: false,
  limit: undefined,
  after: [],
} as const;

/** A subscriber and what it is fed from. */
export interface Feed {
  readonly engine: Engine;
  readonly live: LiveDataset;
  readonly subscriber: Subscriber;
  readonly style: ValueStyle;
}

/** @param before the subscriber has all that came before this sequence number once it has these */
export async function sendCurrent(feed: Feed, names: NameSequence, before?: number): Promise<void> {
  const { subscriber } = feed;
  for (let from = 0; from < names.length && !subscriber.isOver; ) {
    if (from > 0) await nextTurn();
    await subscriber.drained();
    from = sendNext(feed, names, from, before);
  }
}

/** Throws what a read of the newest points of these tags would throw. */
export function checkTags(engine: Engine, dataset: string, tags: readonly string[]): void {
  engine.read(dataset, { ...ONE_POINT, tags });
}

/** Sends the next tags as one event; returns where to go on. */
function sendNext(
  { engine, live, subscriber, style }: Feed,
  names: NameSequence,
  from: number,
  before?: number,
): number {
  live.flush();
  const members: string[] = [];
  const tagIds: number[] = [];
  const end = Math.min(from + TAGS_AN_EVENT, names.length);
  let to = from;
  for (let chars = 0; to < end && chars <= EVENT_CHARS; to++) {
    const name = names.at(to);
    const position = name === undefined ? undefined : live.watch.position(name);
    if (name === undefined || position === undefined) continue;
    const json = newestOf(engine, live.name, name, style);
    subscriber.put(position.tagId, name, position.ordinal, json ?? '');
    tagIds.push(position.tagId);
    if (json !== undefined) members.push(`${JSON.stringify(name)}:[${json}]`);
    chars += json?.length ?? 0;
  }
  if (to === names.length && before !== undefined) subscriber.hasAllBefore(before);
  subscriber.sendCurrent(members, tagIds);
  return to;
}

function newestOf(engine: Engine, dataset: string, name: string, style: ValueStyle): string | undefined {
  const cursor: TagCursor = engine.read(dataset, { ...ONE_POINT, tags: [name] }).open(0);
  const chunk = cursor.next();
  if (chunk === undefined || chunk instanceof Promise) return undefined;
  const json = jsonOf(chunk, style);
  cursor.close();
  return json;
}

/** The point of a tag that a marker speaks of, or the next one, as JSON; undefined when there is none. */
export async function pointFrom(
  { engine, live, style }: Feed,
  name: string,
  marker: ReadMarker,
): Promise<string | undefined> {
  const request = { tags: [name], range: EVERYTHING, carryIn: false, skipMissing: true, limit: 1, after: [marker] };
  const read = engine.read(live.name, request);
  if (read.tagCount === 0) return undefined;
  const cursor = read.open(0);
  try {
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next())
      if (chunk.start < chunk.end) return jsonOf(chunk, style);
    return undefined;
  } finally {
    cursor.close();
  }
}
