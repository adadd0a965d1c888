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

/** A server whose wall clock is set with a file; its monotonic clock goes on as it is. */
async function startFaked(context: TestContext): Promise<{ server: ServerProcess; turn: (seconds: number) => void }> {
  const folder = makeTempFolder(context);
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
  context.after(() => server.kill());
  return { server, turn };
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

test('a clock that jumps years ahead and a day back takes no point away, and writing and the system tags go on', {
  skip: library === undefined ? 'libfaketime is not installed' : false,
}, async (context) => {
  const { server, turn } = await startFaked(context);
  const client = new HttpClient(server.url);
  context.after(() => client.close());
  const created = await client.post('/api/datasets', { n: 'plant', pa: 1, ps: 0 });
  assert.equal(created.status, 201, created.text);
  const tags = new SoakTags('plant', 0);
  for (const seconds of [0, YEARS_S, -DAY_S, 60, 120, 0]) {
    turn(seconds);
    for (let i = 0; i < 5; i++) await tags.write(client, 50);
    const offset = await waitForOffset(client, seconds);
    assert.ok(Math.abs(offset - seconds) < LEEWAY_SECONDS, `the server's clock is ${offset} s off, want ${seconds}`);
  }
  await tags.checkNew(client);
  assert.ok(await tags.compare(client, 0, tags.acknowledged));
  assert.ok(await server.findLog(/clock\.jumped/), 'the jump is said');
  const system = await client.get('/api/datasets/plant/data?tagname=%24System.Writes');
  assert.equal(system.status, 200, system.text);
});
