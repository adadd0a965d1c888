// Attacks by chunked bodies of every form, with a request that hides in them or follows them.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChunkCase, chunkCases } from '../http/support/chunk-cases.ts';
import { countTaken, RawClient } from '../http/support/raw-client.ts';
import {
  type Attack,
  type AttackContext,
  assertStatus,
  DATASET,
  hostHeader,
  MIB,
  withClients,
} from './attack-context.ts';

const WAIT_MS = 150;
const BODY = '[{"v": 1}, {"v": 2}]';

export const chunkAttacks: readonly Attack[] = [
  { name: 'chunked bodies of every form', growthLimitBytes: 64 * MIB, run: sendChunks },
];

/** The request that must not run would make a dataset. */
function hiddenRequest(context: AttackContext): string {
  const body = '[{"v":1}]';
  return (
    `POST /api/datasets/Hidden/data/A HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Each alone, and where nothing hides in it, with a request right behind it. */
async function sendChunks(context: AttackContext): Promise<number> {
  const second = hiddenRequest(context);
  const cases = chunkCases(BODY, second);
  let count = 0;
  for (const chunks of cases) {
    await sendOne(context, chunks, chunks.pieces);
    count++;
    // A second request behind a body that is certain is what it seems to be.
    const mayFollow = chunks.hidesSecond || chunks.kind === 'cut';
    if (mayFollow || (context.transport === 'node' && chunks.kind === 'legal')) continue;
    await sendOne(context, chunks, [...chunks.pieces.slice(0, -1), `${chunks.pieces.at(-1)}${second}`]);
    await sendOne(context, chunks, [...chunks.pieces, second]);
    count += 2;
  }
  return count;
}

async function sendOne(context: AttackContext, { title, kind }: ChunkCase, pieces: readonly string[]): Promise<void> {
  const head =
    `POST ${DATASET}/data/Chunked HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const client = await RawClient.open(context.port);
  await withClients([client], async () => {
    const [first = '', ...others] = pieces;
    await client.sendSlowly([head + first, ...others], 2);
    const isSettled = (): boolean => client.isClosed || client.answers.length > 0;
    const deadlineMs = performance.now() + WAIT_MS;
    while (!isSettled() && performance.now() < deadlineMs) await delay(5);
    const answers = countTaken(client);
    assert.ok(answers <= 1, `${title}: ${answers} answers`);
    const status = client.answers[0]?.status;
    assert.ok(status === undefined || kind !== 'cut' || status >= 400, `${title}: answered ${status}`);
  });
  assertStatus(await context.http.get('/api/datasets/Hidden'), [404], title);
}
