// What a subscription gets of new points: the newest one first, also where it has to be waited for, and a dataset that cannot
// be watched for a while.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Engine,
  EngineError,
  type PointChunk,
  PointColumns,
  type StoredRun,
  ValueType,
} from '../../../../../engine/index.ts';
import { Feeds } from '../../../../../server/doors/i3x/subscriptions/feed.ts';
import { Subscription } from '../../../../../server/doors/i3x/subscriptions/subscription.ts';

const MONITORED = { elementId: 'Plant:T', dataset: 'Plant', tag: 'T', maxDepth: 1 };
const TAG = { name: 'T', type: ValueType.Double };

function numbers(...values: number[]): PointColumns {
  const points = new PointColumns(values.length);
  for (const [i, value] of values.entries()) {
    points.timesMs[i] = 1000 * i;
    points.numbers[i] = value;
    points.qualities[i] = 192;
  }
  points.count = values.length;
  return points;
}

class StubEngine {
  isWatchable = true;
  isOn = true;
  newest: PointChunk | undefined | Promise<PointChunk | undefined>;
  onPoints: ((run: StoredRun) => void) | undefined;

  hasDataset(): boolean {
    return true;
  }

  watch(_dataset: string, onPoints: (run: StoredRun) => void): { readonly isOn: boolean; stop(): void } {
    if (!this.isWatchable) throw new EngineError('UNAVAILABLE', "Dataset 'Plant' is not available.");
    this.onPoints = onPoints;
    this.isOn = true;
    const engine = this;
    return {
      get isOn() {
        return engine.isOn;
      },
      stop: () => {},
    };
  }

  read(): object {
    return { tagCount: 1, open: () => ({ next: () => this.newest, close: () => {} }) };
  }

  send(...values: number[]): void {
    const points = numbers(...values);
    const run = { tag: TAG, isSystem: false, type: TAG.type, points, start: 0, count: values.length };
    this.onPoints?.({ ...run, tagId: 1, ordinal: 0 } as StoredRun);
  }
}

function make(engine: StubEngine): { readonly feeds: Feeds; readonly subscription: Subscription; values(): unknown[] } {
  const subscription = new Subscription('1', { clientId: 'c', owner: undefined }, undefined, { chars: 0 });
  const values = (): unknown[] =>
    subscription.queue.pending().flatMap(({ updates }) => updates.map((one) => (JSON.parse(one) as Vqt).value));
  return { feeds: new Feeds(engine as unknown as Engine, () => 0), subscription, values };
}

interface Vqt {
  readonly value: unknown;
}

function chunkOf(value: number): PointChunk {
  return { type: TAG.type, points: numbers(value), start: 0, end: 1 };
}

test('the newest point comes first, also when it is elsewhere; not behind a newer one', async () => {
  for (const isEarly of [true, false]) {
    const engine = new StubEngine();
    let tell = (_chunk: PointChunk): void => {};
    engine.newest = new Promise((resolve) => {
      tell = resolve;
    });
    const { feeds, subscription, values } = make(engine);
    feeds.add(subscription, MONITORED);
    if (isEarly) engine.send(2);
    tell(chunkOf(1));
    await engine.newest;
    await new Promise((resolve) => setImmediate(resolve));
    if (!isEarly) engine.send(2);
    await feeds.settled();
    assert.deepEqual(values(), isEarly ? [2] : [1, 2]);
  }
});

test('a dataset that is there and cannot be watched is tried again', async () => {
  const engine = new StubEngine();
  const { feeds, subscription, values } = make(engine);
  feeds.add(subscription, MONITORED);
  engine.isOn = false;
  engine.isWatchable = false;
  feeds.renew();
  engine.isWatchable = true;
  feeds.renew();
  engine.send(3);
  await feeds.settled();
  assert.deepEqual(values(), [3]);
});

test('many points at once come whole and in order to each subscription', async () => {
  const engine = new StubEngine();
  const one = make(engine);
  const other = make(engine);
  one.feeds.add(one.subscription, MONITORED);
  one.feeds.add(other.subscription, MONITORED);
  const all = Array.from({ length: 2500 }, (_, i) => i);
  engine.send(-1);
  engine.send(...all);
  engine.send(-2);
  await one.feeds.settled();
  for (const { values } of [one, other]) assert.deepEqual(values(), [-1, ...all, -2]);
});

test('who registers while points are on their way begins with the newest of them, and gets none twice', async () => {
  const engine = new StubEngine();
  const one = make(engine);
  const other = make(engine);
  one.feeds.add(one.subscription, MONITORED);
  engine.send(1, 2);
  engine.newest = chunkOf(2);
  one.feeds.add(other.subscription, MONITORED);
  engine.send(3);
  await one.feeds.settled();
  assert.deepEqual(one.values(), [1, 2, 3]);
  assert.deepEqual(other.values(), [2, 3]);
});

test('points to very many subscriptions are passed on over many turns, and nothing is made of them while a write waits', async () => {
  const engine = new StubEngine();
  const { feeds } = make(engine);
  const all = Array.from({ length: 200 }, () => make(engine));
  for (const { subscription } of all) feeds.add(subscription, MONITORED);
  for (let i = 0; i < 500; i++) engine.send(i);
  assert.ok(all.every(({ subscription }) => subscription.queue.isEmpty));
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await feeds.settled();
  isDone = true;
  assert.ok(turns > 1, `passed on in ${turns} turns`);
  for (const { values } of all) assert.equal(values().length, 500);
});

test('of more points than may wait on their way the oldest are dropped, and their subscribers are told', async () => {
  const engine = new StubEngine();
  const { feeds, subscription, values } = make(engine);
  feeds.add(subscription, MONITORED);
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  for (let i = 0; i < 102; i++) engine.send(...many);
  engine.send(-1);
  assert.ok(subscription.queue.hasDropped);
  await feeds.settled();
  assert.equal(values().at(-1), -1);
});

test('of more points of a tag than are passed on at once the newest come, and the subscriber is told', async () => {
  const engine = new StubEngine();
  const { feeds, subscription, values } = make(engine);
  feeds.add(subscription, MONITORED);
  engine.send(...Array.from({ length: 10_001 }, (_, i) => i));
  await feeds.settled();
  assert.ok(subscription.queue.hasDropped);
  assert.equal(values()[0], 1);
  assert.equal(values().length, 10_000);
});
