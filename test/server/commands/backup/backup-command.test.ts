// The commands as they are typed, against a real server under load over HTTP.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../../support/http-client.ts';
import { runServerToEnd, ServerProcess } from '../../../support/server-process.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SMALL = ['--head-limit', '1MiB', '--journal-limit', '1MiB', '--retired-journal-age', '0s'];
const PATH = '/api/datasets/plant/data';

/** Writes one point a request until told to stop; gives the number that were acknowledged. */
function startWriter(client: HttpClient): { count: () => number; stop: () => Promise<void> } {
  let acknowledged = 0;
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      const points = [{ t: new Date(START_MS + acknowledged * 1000).toISOString(), v: acknowledged }];
      const answer = await client.post(PATH, { T: points, [`U${acknowledged % 50}`]: points });
      assert.equal(answer.status, 200, answer.text);
      acknowledged++;
    }
  })();
  return {
    count: () => acknowledged,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

test('varve backup while the server is written to, varve restore, and a server on what was restored', async (context) => {
  const folder = makeTempFolder(context);
  const [dataFolder, target, restored] = ['data', 'backup', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const server = await ServerProcess.start({ dataFolder, flags: SMALL });
  context.after(() => server.kill());
  const client = new HttpClient(server.url);
  context.after(() => client.close());
  const writer = startWriter(client);
  while (writer.count() < 200) await new Promise((resolve) => setTimeout(resolve, 5));

  const first = await runServerToEnd(['backup', dataFolder, target]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^plant: \d+ files, \d+ bytes, \d+ of them copied, \d+ points verified\.$/m);
  const acknowledged = writer.count();
  const second = await runServerToEnd(['backup', dataFolder, target, '--dataset', 'plant', '--no-verify']);
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /^Backed up 1 datasets to .*: \d+ files, \d+ bytes, \d+ copied, in [\d.]+ s\.$/m);
  assert.equal(existsSync(join(dataFolder, 'plant', 'HOLD')), false);
  await writer.stop();

  const busy = await runServerToEnd(['restore', target, dataFolder, '--as', 'other']);
  assert.equal(busy.code, 75, busy.stderr);
  const done = await runServerToEnd(['restore', target, restored, '--as', 'other']);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(readdirSync(restored), ['other']);
  assert.equal((await runServerToEnd(['restore', target, restored, '--as', 'other'])).code, 1);
  await server.stop();

  const again = await ServerProcess.start({ dataFolder: restored });
  context.after(() => again.kill());
  assert.deepEqual(
    again.logLines.filter((line) => /"level":"(warn|error)"/.test(line)),
    [],
  );
  const reader = new HttpClient(again.url);
  context.after(() => reader.close());
  const answer = await reader.get('/api/datasets/other/data?tagname=T&start=2025-01-01&end=2027-01-01');
  const [{ d = [] } = {}] = answer.json<{ tl: { d: { v: number }[] }[] }>().tl;
  assert.ok(d.length >= acknowledged, `${d.length} points; ${acknowledged} were acknowledged before`);
  assert.deepEqual(
    d.map(({ v }) => v),
    d.map((_, i) => i),
  );
  await again.stop();
});

test('wrong words are bad usage, and name what is wanted', async (context) => {
  const folder = makeTempFolder(context);
  const ends = await Promise.all([
    runServerToEnd(['backup', folder]),
    runServerToEnd(['backup', folder, `${folder}-b`, '--datset', 'x']),
    runServerToEnd(['restore', folder, `${folder}-b`, '--as']),
  ]);
  assert.deepEqual(
    ends.map(({ code }) => code),
    [2, 2, 2],
  );
  assert.match(ends[0].stderr, /Want varve backup <data folder> <backup folder>/);
  assert.match(ends[1].stderr, /Unknown flag '--datset'\. Did you mean '--dataset'\?/);
  assert.match(ends[2].stderr, /--as needs a value/);
});
