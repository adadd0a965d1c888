// HTTP in general: addresses, paths, queries, what every answer carries, and what no route answers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersEveryHead } from '../../server/http/support/test-server.ts';
import { exchangeRaw, rawStatus } from '../../support/http-client.ts';
import { projectFolder, runServerToEnd, ServerProcess } from '../../support/server-process.ts';
import type { MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves } from '../registry.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  CLOCK_LEEWAY_MS,
  defineTag,
  HOUR_MS,
  point,
  readEntry,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

const QUERIES = 'HTTP in general/Query strings';

proves('HTTP in general/Default address', 'it is 127.0.0.1:4511', async (c) => {
  const bareFlags = ['--data', join(c.folder(), 'data'), '--http', c.transport];
  try {
    const server = await ServerProcess.start({ bareFlags });
    assert.equal(server.url, 'http://127.0.0.1:4511');
    await server.stop();
  } catch {
    // Somebody else has the port: then the refusal must name it.
    const end = await runServerToEnd(bareFlags);
    assert.equal(end.code, 75);
    assert.match(end.stderr + end.stdout, /127\.0\.0\.1:4511/);
  }
});

proves('HTTP in general/Default address', '--host 0.0.0.0 opens it, with a warning in the log', async (c) => {
  const { server, http } = await c.withServer({ flags: ['--host', '0.0.0.0'] });
  assert.equal(server.host, '0.0.0.0');
  assertStatus(await http.get('/health', { host: `127.0.0.1:${server.port}` }), 200);
  assert.ok(await server.findLog(/"level":(?:40|"warn")/), server.logLines.join('\n'));
  assert.ok(!c.server.logLines.some((line) => /0\.0\.0\.0|no tokens/.test(line)), 'no warning without it');
});

proves('HTTP in general/{dataset}, {tagname} in a path', '%2F and a plain slash name the same tag', async (c) => {
  assertDone(await c.post('/data/Area%2FPump%2FSpeed', [point(0, 1)]));
  assertDone(await c.post('/data/Area/Pump/Speed', [point(1, 2)]));
  assertDone(await c.post('/data/Area%2FPump/Speed', [point(2, 3)]));
  assert.deepEqual(await userTagNames(c), ['Area/Pump/Speed']);
  for (const path of ['Area/Pump/Speed', 'Area%2FPump%2FSpeed', 'Area/Pump%2fSpeed']) {
    const read = assertStatus(await c.get(`/data/${path}?${ALL}`), 200).json<TagDataAnswer>();
    assert.deepEqual(
      read.d.map(({ v }) => v),
      [1, 2, 3],
    );
    assertStatus(await c.get(`/tags/${path}`), 200);
  }
  assertDone(await c.post('/tags/Area/Pump/Speed', { n: 'Area/Pump/Speed', d: 'x' }));
  assertDone(await c.delete('/tags/Area/Pump/Speed'));
  assert.deepEqual(await userTagNames(c), []);
});

const TAG_NAMES_IN_PATHS: readonly (readonly [path: string, name: string])[] = [
  ['a.b.c', 'a.b.c'],
  ['...', '...'],
  ['a/../b', 'a/../b'],
  ['a%2F..%2Fb', 'a/../b'],
  ['a/./b', 'a/./b'],
  ['a//b', 'a//b'],
  ['a/', 'a/'],
  ['%2Fa', '/a'],
  ['with%20space', 'with space'],
  ['plus+plus', 'plus+plus'],
  ['plus%2Bplus', 'plus+plus'],
  ['percent%2541', 'percent%41'],
  ['question%3Fmark%23hash', 'question?mark#hash'],
  ['%D0%A2%D0%B5%D0%B3%20%E6%B8%A9%E5%BA%A6%20%F0%9F%8C%A1', 'Тег 温度 🌡'],
  ["!$&'()*,;=:@", "!$&'()*,;=:@"],
  ['exists', 'exists'],
  ['__proto__', '__proto__'],
];

proves(
  'HTTP in general/{dataset}, {tagname} in a path',
  'a tag name holds dots, spaces, plus, percent and any Unicode',
  async (c) => {
    for (const [path, name] of TAG_NAMES_IN_PATHS) {
      assertDone(await c.post(`/data/${path}`, [{ v: 1 }]));
      const read = assertStatus(await c.get(`/data/${path}`), 200).json<TagDataAnswer>();
      assert.equal(read.t.n, name, path);
    }
    assert.deepEqual(new Set(await userTagNames(c)), new Set(TAG_NAMES_IN_PATHS.map(([, name]) => name)));
  },
);

