// What is asked of annotations: to list and search as many and as long ones as a dataset holds.

import {
  assertStatus,
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  sendEach,
  sized,
  takeAll,
} from './expensive-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIST = '/api/datasets/Annotated/annotations';
/** Text of most of them: then as many as can be, and as long as then can be, are there. */
const TEXT = 'x'.repeat(300);

function fill(context: FairnessContext): Promise<void> {
  return context.once('annotations', async () => {
    const { http } = context;
    assertStatus(await http.post('/api/datasets', { n: 'Annotated', pa: 0, ps: 0 }), 201, 'a dataset');
    await sendEach(Array.from({ length: sized(context, 1000, 20_000) }).keys(), async (i) => {
      const body = JSON.stringify({ start: new Date(i * 1000).toISOString(), text: `${TEXT} ${i}` });
      assertStatus(await http.send('POST', LIST, { headers: JSON_TYPE, body }), 201, 'an annotation');
    });
  });
}

const requests: readonly (readonly [name: string, query: string])[] = [
  ['a list of very many annotations', ''],
  ['very many annotations as CSV', '?format=csv'],
  ['a search in the texts of very many annotations', '?contains=none'],
];

const rows: readonly ExpensiveRequest[] = requests.map(([name, query]) => ({
  name,
  setUp: fill,
  send: (context) => takeAll(context, `${LIST}${query}`),
}));

export const annotationRequests: readonly ExpensiveRequest[] = rows.map(inSlice);
