// Bytes per point, and points per second in and out over HTTP: 1,000 tags x 10,000 plant-like points.
// Run: npm run bench figures -- [--points 10000] [--a-request 10] [--seed 1]

import { parseArgs } from 'node:util';
import { measureFigures } from '../suites/figures.ts';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '10000' },
    'a-request': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
await measureFigures(
  { points: Number(values.points), pointsARequest: Number(values['a-request']), seed: Number(values.seed) },
  (line) => console.log(line),
);