proves('HTTP in general/{dataset}, {tagname} in a path', 'the dataset is percent-decoded', async (c) => {
  const name = `${c.dataset}/Ü+%41?.x`;
  const path = `/api/datasets/${encodeURIComponent(c.dataset)}%2F%C3%9C+%2541%3F.x`;
  assertDone(await c.http.post(`${path}/data/T`, [point(0, 1)]));
  assert.equal(assertStatus(await c.http.get(path), 200).json<{ n: string }>().n, name);
});

proves('HTTP in general/{dataset}, {tagname} in a path', 'an escape that is none, or no UTF-8, is 400', async (c) => {
  for (const escaped of ['%zz', '%', '%4', '%FF', '%C3%28', '%ED%A0%80'])
    assertProblem(await c.post(`/data/${escaped}`, [{ v: 1 }]), 400);
});

proves(QUERIES, 'in the time parameters a plus stays a plus', async (c) => {
  await write(c, 'T', [
    { t: '2024-01-01T06:00:00Z', v: 1 },
    { t: '2024-01-01T07:00:00Z', v: 2 },
  ]);
  const queries = [
    'start=2024-01-01T08:00:00+02:00&end=2024-01-01T08:30:00+02:00',
    'start=2024-01-01T08:00:00%2B02:00&end=2024-01-01T08:30:00%2B02:00',
    'start=2024-01-01T08%3A00%3A00%2b02%3A00&end=2024-01-01T06:30:00Z',
  ];
  for (const query of queries) {
    const read = await readEntry(c, 'T', query);
    assert.deepEqual([read.s, read.e], ['2024-01-01T06:00:00.000Z', '2024-01-01T06:30:00.000Z'], query);
    assert.deepEqual(
      read.d.map(({ v }) => v),
      [1],
    );
  }
  for (const relative of ['+2h', '%2B2h']) {
    const read = await readEntry(c, 'T', `relativeStart=now&relativeEnd=${relative}`);
    assert.equal(Date.parse(read.e) - Date.parse(read.s), 2 * HOUR_MS);
  }
});

proves(QUERIES, 'in every other parameter a plus is a space, and %2B a plus', async (c) => {
  assertDone(await c.post('/data', { 'A B': [point(0, 1)], 'A+B': [point(0, 2)] }));
  assert.equal((await c.get('/data?tagname=A+B')).json<MultiReadAnswer>().tl[0]?.t.n, 'A B');
  assert.equal((await c.get('/data?tagname=A%20B')).json<MultiReadAnswer>().tl[0]?.t.n, 'A B');
  assert.equal((await c.get('/data?tagname=A%2BB')).json<MultiReadAnswer>().tl[0]?.t.n, 'A+B');
  assert.deepEqual(await userTagNames(c, '?contains=a+b'), ['A B']);
  assert.deepEqual(await userTagNames(c, '?contains=a%2Bb'), ['A+B']);
});

const HEAD_BYTES = 64 * 1024;
const PIECE_BYTES = 4000;
/** Times that a head is sent again when the connection was reset before its answer was read. */
const MOST_RESETS = 5;

/** A head of exactly so many bytes, nearly all of them in the request line. */
function headOfLine(c: CaseContext, sizeBytes: number): string {
  const begin = 'GET /health?filler=';
  const end = ` HTTP/1.1\r\nHost: 127.0.0.1:${c.server.port}\r\n\r\n`;
  return begin + 'x'.repeat(sizeBytes - begin.length - end.length) + end;
}

