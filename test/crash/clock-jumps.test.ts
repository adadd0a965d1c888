// The real process under libfaketime: its clock jumps years ahead and a day back while it writes.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient } from '../support/http-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { SoakTags } from './soak-tag.ts';

const LIBRARIES = '/usr/lib';
const DAY_S = 86_400;
const YEARS_S = 5 * 365 * DAY_S;
const LEEWAY_SECONDS = 10;
const MOST_LOOKS = 100;
const LOOK_INTERVAL_MS = 100;

/** The library for processes with threads; undefined when it is not installed. */
function findLibrary(): string | undefined {
  if (process.platform !== 'linux' || !existsSync(LIBRARIES)) return undefined;
  return readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}

const library = findLibrary();

/** A server over a folder whose wall clock is set with a file; its monotonic clock goes on as it is. */
async function startFaked(
  context: TestContext,
  folder: string,
): Promise<{ server: ServerProcess; client: HttpClient; turn: (seconds: number) => void }> {
  const clockFile = join(folder, 'clock');
  let serial = 0;
  const turn = (seconds: number): void => {
    writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    utimesSync(clockFile, ++serial, serial);
  };
  turn(0);
  const server = await ServerProcess.start({
    dataFolder: join(folder, 'data'),
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  const client = new HttpClient(server.url);
  context.after(async () => {
    client.close();
    await server.kill();
  });
  return { server, client, turn };
}

/** Waits until the server's Date header, which it makes anew now and then, is so far off; gives how far it was last. */
async function waitForOffset(client: HttpClient, wantSeconds: number): Promise<number> {
  let offsetSeconds = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const dateMs = Date.parse((await client.get('/health')).header('date') ?? '');
    offsetSeconds = (dateMs - Date.now()) / 1000;
    if (Math.abs(offsetSeconds - wantSeconds) < LEEWAY_SECONDS) break;
    await delay(LOOK_INTERVAL_MS);
  }
  return offsetSeconds;
}

/** Every acknowledged point is there. */
async function assertWhole(client: HttpClient, tags: SoakTags): Promise<void> {
  await tags.checkNew(client);
  assert.ok(await tags.compare(client, 0, tags.acknowledged));
}

const skip = library === undefined ? 'libfaketime is not installed' : false;

test('a clock that jumps years ahead and a day back takes no point away, and writing and the system tags go on', {
  skip,
}, async (context) => {
  const { server, client, turn } = await startFaked(context, makeTempFolder(context));
  const created = await client.post('/api/datasets', { n: 'plant', pa: 1, ps: 0 });
  assert.equal(created.status, 201, created.text);
  const tags = new SoakTags('plant', 0);
  for (const seconds of [0, YEARS_S, -DAY_S, 60, 120, 0]) {
    turn(seconds);
    for (let i = 0; i < 5; i++) await tags.write(client, 50);
    const offset = await waitForOffset(client, seconds);
    assert.ok(Math.abs(offset - seconds) < LEEWAY_SECONDS, `the server's clock is ${offset} s off, want ${seconds}`);
  }
  await assertWhole(client, tags);
  assert.ok(await server.findLog(/clock\.jumped/), 'the jump is said');
  const system = await client.get('/api/datasets/plant/data?tagname=%24System.Writes');
  assert.equal(system.status, 200, system.text);
});

test('negative control: when purge by age does take points, the same look fails', { skip }, async (context) => {
  const folder = makeTempFolder(context);
  const { server, client } = await startFaked(context, folder);
  assert.equal((await client.post('/api/datasets', { n: 'plant', pa: 1, ps: 0 })).status, 201);
  const tags = new SoakTags('plant', 0);
  await tags.write(client, 50);
  await assertWhole(client, tags);
  // A client whose clock is right says that the points before are older than the purge age, which the next start applies.
  const now = await client.post('/api/datasets/plant/data/Now', [{ t: new Date().toISOString(), v: 1 }]);
  assert.equal(now.status, 200, now.text);
  await server.stop();
  const again = await startFaked(context, folder);
  await assert.rejects(assertWhole(again.client, tags), /got \d+ points from 0, want 50/);
});
