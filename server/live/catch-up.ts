// Brings a subscriber up to date from the store: what each of its tags has got since the ordinal it is at. It goes live in
// the very turn in which nothing is missing, so that nothing is lost in between and nothing comes twice.

import { type Engine, MAX_TIME_MS, MIN_TIME_MS, type ReadMarker, TICKS_PER_MS } from '../../engine/index.ts';
import type { ValueStyle } from '../json/value-style.ts';
import { jsonOf, type LiveDataset } from './live-dataset.ts';
import type { Subscriber } from './subscriber.ts';

export interface CatchUp {
  readonly engine: Engine;
  readonly live: LiveDataset;
  readonly subscriber: Subscriber;
  readonly style: ValueStyle;
  /** Of its tags, as they are now. */
  readonly names: () => readonly string[];
}

const EVERYTHING = {
  kind: 'range',
  start: { ms: MIN_TIME_MS, ticks: 0 },
  end: { ms: MAX_TIME_MS, ticks: TICKS_PER_MS - 1 },
} as const;

/** Points of one event. */
const POINTS_AN_EVENT = 2000;

export async function catchUp(task: CatchUp): Promise<void> {
  const { live, subscriber } = task;
  for (;;) {
    live.flush();
    const missing = findMissing(task);
    if (missing.length === 0) break;
    for (const [name, place] of missing) await sendMissing(task, name, place);
    if (subscriber.isOver) return;
  }
  subscriber.isJoined = true;
}

/** The tags that have points it has not got, and where these begin. */
function findMissing({ live, subscriber, names }: CatchUp): [string, ReadMarker][] {
  const missing: [string, ReadMarker][] = [];
  for (const name of names()) {
    const now = live.watch.position(name);
    if (!now) continue;
    subscriber.nameOf.set(now.tagId, name);
    const ordinal = subscriber.ordinals.get(now.tagId) ?? 0;
    subscriber.ordinals.set(now.tagId, ordinal);
    if (ordinal < now.ordinal) missing.push([name, { tagId: now.tagId, ordinal }]);
  }
  return missing;
}

async function sendMissing(task: CatchUp, name: string, place: ReadMarker): Promise<void> {
  const { engine, live, subscriber, style } = task;
  for (let after = place; ; ) {
    const now = live.watch.position(name);
    if (!now || now.tagId !== place.tagId || after.ordinal >= now.ordinal || subscriber.isOver) return;
    const request = { tags: [name], range: EVERYTHING, carryIn: false, skipMissing: false, after: [after] };
    const cursor = engine.read(live.name, { ...request, limit: POINTS_AN_EVENT }).open(0);
    const parts: string[] = [];
    try {
      for (let chunk = cursor.next(); chunk; chunk = cursor.next()) {
        const { type, points, start, end } = chunk instanceof Promise ? await mustBeThere(chunk) : chunk;
        parts.push(jsonOf({ type, points, start, count: end - start }, style));
      }
    } finally {
      cursor.close();
    }
    after = cursor.marker ?? now;
    subscriber.ordinals.set(now.tagId, after.ordinal);
    if (parts.length > 0) subscriber.send('points', `{${JSON.stringify(name)}:[${parts.join(',')}]}`);
    await subscriber.drained();
  }
}

async function mustBeThere<T>(chunk: Promise<T | undefined>): Promise<T> {
  const there = await chunk;
  if (there === undefined) throw new Error('BUG: a read waited for nothing');
  return there;
}
