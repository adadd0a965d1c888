// What a query computes and compiles lets others have turns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from '../../../../../server/doors/prometheus/evaluation/one-series.ts';
import { withNumber } from '../../../../../server/doors/prometheus/evaluation/operations.ts';
import { seriesOf } from '../../../../../server/doors/prometheus/evaluation/series.ts';
import { parsePromql } from '../../../../../server/doors/prometheus/promql/promql-parser.ts';
import type { Service } from '../../../../../server/routes/service/service.ts';
import { turnsOf } from '../../turns-taken.ts';

async function* oneSeries(): AsyncGenerator<Series> {
  yield {
    labels: { __name__: 'varve_value', tag: 'T' },
    values: new Float64Array(11_000).fill(7),
    present: new Uint8Array(11_000).fill(1),
  };
}

test('arithmetic with numbers over many steps takes several turns, and gives the same', async () => {
  const query = parsePromql(`varve_value${'*1e300%.1'.repeat(100)}`);
  assert.ok(query.kind === 'series');
  let series = oneSeries();
  for (const operation of query.operations) {
    assert.ok(operation.kind === 'number');
    series = withNumber(series, operation);
  }
  let result: Series | undefined;
  const turns = await turnsOf(async () => {
    for await (const one of series) result = one;
  });
  let expected = 7;
  for (let i = 0; i < 100; i++) expected = (expected * 1e300) % 0.1;
  assert.deepEqual(result?.labels, { tag: 'T' });
  assert.ok(result?.values.every((value) => value === expected));
  assert.ok(turns >= 5, `${turns} turns`);
});

test('the patterns of a selector are compiled with a turn for each', async () => {
  const patterns = Array.from({ length: 100 }, (_, i) => `other=~".*${i}.*"`);
  const query = parsePromql(`varve_value{${patterns.join(',')}}`);
  assert.ok(query.kind === 'series');
  const call = { request: { aborted: false } } as Parameters<typeof seriesOf>[1];
  const turns = await turnsOf(() => seriesOf({} as Service, call, query.matchers).next());
  assert.ok(turns >= 90, `${turns} turns`);
});
