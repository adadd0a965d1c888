// What is asked of a server of very many datasets.

import assert from 'node:assert/strict';
import {
  assertStatus,
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  sized,
  take,
  takeAll,
} from './expensive-request.ts';

const DATASETS_AT_ONCE = 20;

function manyDatasets(context: FairnessContext): Promise<void> {
  return context.once('many datasets', async () => {
    const count = sized(context, 60, 500);
    for (let from = 0; from < count; from += DATASETS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DATASETS_AT_ONCE, count - from) }, (_, i) => from + i);
      const answers = await Promise.all(
        numbers.map((i) => context.http.post(`/api/datasets/FairMany${i}/data`, { [`Tag ${i}`]: [{ v: i }] })),
      );
      for (const answer of answers) assertStatus(answer, 200, 'making datasets');
    }
  });
}

let made = 0;

const newDatasets: ExpensiveRequest = {
  name: 'writes to very many new datasets at once',
  async send(context) {
    const answers = await Promise.all(
      Array.from({ length: sized(context, 50, 200) }, () =>
        take(context, 'POST', `/api/datasets/FairNew${made++}/data`, {
          headers: { 'content-type': 'application/json' },
          body: '{"A":[{"v":1}]}',
        }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  },
};

function again(name: string, path: string, count: number): ExpensiveRequest {
  return {
    name,
    setUp: manyDatasets,
    async send(context) {
      await Promise.all(Array.from({ length: count }, () => takeAll(context, path)));
    },
  };
}

export const datasetRequests: readonly ExpensiveRequest[] = [
  newDatasets,
  again('/metrics of hundreds of datasets', '/metrics', 1),
  inSlice(again('ten /metrics of hundreds of datasets at once', '/metrics', 10)),
  again('ten lists of hundreds of datasets at once', '/api/datasets', 10),
  again('ten /ready of hundreds of datasets at once', '/ready', 10),
];
