// What very many clients cost: a run of points is looked at once and not once for each of them, and their heartbeats leave
// turns to others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, PointColumns, type StoredRun, ValueType } from '../../../engine/index.ts';
import { DEFAULT_STYLE } from '../../../server/codec/write-json/value-style.ts';
import { UNCHARGED } from '../../../server/http/memory/answer-memory.ts';
import { catchUp } from '../../../server/live/catch-up.ts';
import { LiveDataset } from '../../../server/live/live-dataset.ts';
import { RecentRuns } from '../../../server/live/recent-runs.ts';
import { Subscriber } from '../../../server/live/subscriber.ts';
import { LivePlant, PausingClient, until } from './support/live-plant.ts';

const points = new PointColumns(1);
points.count = 1;
points.qualities[0] = 192;

/** A live dataset, and what the engine calls for each run that it has stored. */
function makeDataset(): { live: LiveDataset; store: (tagId: number, ordinal: number) => { isEncoded: boolean } } {
  let watcher = (_run: StoredRun): void => {};
  const watch = (_dataset: string, onPoints: typeof watcher) => {
    watcher = onPoints;
    return { position: () => undefined, isOn: true, stop: () => {} };
  };
  const live = new LiveDataset({
    engine: { watch } as unknown as Engine,
    name: 'Plant',
    style: DEFAULT_STYLE,
    onBehind: () => {},
  });
  const store = (tagId: number, ordinal: number): { isEncoded: boolean } => {
    const seen = { isEncoded: false };
    const run = {
      tagId,
      tag: { name: `T${tagId}` },
      isSystem: false,
      ordinal,
      type: ValueType.Double,
      start: 0,
      count: 1,
    };
    Object.defineProperty(run, 'points', {
      get: () => {
        seen.isEncoded = true;
        return points;
      },
    });
    watcher(run as unknown as StoredRun);
    return seen;
  };
  return { live, store };
}

function listen(live: LiveDataset, tagId: number): Subscriber {
  const subscriber = new Subscriber({
    outlet: new PausingClient(),
    names: [`T${tagId}`],
    epoch: 'r',
    memory: UNCHARGED,
    onTag: (to, id, change) => live.changeTag(to, id, change),
    onLost: () => {},
    onGone: (gone) => live.remove(gone),
  });
  live.add(subscriber);
  subscriber.put(tagId, `T${tagId}`, 0);
  subscriber.join(0);
  return subscriber;
}

test('a run of points is looked at once, however many listen to other tags', () => {
  const { live, store } = makeDataset();
  let asked = 0;
  for (let i = 0; i < 500; i++) {
    const subscriber = listen(live, 10_000 + i);
    const { wants } = Subscriber.prototype;
    subscriber.wants = (tag) => {
      asked++;
      return wants.call(subscriber, tag);
    };
  }
  for (let tagId = 0; tagId < 100; tagId++) assert.ok(!store(tagId, 0).isEncoded, 'nobody listens to this tag');
  assert.equal(asked, 0);
  live.stop();
});

test('points are encoded as long as anyone listens to their tag', () => {
  const { live, store } = makeDataset();
  const [first, second] = [listen(live, 7), listen(live, 7)];
  second.put(7, 'T7', 0);
  assert.ok(store(7, 0).isEncoded);
  live.flush();
  first.gone();
  assert.ok(store(7, 1).isEncoded, 'another one listens still');
  live.flush();
  second.gone();
  second.put(7, 'T7', 1);
  second.put(8, 'T8', 1);
  assert.ok(!store(7, 2).isEncoded, 'nobody listens any more');
  assert.ok(!store(8, 0).isEncoded, 'who listened has gone before');
});

test('bringing a client of very many tags up to date looks at a run without going through its names', async () => {
  const names = Array.from({ length: 4600 }, (_, i) => `W${i}`);
  names.includes = () => assert.fail('all names were gone through');
  const recent = new RecentRuns();
  for (let i = 0; i < 9000; i++)
    recent.add({ tagId: i, name: i % 2 === 0 ? `T${i}` : `W${i}`, isSystem: false, ordinal: 0 });
  const looked: string[] = [];
  const position = (name: string): undefined => {
    looked.push(name);
  };
  const live = { recent, flush: () => {}, watch: { position }, name: 'Plant' } as unknown as LiveDataset;
  const parts = { outlet: new PausingClient(), names, epoch: 'r', onTag: () => {}, onLost: () => {}, onGone: () => {} };
  const subscriber = new Subscriber({ ...parts, memory: UNCHARGED });
  const task = { engine: {} as Engine, live, subscriber, style: DEFAULT_STYLE, names: async () => names };
  await catchUp({ ...task, since: 0 });
  assert.ok(subscriber.isJoined);
  assert.deepEqual(
    looked,
    Array.from({ length: 2300 }, (_, i) => `W${2 * i + 1}`),
  );
});

test('heartbeats of very many clients go out over several turns', async (context) => {
  const plant = await LivePlant.open(context, 50);
  await plant.write(['A', 0, 1]);
  const inTurn: number[] = [0];
  let isOver = false;
  const count = (): void => {
    inTurn.push(0);
    if (!isOver) setImmediate(count);
  };
  count();
  class Beating extends PausingClient {
    isBeaten = false;

    override keepAlive(): void {
      this.isBeaten = true;
      inTurn.push((inTurn.pop() ?? 0) + 1);
    }
  }
  const clients = Array.from({ length: 1000 }, () => new Beating());
  for (const client of clients) plant.listen(client, ['A']);
  await until(() => clients.every(({ isBeaten }) => isBeaten), 'the connections of some are not kept open');
  await until(() => clients.every((client) => client.named('heartbeat').length > 0), 'some have got no heartbeat');
  isOver = true;
  const most = inTurn.reduce((a, b) => Math.max(a, b));
  assert.ok(most <= 200, `${most} in one turn`);
});
