// A client of very many tags that takes nothing for a while: it gets what came, or the newest, of every tag, and in the end
// knows the newest points of all; meanwhile others have their turns.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine, PointColumns, ValueType } from '../../../engine/index.ts';
import { LiveHub } from '../../../server/live/live-hub.ts';
import { parseLiveMarker } from '../../../server/live/marker.ts';
import type { LiveEvent, Outlet } from '../../../server/live/outlet.ts';
import { LIMIT_MS } from './support/live-values.ts';

const TAG_COUNT = 20_000;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** Knows the newest value of each tag; takes nothing while it pauses. */
class SlowClient implements Outlet {
  readonly newest = new Map<string, number>();
  readonly names: string[] = [];
  #blocked: (() => void) | undefined;
  isPausing = false;

  format(event: LiveEvent): string {
    return JSON.stringify([event.name, JSON.parse(event.data)]);
  }

  write(events: readonly string[]): Promise<void> | undefined {
    for (const text of events) this.#take(JSON.parse(text) as [string, Record<string, { v: number }[]>]);
    if (!this.isPausing) return undefined;
    return new Promise((resolve) => {
      this.#blocked = resolve;
    });
  }

  goOn(): void {
    this.isPausing = false;
    this.#blocked?.();
  }

  keepAlive(): void {}
  end(): void {}

  #take([name, tags]: [string, Record<string, { v: number }[]>]): void {
    this.names.push(name);
    if (name !== 'current' && name !== 'points') return;
    for (const [tag, points] of Object.entries(tags)) {
      const value = points.at(-1)?.v ?? Number.NaN;
      const before = this.newest.get(tag);
      // `current` may come behind points that it includes.
      assert.ok(before === undefined || value >= before, `${tag} went from ${before} to ${value}`);
      this.newest.set(tag, value);
    }
  }
}

async function openTags(context: TestContext): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
  const engine = await openEngine({ folder: join(folder, 'data'), durability: 'os', listener: () => {} });
  context.after(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine;
}

async function writeAll(engine: Engine, value: number, count = TAG_COUNT): Promise<void> {
  const points = new PointColumns(count);
  points.count = count;
  points.timesMs.fill(FIRST_MS + value * 1000);
  points.numbers.fill(value);
  points.qualities.fill(192);
  const lookup = engine.lookup('Plant');
  const runs = Array.from({ length: count }, (_, i) => {
    const name = `T${i}`;
    return { name, tag: lookup.find(name), type: ValueType.Double, start: i, count: 1, rejected: 0, stamped: 0 };
  });
  await engine.append('Plant', { points, runs });
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function knowsAll({ newest }: SlowClient, value: number): boolean {
  return newest.size === TAG_COUNT && [...newest.values()].every((known) => known === value);
}

test('a client that paused knows the newest points of all tags in the end, and misses none from then on', async (context) => {
  const engine = await openTags(context);
  await writeAll(engine, 1);
  const hub = new LiveHub({ engine, nowMs: () => Date.now() });
  context.after(() => hub.stop());
  const client = new SlowClient();
  const subscriber = hub.subscribe({ dataset: 'Plant', names: undefined, since: undefined }, client);
  await until(() => subscriber.isJoined && knowsAll(client, 1), 'the client never got the first points');
  client.isPausing = true;
  for (let value = 2; value < 6; value++) await writeAll(engine, value);
  await until(() => subscriber.isBlocked, 'the client took everything');
  client.goOn();
  // Turns of the event loop, not of a timer: a busy machine has fewer of those.
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  await until(() => subscriber.isJoined && knowsAll(client, 5), 'the client never knew the newest points');
  isOver = true;
  assert.ok(client.names.includes('skipped'), 'nothing was dropped: the client was not slow enough');
  assert.ok(turns > TAG_COUNT / 100 / 2, `others had ${turns} turns only`);
  await writeAll(engine, 6);
  await until(() => knowsAll(client, 6), 'points behind the pause are missing');
});

test('a client that was away goes on where it was, with the points of all tags that came meanwhile', async (context) => {
  const engine = await openTags(context);
  await writeAll(engine, 1);
  const hub = new LiveHub({ engine, nowMs: () => Date.now() });
  context.after(() => hub.stop());
  const first = new SlowClient();
  const subscriber = hub.subscribe({ dataset: 'Plant', names: undefined, since: undefined }, first);
  await until(() => subscriber.isJoined && knowsAll(first, 1), 'the client never got the first points');
  const since = parseLiveMarker(subscriber.id);
  subscriber.gone();
  await writeAll(engine, 2);
  const second = new SlowClient();
  const back = hub.subscribe({ dataset: 'Plant', names: undefined, since }, second);
  await until(() => back.isJoined, 'the client was not brought up to date');
  assert.ok(knowsAll(second, 2));
  assert.deepEqual([...new Set(second.names)], ['points'], 'no reset, nothing that it had before');
});

/** Points that are written in one go. */
const SHORT_COUNT = 5000;
const CLIENT_COUNT = 300;
const NAMES = Array.from({ length: 100 }, (_, i) => `T${i * 40}`);

test('points for many clients are handed out over several turns, in order, and a marker tells who has got them', async (context) => {
  const engine = await openTags(context);
  await writeAll(engine, 1, SHORT_COUNT);
  const hub = new LiveHub({ engine, nowMs: () => Date.now() });
  context.after(() => hub.stop());
  const listen = (since?: string) => {
    const client = new SlowClient();
    const marker = since === undefined ? undefined : parseLiveMarker(since);
    return { client, subscriber: hub.subscribe({ dataset: 'Plant', names: NAMES, since: marker }, client) };
  };
  const knows = ({ newest }: SlowClient, value: number): boolean => NAMES.every((name) => newest.get(name) === value);
  const listeners = Array.from({ length: CLIENT_COUNT }, () => listen());
  await until(() => listeners.every(({ subscriber }) => subscriber.isJoined), 'not all clients are live');
  const [first, last] = [listeners[0], listeners.at(-1)] as [ReturnType<typeof listen>, ReturnType<typeof listen>];

  let turns = 0;
  let marker: string | undefined;
  const look = setInterval(() => {
    if (!knows(first.client, 2) || knows(last.client, 2)) return;
    turns++;
    marker ??= last.subscriber.id;
  }, 0);
  await writeAll(engine, 2, SHORT_COUNT);
  await writeAll(engine, 3, SHORT_COUNT);
  await until(() => listeners.every(({ client }) => knows(client, 3)), 'not all clients have got the points');
  clearInterval(look);
  assert.ok(turns > 0, 'others had no turn while points were handed out');

  const back = listen(marker);
  await until(() => back.subscriber.isJoined, 'the client was not brought up to date');
  assert.ok(knows(back.client, 3));
  assert.deepEqual([...new Set(back.client.names)], ['points'], 'no reset');
});
