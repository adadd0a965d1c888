// The operations that tell what there is to know of a range.

import type { Operation } from '../operation.ts';
import { STATISTICS_PARAMETERS } from '../parameters.ts';

const first = { t: '2024-01-01T00:00:00.000Z', v: 71.5, q: 192 };
const last = { t: '2024-01-01T00:59:50.000Z', v: 74.25, q: 192 };
const answered = {
  status: 200,
  description: 'One entry for each tag, in the order asked for.',
  schema: 'Statistics',
  example: {
    s: '2024-01-01T00:00:00.000Z',
    e: '2024-01-01T01:00:00.000Z',
    tl: [
      {
        t: { n: 'Boiler.Temperature', u: { '1': '°C' }, t: 'System.Double' },
        points: 360,
        good: 360,
        first,
        last,
        min: first,
        max: last,
        mean: 72.8,
        timeMean: 72.75,
        deviation: 0.8,
        percentiles: { p5: 71.6, p50: 72.75, p95: 74.1, of: 'all' },
        percentGood: 99.7,
        longestGap: { s: '2024-01-01T00:10:00.000Z', e: '2024-01-01T00:10:30.000Z', ms: 30_000 },
      },
    ],
  },
} as const;

export const STATISTICS_OPERATIONS: readonly Operation[] = [
  {
    id: 'statistics',
    method: 'GET',
    path: '/api/datasets/{dataset}/statistics',
    group: 'Data',
    summary: 'What there is to know of a range',
    description:
      'First, last, smallest and largest point, means, deviation, percentiles and the longest gap, in one answer.',
    parameters: STATISTICS_PARAMETERS,
    answers: [answered],
    problems: [400, 404],
  },
  {
    id: 'statisticsByBody',
    method: 'POST',
    path: '/api/datasets/{dataset}/statistics',
    group: 'Data',
    summary: 'What there is to know of a range, for many tags',
    description: 'The same with its parameters in a body: for lists of tags too long for a query.',
    body: {
      schema: 'StatisticsBody',
      description: 'The tags and the range.',
      examples: { day: { tagname: ['Boiler.Temperature'], relativeStart: '-1d' } },
    },
    answers: [answered],
    problems: [400, 404, 413],
  },
];