/** A head of exactly so many bytes, nearly all of them in header fields. */
function headOfFields(c: CaseContext, sizeBytes: number): string {
  const begin = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${c.server.port}\r\n`;
  const field = `X-Filler: ${'x'.repeat(1000)}\r\n`;
  const fields = field.repeat(Math.floor((sizeBytes - begin.length - 100) / field.length));
  const last = 'X-Last: ';
  const rest = sizeBytes - begin.length - fields.length - last.length - '\r\n\r\n'.length;
  return `${begin}${fields}${last}${'x'.repeat(rest)}\r\n\r\n`;
}

/**
 * Sends the head in one go, or in segments of 4 KiB; gives the status of the answer, 0 when there is none. What is on its way
 * when a server refuses a head and closes makes the kernel reset the connection, and an answer that was not read yet is gone
 * then (RFC 9112, 9.6): tried again.
 */
async function statusOfHead(c: CaseContext, head: string, sending: 'whole' | 'pieces'): Promise<number> {
  let status = 0;
  for (let attempt = 0; attempt < MOST_RESETS && status === 0; attempt++) status = await statusOnce(c, head, sending);
  return status;
}

async function statusOnce(c: CaseContext, head: string, sending: 'whole' | 'pieces'): Promise<number> {
  const count = sending === 'whole' ? 1 : Math.ceil(head.length / PIECE_BYTES);
  const sizeBytes = sending === 'whole' ? head.length : PIECE_BYTES;
  const pieces = Array.from({ length: count }, (_, i) => head.slice(i * sizeBytes, (i + 1) * sizeBytes));
  const pauseMs = sending === 'whole' ? 0 : 10;
  const isHead = (received: string): boolean => received.includes('\r\n\r\n');
  return rawStatus((await exchangeRaw(c.server.port, pieces, isHead, { pauseMs })).text);
}

/** What is taken in pieces: 64 KiB, but with the build of uWebSockets for older C libraries (docs/operations.md). */
function largestInPieces(c: CaseContext): number {
  return answersEveryHead(c.transport) ? HEAD_BYTES : PIECE_BYTES;
}

proves(QUERIES, 'a head of 64 KiB is taken, header fields in pieces, too', async (c) => {
  const fields = headOfFields(c, largestInPieces(c));
  assert.equal(fields.length, largestInPieces(c));
  assert.equal(await statusOfHead(c, fields, 'whole'), 200);
  assert.equal(await statusOfHead(c, fields, 'pieces'), 200);
});

proves(QUERIES, 'a request line of 32 KiB that is sent in one go is taken', async (c) => {
  assert.equal(await statusOfHead(c, headOfLine(c, 32 * 1024), 'whole'), 200);
});

proves(QUERIES, 'a request line in pieces is taken', async (c) => {
  for (const sizeBytes of [PIECE_BYTES / 2, largestInPieces(c)])
    assert.equal(await statusOfHead(c, headOfLine(c, sizeBytes), 'pieces'), 200, `${sizeBytes} bytes`);
});

proves(QUERIES, 'a long list of tags fits into the query', async (c) => {
  const tags = Array.from({ length: 600 }, (_, i) => `Some long tag name of a plant, number ${i}, to fill the head`);
  assertDone(await c.post('/data', Object.fromEntries(tags.map((tag, i) => [tag, [point(0, i)]]))));
  const query = tags.map((tag) => `tagname=${encodeURIComponent(tag)}`).join('&');
  assert.ok(query.length > 45_000 && query.length < 64_000);
  const read = assertStatus(await c.get(`/data?${query}`), 200).json<MultiReadAnswer>();
  assert.deepEqual(
    read.tl.map(({ d }) => d[0]?.v),
    tags.map((_, i) => i),
  );
});

proves(QUERIES, 'a head above 64 KiB is 431, little and far above, in fields or in the request line', async (c) => {
  for (const sizeBytes of [66_000, 90_000, 300_000]) {
    for (const [head, sending] of [
      [headOfFields(c, sizeBytes), 'whole'],
      [headOfFields(c, sizeBytes), 'pieces'],
      [headOfLine(c, sizeBytes), 'whole'],
    ] as const) {
      const status = await statusOfHead(c, head, sending);
      // 0: closed without an answer, as the build for older C libraries does.
      assert.ok(status === 431 || (status === 0 && !answersEveryHead(c.transport)), `${sizeBytes}: ${status}`);
    }
  }
});

proves('HTTP in general/Always sent', 'Date and Server, in every kind of answer', async (c) => {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  await write(c, 'T', [point(0, 1)]);
  const answers = [
    assertStatus(await c.get('/data?tagname=T'), 200),
    assertStatus(await c.post('/data/T', [point(1, 1)]), 200),
    assertStatus(await c.http.get('/api/datasets'), 200),
    assertStatus(await c.http.get('/nothing-here'), 404),
    assertStatus(await c.post('/data/T', 'x'), 400),
    assertStatus(await c.http.send('PUT', '/api/datasets'), 405),
    assertStatus(await c.http.get('/health'), 200),
  ];
  for (const answer of answers) {
    assert.equal(answer.header('server'), `Varve/${version}`);
    const date = answer.header('date') ?? '';
    assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < CLOCK_LEEWAY_MS, date);
  }
});

proves('HTTP in general/{tag} in answers', 'the whole Tag object; what was never set is left out', async (c) => {
  const full = { n: 'Full', d: 'D', f: '0.0', u: { '-1': '$', '3': 'x' }, fl: { k: 'v' }, t: 'System.Int16' };
  await defineTag(c, full);
  await write(c, 'Full', [point(0, 5)]);
  await write(c, 'Open', [point(0, null)]);
  const answer = (await c.get(`/data?tagname=Full&tagname=Open&${ALL}`)).json<MultiReadAnswer>();
  assert.deepEqual(
    answer.tl.map(({ t }) => t),
    [full, { n: 'Open' }],
  );
  const single = (await c.get(`/data/Full?${ALL}`)).json<TagDataAnswer>();
  assert.deepEqual(single.t, full);
  await write(c, 'Open', [point(1, 'now text')]);
  assert.deepEqual((await readEntry(c, 'Open')).t, { n: 'Open', t: 'System.String' });
});

proves('HTTP in general/Unknown path / wrong method', 'a path that is none is 404', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const path of [
    '/api',
    '/api/nothing',
    '/api/datasetsx',
    `${c.path('/nothing')}`,
    '/API/datasets',
    '/api/datasets/../datasets',
  ])
    assertProblem(await c.http.get(path), 404);
  assertProblem(await c.http.post('/api/nothing', {}), 404);
});

proves(
  'HTTP in general/{dataset}, {tagname} in a path',
  'a slash at the end counts for nothing, unless it is part of a tag name',
  async (c) => {
    assertStatus(await c.http.post('/api/datasets/', { n: c.dataset, pa: 0, ps: 0 }), 201);
    assertDone(await c.post('/tags/', [{ n: 'T' }]));
    assertDone(await c.post('/data/', { T: [point(0, 1)] }));
    assertDone(await c.post('/data/T/', [point(0, 2)]));
    assert.equal((await c.get(`/data/?tagname=T&${ALL}`)).json<MultiReadAnswer>().tl[0]?.d[0]?.v, 1);
    assert.equal((await c.get(`/data/T/?${ALL}`)).json<TagDataAnswer>().t.n, 'T/');
    assert.deepEqual(
      (await c.get('/tags/')).json<{ User: { n: string }[] }>().User.map(({ n }) => n),
      ['T', 'T/'],
    );
    for (const path of ['/', '/exists/', '/status/']) assertStatus(await c.get(path), 200);
    assertDone(await c.post('/status/', [{ q: 28 }]));
    for (const path of ['/health/', '/ready/', '/api/v1.json/']) assertStatus(await c.http.get(path), 200);
    assertProblem(await c.http.get(`${c.path()}//`), 404);
    assertDone(await c.delete('/'));
  },
);

