// Writes of very many tags while clients listen to all of them.

import assert from 'node:assert/strict';
import { type ExpensiveRequest, type FairnessContext, listen, take } from './expensive-request.ts';

/** The most that is written in one go. */
const TAGS = 8000;
const DATASET = 'FairLive';
const JSON_TYPE = { 'content-type': 'application/json' };

let writtenMs = Date.UTC(2040, 0, 1);

function write(context: FairnessContext): Promise<{ readonly status: number }> {
  writtenMs += 1000;
  const time = new Date(writtenMs).toISOString();
  const members = Array.from(
    { length: TAGS },
    (_, i) => `"Line ${i % 40}.Tag ${i}":[{"t":"${time}","v":${i / 10},"q":192}]`,
  );
  const body = `{${members.join(',')}}`;
  return take(context, 'POST', `/api/datasets/${DATASET}/data`, { body, headers: JSON_TYPE });
}

export const liveRequests: readonly ExpensiveRequest[] = [
  {
    name: 'ten writes of a point of each of 8,000 tags that two clients listen to',
    setUp: (context) =>
      context.once('live clients', async () => {
        assert.equal((await write(context)).status, 200);
        await Promise.all([listen(context, DATASET), listen(context, DATASET)]);
      }),
    async send(context) {
      for (let i = 0; i < 10; i++) assert.equal((await write(context)).status, 200);
    },
  },
];
