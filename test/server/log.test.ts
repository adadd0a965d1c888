// What the lines of the log may hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeLine } from '../../server/log.ts';
import { HttpClient } from '../support/http-client.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Line ends that JSON leaves as they are, a terminal's command, and signs that turn the direction of writing. */
const NASTY = 'a\u2028b\u2029c\u0085d\u009b31me\u202ef\u2066g\u200fh\u007fi\ufeffj';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test('a line stays the same JSON, and what readers take for more is an escape', () => {
  const line = JSON.stringify({ dataset: NASTY, plain: 'Öl ∑ 温度 🛢' });
  const escaped = escapeLine(line);
  assert.doesNotMatch(escaped, UNSAFE);
  assert.deepEqual(JSON.parse(escaped), JSON.parse(line));
  assert.ok(escaped.includes('\\u2028b\\u2029c\\u0085d\\u009b31m'));
  assert.ok(escaped.includes('Öl ∑ 温度 🛢'));
});

test('names of clients make no line ends in the log of a server', async () => {
  const server = await ServerProcess.start({ transport: 'node' });
  const http = new HttpClient(server.url);
  const name = `x\u2028{"audit":true}\u2029y\u202ez`;
  const path = `/api/datasets/${encodeURIComponent(name)}`;
  assert.equal((await http.post(`${path}/data/T`, [{ v: 1 }])).status, 200);
  const tag = `t${'\u2028'}u`;
  assert.equal((await http.post(`${path}/tags`, [{ n: tag }])).status, 200);
  assert.equal((await http.delete(`${path}/tags`, [tag])).status, 200);
  assert.equal((await http.delete(path)).status, 200);
  http.close();
  await server.stop();
  const lines = server.logLines;
  for (const line of lines) assert.doesNotMatch(line, UNSAFE);
  const audited = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ audit }) => audit === true);
  assert.deepEqual(
    audited.map(({ action, dataset }) => [action, dataset]),
    [
      ['dataset.create', name],
      ['tags.delete', name],
      ['dataset.delete', name],
    ],
  );
});
