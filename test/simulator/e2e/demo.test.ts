// The demo plant beside the real server: a week of history and live points within ten seconds, and nothing lost over a stop
// and a new start.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startDemo } from '../../../simulator/demo.ts';
import { readPoints, readTagNames } from '../../support/dataset-reader.ts';
import type { StoredPoint } from '../../support/fake-historian.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const DATASET = 'Demo';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Processor time of this process, in which the demo runs: so that it does not matter what else the machine does. */
const HISTORY_CPU_MS = 10_000;
const WAIT_LIMIT_MS = 240_000;

function timeOf(point: StoredPoint | undefined): number {
  return Date.parse(point?.t ?? '');
}

function longestGapMs(points: readonly StoredPoint[]): number {
  let longest = 0;
  for (const [index, point] of points.entries()) {
    if (index > 0) longest = Math.max(longest, timeOf(point) - timeOf(points[index - 1]));
  }
  return longest;
}

test('the demo has a week of history and live points soon, and goes on over a stop without a gap', async (context) => {
  const server = await ServerProcess.start();
  context.after(() => server.kill());
  const listeningMs = Date.now();
  const cpuBefore = process.cpuUsage();
  const log: string[] = [];
  const options = {
    url: server.url,
    dataset: DATASET,
    stateFolder: join(makeTempFolder(context), 'demo'),
    log: (line: string) => log.push(line),
  };
  let demo = startDemo(options);
  context.after(() => demo.stop());
  while (!log.some((line) => line.includes('live from here'))) {
    assert.ok(Date.now() - listeningMs < WAIT_LIMIT_MS, log.join('\n'));
    await delay(50);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  assert.ok((user + system) / 1000 < HISTORY_CPU_MS, `the history took ${(user + system) / 1000} ms of processor time`);
  console.log(`# history after ${Date.now() - listeningMs} ms: ${log.find((line) => / points in /.test(line))}`);
  await demo.stop();
  await delay(500);
  demo = startDemo(options);
  const lives = (): number => log.filter((line) => line.includes('live from here')).length;
  for (const startedMs = Date.now(); lives() < 2; await delay(50)) {
    assert.ok(Date.now() - startedMs < WAIT_LIMIT_MS, log.join('\n'));
  }
  const liveMs = Date.now();
  await demo.stop();
  assert.ok((await readTagNames(server.url, DATASET)).length >= 180);
  const power = await readPoints(server.url, DATASET, 'Dairy.Power');
  assert.ok(timeOf(power[0]) < Date.now() - 6 * DAY_MS);
  assert.ok(timeOf(power.at(-1)) > liveMs - 2 * MINUTE_MS, 'up to now');
  assert.ok(timeOf(power.at(-1)) < Date.now() + 5000, 'and hardly ahead of it');
  assert.ok(longestGapMs(power) <= 2 * MINUTE_MS, `a gap of ${longestGapMs(power)} ms`);
  const shifts = await readPoints(server.url, DATASET, 'Dairy.Shift');
  for (const [index, shift] of shifts.entries()) {
    assert.equal(shift.v, (index % 3) + 1);
    if (index > 0) assert.equal(timeOf(shift) - timeOf(shifts[index - 1]), 480 * MINUTE_MS);
  }
  const states = await readPoints(server.url, DATASET, 'PA01.State');
  for (const [index, state] of states.entries()) assert.equal(state.v, [1, 2, 3, 4, 0][index % 5]);
  assert.ok(timeOf(states.at(-1)) + 150 * MINUTE_MS > Date.now());
  const nulls = await readPoints(server.url, DATASET, 'TK001.Level');
  assert.ok(nulls.some((point) => point.v === null));
});
