// What charting tools ask, at its most expensive: rows of many points, many steps over many points, patterns over many tags.

import { type ExpensiveRequest, type FairnessContext, inSlice, takeAll } from './expensive-request.ts';
import { longCount, writeLongTags } from './read-requests.ts';
import { keptTags } from './tag-requests.ts';

const LONG_TAGS = [0, 1, 2, 3].map((i) => `tagname=Long${i}`).join('&');
const FIRST_S = Date.UTC(2024, 0, 1) / 1000;
const LAST_S = Date.UTC(2025, 0, 1) / 1000;
const MOST_STEPS = 10_999;
const PROMETHEUS = '/prometheus/api/v1';
const JSON_TYPE = { 'content-type': 'application/json' };
/** Each of its ways forks at each character. */
const SLOW_PATTERN = '(.*a?.*e?.*i?.*){8}Tag .*(1|2|3)+x?';

function rows(format: string): ExpensiveRequest {
  return {
    name: `a read of 4 tags of many points as ${format}`,
    setUp: writeLongTags,
    send: (context) =>
      takeAll(context, `/api/datasets/FairReads/data?${LONG_TAGS}&start=2024-01-01&end=2025-01-01&${format}`, {
        minBytes: longCount(context) * 20,
      }),
  };
}

function steps(query: string): ExpensiveRequest {
  const step = (context: FairnessContext): number => Math.floor(longCount(context) / MOST_STEPS);
  const end = (context: FairnessContext): number => Math.min(LAST_S, FIRST_S + step(context) * MOST_STEPS);
  return {
    name: `the most steps of ${query}`,
    setUp: writeLongTags,
    send: (context) =>
      takeAll(
        context,
        `${PROMETHEUS}/query_range?query=${encodeURIComponent(query)}&start=${FIRST_S}&end=${end(context)}&step=${step(context)}`,
        { minBytes: 100_000 },
      ),
  };
}

function ofManyTags(name: string, path: string, body?: object): ExpensiveRequest {
  return {
    name,
    setUp: keptTags,
    send: (context) =>
      takeAll(context, path, { minBytes: 2, ...(body && { body: JSON.stringify(body), headers: JSON_TYPE }) }),
  };
}

const match = `match%5B%5D=${encodeURIComponent(`varve_value{tag=~"${SLOW_PATTERN}"}`)}`;
const range = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };

export const chartRequests: readonly ExpensiveRequest[] = [
  inSlice(rows('format=rows')),
  rows('format=rows&as=csv'),
  inSlice(rows('format=wide')),
  inSlice(steps('max_over_time(varve_value{dataset="FairReads"}[7d])')),
  steps('sum by (dataset) (avg_over_time(varve_value{dataset="FairReads"}[30s]))'),
  inSlice(ofManyTags('values of a label by a slow pattern', `${PROMETHEUS}/label/tag/values?${match}`)),
  ofManyTags('all series', `${PROMETHEUS}/series?match%5B%5D=varve_value`),
  ofManyTags(
    'the newest of as many series as are possible',
    `${PROMETHEUS}/query?query=${encodeURIComponent('varve_value{tag=~".*Tag 1.?.?.?"}')}`,
  ),
  inSlice(ofManyTags('values of a filter', '/grafana/tag-values', { key: 'tag' })),
  inSlice(
    ofManyTags('states of many tags', '/grafana/query', {
      range,
      targets: [{ target: 'FairTagsKept', payload: { tags: ['.*Tag 1.?.?'], show: 'states' } }],
    }),
  ),
];
