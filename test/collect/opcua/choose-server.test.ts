import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Candidate, chooseServer } from '../../../collect/opcua/choose-server.ts';
import { watchLevels } from '../../../collect/opcua/service-levels.ts';

type Server = readonly [name: string, level: number | undefined, afterMs?: number];

async function choose(servers: readonly Server[]): Promise<{ taken: string | undefined; closed: string[] }> {
  const closed: string[] = [];
  const candidates = servers.map(async ([open, level, afterMs = 0]): Promise<Candidate<string> | undefined> => {
    await delay(afterMs);
    return level === undefined ? undefined : { open, level };
  });
  const { signal } = new AbortController();
  const taken = await chooseServer({ candidates, close: (open) => closed.push(open), signal });
  await Promise.all(candidates);
  return { taken: taken?.open, closed };
}

test('the first healthy server of the list is taken, else the one that serves best', async () => {
  assert.deepEqual(
    await choose([
      ['a', 255],
      ['b', 255],
    ]),
    { taken: 'a', closed: ['b'] },
  );
  assert.deepEqual(
    await choose([
      ['a', 255, 20],
      ['b', 255],
    ]),
    { taken: 'a', closed: ['b'] },
  );
  assert.deepEqual(
    await choose([
      ['a', 100],
      ['b', 255],
    ]),
    { taken: 'b', closed: ['a'] },
  );
  assert.deepEqual(
    await choose([
      ['a', 100],
      ['b', 150],
      ['c', 150],
    ]),
    { taken: 'b', closed: ['a', 'c'] },
  );
  assert.deepEqual(
    await choose([
      ['a', undefined],
      ['b', 0],
    ]),
    { taken: 'b', closed: [] },
  );
  assert.deepEqual(await choose([['a', undefined]]), { taken: undefined, closed: [] });
});

test('a server that does not answer holds up a healthy one for a moment only, and is closed when it comes', async () => {
  const began = performance.now();
  const closed: string[] = [];
  const late = delay(2200).then(() => ({ open: 'late', level: 255 }));
  const { signal } = new AbortController();
  const candidates = [late, Promise.resolve({ open: 'b', level: 255 })];
  const taken = await chooseServer({ candidates, close: (open) => closed.push(open), signal });
  assert.equal(taken?.open, 'b');
  assert.ok(performance.now() - began < 2000);
  await late;
  await delay(1);
  assert.deepEqual(closed, ['late']);
});

test('the choice ends with the run', async () => {
  const stop = new AbortController();
  const never = new Promise<undefined>(() => undefined);
  const choice = chooseServer({ candidates: [never], close: () => undefined, signal: stop.signal });
  stop.abort();
  assert.equal(await choice, undefined);
});

test('a server is left when its level falls, or when it serves badly and another one well', async () => {
  let nowMs = 0;
  let level = 255;
  let other = 255;
  const watch = (chosenAt: number) =>
    watchLevels({
      level: chosenAt,
      readLevel: async () => level,
      readOthers: async () => ({ level: other, endpoint: 'the other' }),
      now: () => nowMs,
    });
  const look = async (watching: () => Promise<string | undefined>, afterMs: number) => {
    nowMs += afterMs;
    return watching();
  };
  const healthy = watch(255);
  level = 199;
  assert.equal(await look(healthy, 1000), undefined);
  assert.equal(await look(healthy, 1000), 'its service level has fallen to 199');
  const degraded = watch(100);
  level = 100;
  other = 150;
  assert.equal(await look(degraded, 10_000), undefined);
  other = 200;
  assert.equal(await look(degraded, 2000), undefined);
  assert.equal(await look(degraded, 10_000), 'its service level is 100, and that of the other 200');
});