proves(
  'HTTP in general/Unknown path / wrong method',
  'another method is 405, and Allow names the right ones',
  async (c) => {
    await write(c, 'T', [point(0, 1)]);
    const expected: readonly (readonly [string, string, readonly string[]])[] = [
      ['PUT', '/api/datasets', ['GET', 'POST']],
      ['DELETE', '/api/datasets', ['GET', 'POST']],
      ['PUT', c.path(), ['GET', 'POST', 'DELETE']],
      ['PATCH', c.path('/tags'), ['GET', 'POST', 'DELETE']],
      ['PUT', c.path('/tags/T'), ['GET', 'POST', 'DELETE']],
      ['PUT', c.path('/data'), ['GET', 'POST', 'DELETE']],
      ['PUT', c.path('/data/T'), ['GET', 'POST']],
      ['GET', c.path('/read'), ['POST']],
      ['DELETE', c.path('/status'), ['GET', 'POST']],
      ['POST', c.path('/exists'), ['GET']],
    ];
    for (const [method, path, allowed] of expected) {
      const answer = await c.http.send(method, path);
      assertProblem(answer, 405);
      const allow = (answer.header('allow') ?? '').split(/\s*,\s*/);
      assert.deepEqual(
        allowed.filter((name) => !allow.includes(name)),
        [],
        `${method} ${path}: Allow is ${allow.join()}`,
      );
      assert.ok(!allow.includes(method), `${method} ${path}: Allow is ${allow.join()}`);
    }
    assert.deepEqual(await readValues(c, 'T', `start=${at(0)}`), [1]);
  },
);
