// Requests sent ahead: thousands on one connection, none of which waits for an answer.

import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../http/support/raw-client.ts';
import { assertStatus, type ExpensiveRequest, type FairnessContext, inSlice } from './expensive-request.ts';

const DATASET = '/api/datasets/FairAhead';
const REQUEST_COUNT = 10_000;
const LIMIT_MS = 60_000;
const QUIET_MS = 500;

function oneTag(context: FairnessContext): Promise<void> {
  return context.once('a tag to ask for ahead', async () => {
    assertStatus(await context.http.post(`${DATASET}/data`, { Ahead: [{ v: 1 }] }), 200, 'writing');
  });
}

/** Until the connection is closed, or nothing more comes. */
async function settled(client: RawClient): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  for (let lastBytes = -1; !client.isClosed && client.receivedBytes !== lastBytes; ) {
    if (performance.now() > deadlineMs) throw new Error(`still answering after ${LIMIT_MS} ms`);
    lastBytes = client.receivedBytes;
    await delay(QUIET_MS);
  }
}

function ahead(title: string, head: string, body = ''): ExpensiveRequest {
  return inSlice({
    name: `${REQUEST_COUNT} ${title} sent ahead on a connection`,
    setUp: oneTag,
    async send({ port }) {
      const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
      const client = await RawClient.open(port);
      try {
        client.send(`${head} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${length}\r\n${body}`.repeat(REQUEST_COUNT));
        await settled(client);
      } finally {
        client.destroy();
      }
    },
  });
}

export const pipelinedRequests: readonly ExpensiveRequest[] = [
  ahead('GETs of /health', 'GET /health'),
  ahead('reads', `GET ${DATASET}/data?tagname=Ahead`),
  ahead('writes', `POST ${DATASET}/data/Ahead`, '[{"v":1}]'),
];
