// What is asked of saved views: to save the largest, to list very many of them.

import {
  assertStatus,
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  sized,
  take,
} from './expensive-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** At a time: more than wait for the disk would be refused. */
const SENDERS = 32;
/** There are 10,000 at most, and on one server the row before has saved up to 4,000: 1,000 in each of its rounds. */
const LISTED_VIEWS = 6000;

function view(texts: number, bytes: number): string {
  const content = { texts: Array.from({ length: texts }, () => 'x'.repeat(bytes)) };
  const datasets = Array.from({ length: 100 }, (_, i) => `${'Dataset '.repeat(25)}${i}`);
  return JSON.stringify({ kind: 'trend', name: 'x'.repeat(200), folder: 'x'.repeat(500), datasets, content });
}

async function save(context: FairnessContext, count: number, body: string): Promise<void> {
  const tasks = Array.from({ length: count }).values();
  const senders = Array.from({ length: SENDERS }, async () => {
    for (const _ of tasks) {
      const answer = await context.http.send('POST', '/api/views', { headers: JSON_TYPE, body });
      assertStatus(answer, 201, 'a view');
    }
  });
  await Promise.all(senders);
}

const largest: ExpensiveRequest = {
  name: 'saving views of the largest size',
  send: (context) => save(context, sized(context, 64, 1000), view(260, 1000)),
};

const list: ExpensiveRequest = {
  name: 'a list of very many views with very many datasets',
  setUp: (context) => context.once('views', () => save(context, sized(context, 500, LISTED_VIEWS), view(1, 1))),
  async send(context) {
    await take(context, 'GET', '/api/views');
  },
};

export const viewRequests: readonly ExpensiveRequest[] = [inSlice(largest), inSlice(list)];
