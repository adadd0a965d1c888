// A day of 100,000 tags at one point a minute each, driven by a clock turned by hand: bytes written per byte kept, peak
// memory, files. Run: npm run bench day -- [--tags 100000] [--minutes 1440]

import { parseArgs } from 'node:util';
import { measureDay } from '../suites/day.ts';

const { values } = parseArgs({
  options: { tags: { type: 'string', default: '100000' }, minutes: { type: 'string', default: '1440' } },
});
await measureDay({ tags: Number(values.tags), minutes: Number(values.minutes), seed: 1 }, (line) => console.log(line));
