// Clocks of sources that are set back while the connection is cut, and are past the newest point again at the next one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceClocks } from '../../../collect/opcua/source-clocks.ts';
import { freeLowPorts } from '../../support/low-ports.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { CollectorProcess, until } from '../support/collector-process.ts';
import { startCollectorOf, valuesOf } from '../support/level-values.ts';
import { OpcUaTestServer } from '../support/opcua-server.ts';

const PUBLISHING_MS = 500;

function at(timeMs: number) {
  return { timeMs, ticks: 0 };
}

test('a clock that fell behind during a cut has history read from before the newest point, until that is settled', () => {
  const leads = new Map<string, number>();
  const clocks = new SourceClocks(leads, PUBLISHING_MS);
  clocks.see('A', at(100_000), 100_200);
  assert.deepEqual([...leads], [['A', -200]]);
  clocks.beginBehind('A', at(100_000));
  clocks.see('A', at(110_000), 130_300);
  const [slice, ...others] = clocks.missed;
  assert.ok(slice);
  // Twenty seconds and a tenth, and what values may come late by.
  assert.deepEqual(
    [slice, others],
    [{ tag: 'A', fromMs: 100_000 - 20_100 - 1500, newest: at(100_000), until: at(110_000) }, []],
  );
  clocks.settle(slice);
  assert.deepEqual(clocks.missed, []);
});

test('values that come late just before a cut do not shorten what is read', () => {
  const clocks = new SourceClocks(new Map(), PUBLISHING_MS);
  clocks.see('A', at(100_000), 100_100);
  clocks.see('A', at(101_000), 104_000);
  clocks.beginBehind('A', at(101_000));
  clocks.see('A', at(110_000), 130_100);
  assert.deepEqual(clocks.missed, [
    { tag: 'A', fromMs: 101_000 - 20_000 - 1500, newest: at(101_000), until: at(110_000) },
  ]);
});

test('a clock that was turned long before a cut has nothing read', () => {
  const clocks = new SourceClocks(new Map(), PUBLISHING_MS);
  clocks.see('A', at(100_000), 100_000);
  for (let ms = 0; ms < 90_000; ms += 1000) clocks.see('A', at(80_000 + ms), 101_000 + ms);
  clocks.beginBehind('A', at(169_000));
  clocks.see('A', at(180_000), 201_500);
  assert.deepEqual(clocks.missed, []);
});

test('nothing is read where values come late, the clock is still behind, was turned without a cut, or is not known', () => {
  const clocks = new SourceClocks(
    new Map([
      ['late', 0],
      ['behind', 0],
      ['connected', 0],
    ]),
    PUBLISHING_MS,
  );
  for (const tag of ['late', 'behind', 'unknown']) clocks.beginBehind(tag, at(100_000));
  clocks.see('late', at(150_000), 151_400);
  clocks.see('behind', at(99_000), 150_000);
  clocks.see('connected', at(130_000), 150_000);
  clocks.see('unknown', at(130_000), 150_000);
  assert.deepEqual(clocks.missed, []);
});

test('a variable that changes first behind several cuts is read from before the first one, a day at most', () => {
  const clocks = new SourceClocks(new Map([['A', 0]]), PUBLISHING_MS);
  clocks.beginBehind('A', at(1e9));
  clocks.beginBehind('A', at(1e9 + 5000));
  clocks.see('A', at(1e9 + 20_000), 2e9);
  assert.deepEqual(clocks.missed, [{ tag: 'A', fromMs: 1e9 - 86_400_000, newest: at(1e9), until: at(1e9 + 20_000) }]);
});

const SET_BACK = 'was set back during a cut';
const SET_BACK_MS = 4000;
const VALUES_BEFORE = 10;
const SPACING_MS = 100;

async function endToEnd(context: TestContext, whileCut: (collector: CollectorProcess) => Promise<CollectorProcess>) {
  const folder = makeTempFolder(context);
  const varve = await ServerProcess.start();
  context.after(() => varve.kill().catch(() => undefined));
  const [port = 0] = await freeLowPorts(1);
  const setup = { folder: join(folder, 'keys'), port, variables: [{ name: 'Level', hasHistory: true }] };
  const first = await OpcUaTestServer.start(setup);
  context.after(() => first.stop().catch(() => undefined));
  let collector = startCollectorOf(context, { folder, endpoint: first.url, target: varve.url });
  await collector.said(/ 1 variables .* subscribed/);
  const set: [timeMs: number, value: number][] = [];
  for (let value = 1; value <= VALUES_BEFORE; value++) {
    await sleep(SPACING_MS);
    set.push([Date.now(), value]);
    first.set('Level', value, Date.now());
  }
  await until('the values before the cut', async () => (await valuesOf(varve.url)).get(VALUES_BEFORE));
  // The file of newest times is written every second.
  await sleep(1500);
  await first.stop();
  const cutMs = Date.now();
  collector = await whileCut(collector);
  // The clock is set back at once, and longer ago than it was set back by: it is past the newest point again.
  await sleep(Math.max(0, cutMs + SET_BACK_MS + 2500 - Date.now()));
  for (let ms = cutMs; ms < Date.now(); ms += SPACING_MS) set.push([ms - SET_BACK_MS, 1000 + set.length]);
  const second = await OpcUaTestServer.start(setup);
  context.after(() => second.stop().catch(() => undefined));
  for (const [timeMs, value] of set) second.set('Level', value, timeMs);
  // The collector looks for the server every five seconds at most.
  for (let count = 0; count < 200 && !collector.log.includes(SET_BACK); count++) {
    await sleep(SPACING_MS);
    const timeMs = Date.now() - SET_BACK_MS;
    set.push([timeMs, 5000 + count]);
    second.set('Level', 5000 + count, timeMs);
  }
  assert.ok(collector.log.includes(SET_BACK), collector.log);
  const stored = await until('all values', async () => {
    const values = await valuesOf(varve.url);
    return set.every(([, value]) => values.has(value)) ? values : undefined;
  });
  for (const [timeMs, value] of set) assert.deepEqual(stored.get(value), [timeMs], `times of ${value}`);
}

test('what a source had at times before the newest point, while it was cut off, is read from its history', async (context) => {
  await endToEnd(context, async (collector) => collector);
});

test('that is so when the collector was killed meanwhile, too', async (context) => {
  await endToEnd(context, async (collector) => {
    await collector.end('SIGKILL');
    const again = new CollectorProcess(collector.config);
    context.after(() => again.end('SIGKILL'));
    return again;
  });
});
