// Chunked bodies of every form: what is handled is the body and nothing else, and nobody is answered twice. Over
// uWebSockets, which reads some of them wrongly, nothing that follows a chunked body is handled at all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { chunkCases } from './support/chunk-cases.ts';
import { countTaken, RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const BODY = '[{"v": 1}, {"v": 2}]';
const SECOND = 'POST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
/** Answered a while after the body, from a later turn, or at once. */
const LATE = 'POST /late HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const AT_ONCE = LATE.replace('/late', '/at-once');
const LATER_MS = 10;
/** Less than the time after which slow clients are closed. */
const ANSWER_LIMIT_MS = 8000;
/** For what follows: long enough for a request to run, and for a body that is stuck at a line end to be refused. */
const FOLLOW_MS = 1500;

/** They wait for what must not come. */
const TESTS_AT_ONCE = 6;

interface Run {
  readonly path: string;
  readonly body: string;
}

function recorder(runs: Run[]): HttpHandler {
  return async (request, response) => {
    const bytes = await request.readBody(1_000_000);
    runs.push({ path: request.path, body: Buffer.from(bytes).toString('latin1') });
    if (request.path === '/late') await delay(LATER_MS);
    response.send(200, [], 'ran');
  };
}

async function sendPieces(client: RawClient, head: string, pieces: readonly string[]): Promise<void> {
  const [first = '', ...others] = pieces;
  await client.sendSlowly([head + first, ...others], 5);
}

/** Waits for an answer or the end of the connection, and no longer than that. */
async function settle(client: RawClient, limitMs: number): Promise<void> {
  await client.until(() => client.isClosed || client.answers.length > 0, limitMs).catch(() => {});
}

/** When what follows is sent: with the end of the body, before the answer, or behind it. */
const FOLLOWING = [
  [LATE, 'none'],
  [AT_ONCE, 'none'],
  [LATE, 'before'],
  [AT_ONCE, 'behind'],
] as const;

const cases = chunkCases(BODY, SECOND);

describeTransports(
  'chunked bodies',
  (transport) => {
    for (const chunks of cases) {
      const { title, kind, hidesSecond } = chunks;

      test(`${title} (${kind}): handled once or refused`, async (context) => {
        const runs: Run[] = [];
        const { port } = await startServer(context, transport, recorder(runs), { allowedHosts: ['a'] });
        const client = await RawClient.open(port);
        context.after(() => client.destroy());
        await sendPieces(client, LATE, chunks.pieces);
        if (kind === 'cut') await delay(100);
        else await client.until(() => client.isClosed || client.answers.length > 0, ANSWER_LIMIT_MS);
        await delay(30);
        assert.ok(countTaken(client) <= 1, `${countTaken(client)} answers`);
        assert.equal(runs.filter(({ path }) => path === '/second').length, 0, 'the hidden request ran');
        const [answer] = client.answers;
        if (kind === 'cut') assert.deepEqual(runs, []);
        if (kind === 'legal' && transport === 'node')
          assert.equal(answer?.status, title.startsWith('a blank') ? 400 : 200);
        if (kind === 'broken' && transport === 'node') assert.ok(answer === undefined || answer.status === 400);
        if (answer?.status !== 200) assert.deepEqual(runs, [], 'it ran, and was refused');
        else assert.equal(runs.length, 1);
        if (kind === 'legal' && runs[0] !== undefined)
          assert.equal(runs[0].body, title.includes('as data') ? SECOND : BODY);
      });

      if (hidesSecond || kind === 'cut') continue;
      test(`${title} (${kind}): what follows it is not handled where the body is not certain`, async (context) => {
        for (const [head, pause] of FOLLOWING) {
          const runs: Run[] = [];
          const { port } = await startServer(context, transport, recorder(runs), { allowedHosts: ['a'] });
          const client = await RawClient.open(port);
          const pieces = [...chunks.pieces];
          if (pause === 'none') pieces.push(`${pieces.pop()}${SECOND}`);
          await sendPieces(client, head, pieces);
          if (pause === 'behind') await settle(client, FOLLOW_MS);
          if (pause !== 'none') client.send(SECOND);
          await Promise.race([client.closed, delay(100)]);
          const hasSecond = runs.some(({ path }) => path === '/second');
          client.destroy();
          assert.equal(
            hasSecond && (transport === 'uws' || kind === 'broken'),
            false,
            `ran the second (${pause}, ${head.slice(5, 13)})`,
          );
        }
      });
    }
  },
  TESTS_AT_ONCE,
);
